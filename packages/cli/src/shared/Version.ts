/** The version of the program, set by the build. */

declare const __ATTESTRY_VERSION__: string | undefined

/** The version of the package; `0.0.0` when run from source. */
export const VERSION = typeof __ATTESTRY_VERSION__ === "string" ? __ATTESTRY_VERSION__ : "0.0.0"

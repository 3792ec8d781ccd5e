/** The version of the program, which the build writes in. */

declare const __ATTESTRY_VERSION__: string | undefined

/** The version of the package; `0.0.0` when the sources run. */
export const VERSION = typeof __ATTESTRY_VERSION__ === "string" ? __ATTESTRY_VERSION__ : "0.0.0"

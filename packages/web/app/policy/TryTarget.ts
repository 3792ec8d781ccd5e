/** The snapshot of an environment, or the artifact, on which a draft is tried. The URL has it as `try`. */

export type TryTarget =
  | { readonly _tag: "Snapshot"; readonly environment: string; readonly expression: string }
  | { readonly _tag: "Artifact"; readonly fingerprint: string }

/** The expression of the latest snapshot. */
export const LATEST = "~0"

/** Parses `{environment}@{expression}` or a fingerprint; undefined for other texts. */
export const parse = (text: string | undefined): TryTarget | undefined => {
  if (text === undefined || text === "") return undefined
  if (/^[0-9a-f]{64}$/.test(text)) return { _tag: "Artifact", fingerprint: text }
  const at = text.indexOf("@")
  const environment = at < 0 ? text : text.slice(0, at)
  const expression = at < 0 ? LATEST : text.slice(at + 1)
  return environment === ""
    ? undefined
    : { _tag: "Snapshot", environment, expression: expression === "" ? LATEST : expression }
}

export const print = (target: TryTarget): string =>
  target._tag === "Artifact" ? target.fingerprint : `${target.environment}@${target.expression}`

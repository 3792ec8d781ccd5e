/**
 * Package URLs in questions, such as `pkg:npm/left-pad@1.3.0`: type, name and version, normalised by the rules of the
 * type. Evidence files are read by the reader of evidence, which writes components in the same form.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as StorableText from "../shared/StorableText.js"

/** The most characters of a purl in a question. */
export const CHARACTERS_MAX = 1_024

/** A package, in one version or in all. */
export interface Purl {
  readonly type: string
  /** With its namespace. */
  readonly name: string
  /** Null for all versions. */
  readonly version: string | null
}

/** A text that is no purl. */
export class InvalidPurl extends Schema.TaggedError<InvalidPurl>()("InvalidPurl", {
  reason: Schema.Literal("too_long", "malformed")
}) {
  override get message(): string {
    return this.reason === "too_long"
      ? `the purl has more than ${CHARACTERS_MAX} characters`
      : "the text is no purl such as `pkg:npm/left-pad@1.3.0`"
  }
}

const START = /^pkg:\/*([a-z][a-z0-9.+-]*)\//i

/** The types whose names have no upper case. */
const LOWER_NAMES: ReadonlySet<string> = new Set([
  "alpm",
  "apk",
  "bitbucket",
  "bitnami",
  "composer",
  "deb",
  "github",
  "gitlab",
  "hex",
  "npm",
  "oci",
  "pub",
  "pypi"
])

/** The types whose namespaces alone have no upper case. */
const LOWER_NAMESPACES: ReadonlySet<string> = new Set(["qpkg", "rpm"])

/** The types whose versions have no upper case. */
const LOWER_VERSIONS: ReadonlySet<string> = new Set(["huggingface", "luarocks"])

const nameOf = (type: string, segments: ReadonlyArray<string>): string => {
  const name = segments.join("/")
  if (type === "pypi") return name.toLowerCase().replaceAll("_", "-")
  if (type === "pub") return name.toLowerCase().replaceAll("-", "_")
  if (LOWER_NAMES.has(type)) return name.toLowerCase()
  if (!LOWER_NAMESPACES.has(type)) return name
  return [...segments.slice(0, -1).map((each) => each.toLowerCase()), ...segments.slice(-1)].join(
    "/"
  )
}

const malformed = Either.left(new InvalidPurl({ reason: "malformed" }))

const decode = (text: string): Either.Either<string, InvalidPurl> =>
  Either.try({
    try: () => decodeURIComponent(text).trim(),
    // WHY: the function reports by throwing alone.
    catch: () => new InvalidPurl({ reason: "malformed" })
  })

/** The place of the `@` before the version; -1 without one. The first character of a segment begins a scope. */
const versionAt = (rest: string): number => {
  const at = rest.lastIndexOf("@")
  return at === 0 || rest[at - 1] === "/" ? -1 : at
}

const parseRest = (type: string, rest: string): Either.Either<Purl, InvalidPurl> =>
  Either.gen(function* () {
    const at = versionAt(rest)
    const path = at === -1 ? rest : rest.slice(0, at)
    const written = path.split("/").filter((segment) => segment !== "")
    const segments = yield* Either.all(written.map(decode))
    const version = at === -1 ? "" : yield* decode(rest.slice(at + 1))
    const name = nameOf(type, segments)
    if (name === "" || StorableText.isUnstorable(name + version)) return yield* malformed
    return {
      type,
      name,
      version: version === "" ? null : LOWER_VERSIONS.has(type) ? version.toLowerCase() : version
    }
  })

/** Parses a purl; qualifiers and subpath are left out. */
export const parse = (text: string): Either.Either<Purl, InvalidPurl> => {
  if (text.length > CHARACTERS_MAX) return Either.left(new InvalidPurl({ reason: "too_long" }))
  const [plain = ""] = text.trim().split(/[?#]/, 1)
  const start = START.exec(plain)
  const type = start?.[1]?.toLowerCase()
  return start === null || type === undefined
    ? malformed
    : parseRest(type, plain.slice(start[0].length))
}

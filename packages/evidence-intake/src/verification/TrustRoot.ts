/**
 * A trust root of Sigstore: certificate authorities, logs and timestamp authorities that signatures are checked with.
 *
 * It is read from a trusted root file, version 0.1: one JSON value, or one on each line. Nothing is fetched.
 */
import { TrustedRoot } from "@sigstore/protobuf-specs"
import { type TrustMaterial, toTrustMaterial } from "@sigstore/verify"
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** The most characters of a trusted root file. */
export const LENGTH_MAX = 1_048_576
/** The most trusted roots in one file. */
export const INSTANCES_MAX = 16

/** The media type of a trusted root, version 0.1. */
export const MEDIA_TYPE = "application/vnd.dev.sigstore.trustedroot+json;version=0.1"

/** The material of each instance of Sigstore in the file; a signature is checked with one of them alone. */
export interface TrustRoot {
  readonly instances: readonly [TrustMaterial, ...ReadonlyArray<TrustMaterial>]
}

/** A trusted root file that is not read. */
export class InvalidTrustRoot extends Data.TaggedError("InvalidTrustRoot")<{
  /** The line of the file, from 1; null for a file with one JSON value. */
  readonly line: number | null
  readonly problem: string
}> {
  override get message(): string {
    return this.line === null ? this.problem : `line ${this.line}: ${this.problem}`
  }
}

const Bytes = Schema.Struct({ rawBytes: Schema.String })
const KeyId = Schema.Struct({ keyId: Schema.String })
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))
const Enumeration = optional(Schema.Union(Schema.String, Schema.Number))

const ValidFor = Schema.Struct({ start: Schema.NonEmptyString, end: optional(Schema.String) })

const Log = Schema.Struct({
  baseUrl: Schema.String,
  hashAlgorithm: Enumeration,
  publicKey: Schema.Struct({
    rawBytes: Schema.String,
    keyDetails: Enumeration,
    validFor: ValidFor
  }),
  logId: KeyId,
  checkpointKeyId: optional(KeyId)
})

const Authority = Schema.Struct({
  certChain: Schema.Struct({ certificates: Schema.NonEmptyArray(Bytes) }),
  validFor: ValidFor
})

const list = <A, I>(item: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.Array(item), { default: () => [], nullable: true })

/**
 * The members that are used.
 *
 * WHY: the library accepts members of every type, and takes a missing start of validity for the beginning of time.
 */
const File = Schema.Struct({
  mediaType: Schema.Literal(MEDIA_TYPE),
  tlogs: list(Log),
  ctlogs: list(Log),
  certificateAuthorities: list(Authority),
  timestampAuthorities: list(Authority)
})

const decode = Schema.decodeUnknownEither(File)

/** No key of the policy is looked up in a trust root; `SigstoreCheck` gives the key of a bundle that names one. */
const noKeys = (): never => {
  throw new TypeError("a trust root has no keys of signers")
}

/** The dotted path of the first member that does not fit. */
const firstProblem = (value: unknown): string => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "a trusted root is a JSON object"
  const mediaType = Object.hasOwn(value, "mediaType") ? Reflect.get(value, "mediaType") : null
  return mediaType === MEDIA_TYPE
    ? "a key, certificate or log is not complete; each needs `validFor.start`"
    : `the media type must be \`${MEDIA_TYPE}\``
}

const isDate = (date: Date | undefined): boolean =>
  date === undefined || !Number.isNaN(date.getTime())

/** The periods of validity of all keys. */
const periods = (root: TrustedRoot) => [
  ...[...root.tlogs, ...root.ctlogs].map((log) => log.publicKey?.validFor),
  ...[...root.certificateAuthorities, ...root.timestampAuthorities].map((ca) => ca.validFor)
]

const fromJson = (line: number | null, value: unknown) => {
  const invalid = (problem: string) => new InvalidTrustRoot({ line, problem })
  const file = decode(value)
  if (Either.isLeft(file)) return Either.left(invalid(firstProblem(value)))
  return Either.try({
    try: (): TrustMaterial | null => {
      const root = TrustedRoot.fromJSON(file.right)
      const isDated = periods(root).every((span) => isDate(span?.start) && isDate(span?.end))
      return isDated ? toTrustMaterial(root, noKeys) : null
    },
    catch: () => invalid("a key or certificate cannot be decoded")
  }).pipe(
    Either.filterOrLeft(
      (material) => material !== null,
      () => invalid("a start or end of validity is not a time")
    )
  )
}

const parseJson = (line: number | null, text: string) =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new InvalidTrustRoot({ line, problem: "this is not JSON" })
  }).pipe(Either.flatMap((value) => fromJson(line, value)))

/** Reads a trusted root file. Total: every text gives a trust root or the reason that it is none. */
export const parse = (text: string): Either.Either<TrustRoot, InvalidTrustRoot> => {
  const invalid = (problem: string) => Either.left(new InvalidTrustRoot({ line: null, problem }))
  if (text.length > LENGTH_MAX) return invalid(`the file has more than ${LENGTH_MAX} characters`)
  const whole = parseJson(null, text)
  if (Either.isRight(whole)) return Either.right({ instances: [whole.right] })
  const lines = text.split("\n").flatMap((content, index) => {
    const trimmed = content.trim()
    return trimmed === "" ? [] : [{ line: index + 1, text: trimmed }]
  })
  // WHY: a file over several lines is JSON lines only if its first line is a JSON object on its own.
  if (lines.length < 2 || !lines[0]?.text.endsWith("}")) return Either.left(whole.left)
  if (lines.length > INSTANCES_MAX) return invalid(`more than ${INSTANCES_MAX} trusted roots`)
  return Either.all(lines.map((line) => parseJson(line.line, line.text))).pipe(
    Either.flatMap(([first, ...others]) =>
      first === undefined
        ? Either.left(whole.left)
        : Either.right({ instances: [first, ...others] })
    )
  )
}

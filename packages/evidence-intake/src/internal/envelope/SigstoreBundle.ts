/**
 * Sigstore bundles 0.1 to 0.3: of an envelope, whose payload is the document, or of a bare file, whose digest is the
 * subject.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import type { Formats } from "../Formats.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import * as ReadDocument from "../ReadDocument.js"
import * as DsseEnvelope from "./DsseEnvelope.js"
import * as Payload from "./Payload.js"

/** The name of the format in facts and messages. */
export const NAME = "sigstore-bundle"

/** The most certificates, log entries and timestamps of a bundle, each. */
export const MATERIAL_MAX = 16

const MEDIA_TYPE =
  /^application\/vnd\.dev\.sigstore\.bundle(?:\+json;version=(0\.[123])|\.v(0\.\d{1,3})\+json)$/

const versionOf = (value: JsonObject): string | null => {
  const match = MEDIA_TYPE.exec(Members.text(value, "mediaType") ?? "")
  return match?.[1] ?? match?.[2] ?? null
}

/** Whether an object is a bundle: by its media type, or by its members. */
export const isBundle = (value: JsonObject): boolean =>
  versionOf(value) !== null ||
  (Object.hasOwn(value, "verificationMaterial") &&
    (Object.hasOwn(value, "dsseEnvelope") || Object.hasOwn(value, "messageSignature")))

/** The names of algorithms of digests, and the number of their bytes. */
const ALGORITHMS: ReadonlyMap<string, { readonly name: string; readonly size: number }> = new Map([
  ["SHA2_256", { name: "sha256", size: 32 }],
  ["SHA2_384", { name: "sha384", size: 48 }],
  ["SHA2_512", { name: "sha512", size: 64 }]
])

const lists = (material: JsonObject): ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> => [
  ["certificates", Members.list(Members.object(material, "x509CertificateChain"), "certificates")],
  ["tlogEntries", Members.list(material, "tlogEntries")],
  [
    "rfc3161Timestamps",
    Members.list(Members.object(material, "timestampVerificationData"), "rfc3161Timestamps")
  ]
]

const checkMaterial = (value: JsonObject): Either.Either<void, EvidenceProblem> => {
  const long = lists(Members.object(value, "verificationMaterial")).find(
    ([, items]) => items.length > MATERIAL_MAX
  )
  return long === undefined
    ? Either.void
    : Either.left(Problem.unreadable(`${long[0]} has more than ${MATERIAL_MAX} items`))
}

/** The subject of a bundle of a bare file: the digest of the file. */
const fileSubject = (value: JsonObject) => {
  const digest = Members.object(Members.object(value, "messageSignature"), "messageDigest")
  const at = "messageSignature.messageDigest"
  const algorithm = ALGORITHMS.get(Members.text(digest, "algorithm") ?? "")
  if (algorithm === undefined)
    return Either.left(Problem.unreadable(`${at}.algorithm is not one of SHA-2`))
  return Either.flatMap(DsseEnvelope.bytesOf(digest, "digest", `${at}.digest`), (bytes) =>
    bytes.length === algorithm.size
      ? Either.right({
          name: null,
          digest: Members.dictionary([[algorithm.name, Buffer.from(bytes).toString("hex")]])
        })
      : Either.left(Problem.unreadable(`${at}.digest is not ${algorithm.size} bytes`))
  )
}

const readFileSignature = (
  value: JsonObject,
  version: string | null
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> =>
  Either.map(fileSubject(value), (subject) => ({
    content: {
      facts: {
        kind: "signature",
        format: { name: NAME, version },
        tool: null,
        created_at: null,
        truncated: []
      },
      subjects: [subject]
    },
    signed: { kind: "sigstore", bundle: value, envelope: null },
    predicateType: null
  }))

const readEnvelope = (
  formats: Formats,
  value: JsonObject,
  version: string | null
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> =>
  Either.gen(function* () {
    const envelope = yield* DsseEnvelope.parse(Members.object(value, "dsseEnvelope"))
    const document = yield* Payload.read(formats, envelope)
    return {
      ...ReadDocument.inFormat(document, { name: NAME, version }),
      signed: { kind: "sigstore", bundle: value, envelope } as const
    }
  }).pipe(Either.mapLeft(Problem.within("dsseEnvelope")))

/** Reads a bundle, which has an envelope or the signature of a file. */
export const read = (
  formats: Formats,
  value: JsonObject
): Either.Either<ReadDocument.ReadDocument, EvidenceProblem> => {
  const hasEnvelope = Members.has(value, "dsseEnvelope")
  if (hasEnvelope === Members.has(value, "messageSignature"))
    return Either.left(
      Problem.unreadable("the bundle has not one of dsseEnvelope, messageSignature")
    )
  return Either.flatMap(checkMaterial(value), () =>
    hasEnvelope
      ? readEnvelope(formats, value, versionOf(value))
      : readFileSignature(value, versionOf(value))
  )
}

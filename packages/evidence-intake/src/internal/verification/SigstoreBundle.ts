/**
 * A Sigstore bundle, read from the JSON value of a file within limits.
 *
 * WHY: the library turns every member into bytes or text whatever its type, so one number can cost a gigabyte. It gets
 * the members that this module has checked, and no others.
 */

import type { VerificationReason } from "@attestry/core/EvidenceVerification"
import { type Bundle, bundleFromJSON, ValidationError } from "@sigstore/bundle"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** The most signatures, certificates, log entries and timestamps, each. */
export const ITEMS_MAX = 16
/** The most characters of a certificate, timestamp, signature or checkpoint. */
export const ITEM_LENGTH_MAX = 65_536
/** The most characters of an integer of 64 bits. */
const INTEGER_LENGTH_MAX = 20
/** The most hashes of an inclusion proof: a log has less than 2^64 entries. */
const HASHES_MAX = 64

const Item = Schema.String.pipe(Schema.maxLength(ITEM_LENGTH_MAX))
const Integer = Schema.Union(
  Schema.String.pipe(Schema.maxLength(INTEGER_LENGTH_MAX), Schema.pattern(/^-?\d+$/)),
  Schema.Int
)
const Word = Schema.Union(Item, Schema.Number)

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))
const items = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.Array(schema).pipe(Schema.maxItems(ITEMS_MAX))

const Certificate = Schema.Struct({ rawBytes: Item })

const InclusionProof = Schema.Struct({
  logIndex: optional(Integer),
  rootHash: optional(Item),
  treeSize: optional(Integer),
  hashes: optional(Schema.Array(Item).pipe(Schema.maxItems(HASHES_MAX))),
  checkpoint: optional(Schema.Struct({ envelope: optional(Item) }))
})

const LogEntry = Schema.Struct({
  logIndex: optional(Integer),
  logId: optional(Schema.Struct({ keyId: Item })),
  kindVersion: optional(Schema.Struct({ kind: Item, version: Item })),
  integratedTime: optional(Integer),
  inclusionPromise: optional(Schema.Struct({ signedEntryTimestamp: Item })),
  inclusionProof: optional(InclusionProof),
  canonicalizedBody: optional(Schema.String)
})

const Material = Schema.Struct({
  publicKey: optional(Schema.Struct({ hint: optional(Item) })),
  x509CertificateChain: optional(Schema.Struct({ certificates: items(Certificate) })),
  certificate: optional(Certificate),
  tlogEntries: optional(items(LogEntry)),
  timestampVerificationData: optional(
    Schema.Struct({ rfc3161Timestamps: optional(items(Schema.Struct({ signedTimestamp: Item }))) })
  )
})

const Envelope = Schema.Struct({
  payload: Schema.String,
  payloadType: Schema.String,
  signatures: items(Schema.Struct({ sig: Item, keyid: optional(Item) }))
})

const MessageSignature = Schema.Struct({
  messageDigest: Schema.Struct({ algorithm: Word, digest: Item }),
  signature: Item
})

const File = Schema.Struct({
  mediaType: Item,
  verificationMaterial: Material,
  dsseEnvelope: optional(Envelope),
  messageSignature: optional(MessageSignature)
})

type File = typeof File.Type

const decode = Schema.decodeUnknownEither(File)

const countOf = (members: ReadonlyArray<unknown>): number =>
  members.filter((member) => member !== undefined && member !== null).length

/**
 * Whether each choice of the format is made once.
 *
 * WHY: of two contents or two signers the library takes the first in its own order, and a reader may take the other.
 */
const isChosen = ({ dsseEnvelope, messageSignature, verificationMaterial }: File): boolean => {
  const { publicKey, x509CertificateChain, certificate } = verificationMaterial
  return (
    countOf([dsseEnvelope, messageSignature]) === 1 &&
    countOf([publicKey, x509CertificateChain, certificate]) === 1
  )
}

const reasonOf = (error: unknown): VerificationReason =>
  error instanceof ValidationError &&
  error.fields.every((field) => /\.inclusion(Proof|Promise)/.test(field))
    ? "bad_log_proof"
    : "malformed"

/** Reads a bundle. Every proof of inclusion in it has a checkpoint. */
export const read = (value: unknown): Either.Either<Bundle, VerificationReason> => {
  const file = decode(value)
  if (Either.isLeft(file) || !isChosen(file.right)) return Either.left("malformed")
  const entries = file.right.verificationMaterial.tlogEntries ?? []
  const isComplete = entries.every(
    ({ inclusionProof }) =>
      inclusionProof === undefined || inclusionProof === null || inclusionProof.checkpoint
  )
  if (!isComplete) return Either.left("bad_log_proof")
  return Either.try({ try: () => bundleFromJSON(file.right), catch: reasonOf })
}

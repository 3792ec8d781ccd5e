/** The envelope of DSSE: its members, without reading the payload and without checking signatures. */
import * as Either from "effect/Either"
import type { Envelope, EnvelopeSignature } from "../../EvidenceDocument.js"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Base64 from "../Base64.js"
import type { JsonObject } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"

/** The name of the format in facts and messages. */
export const NAME = "dsse"

/** The most signatures of an envelope. */
export const SIGNATURES_MAX = 16

/** Whether an object is an envelope. */
export const isEnvelope = (value: JsonObject): boolean =>
  ["payloadType", "payload", "signatures"].every((name) => Object.hasOwn(value, name))

/** The bytes of a member in base64. */
export const bytesOf = (
  parent: JsonObject,
  name: string,
  at: string
): Either.Either<Uint8Array, EvidenceProblem> => {
  const text = Members.of(parent, name)
  const bytes = typeof text === "string" ? Base64.decode(text) : null
  return bytes === null
    ? Either.left(Problem.unreadable(`${at} is not base64`))
    : Either.right(bytes)
}

const signatureOf = (
  value: unknown,
  at: string
): Either.Either<EnvelopeSignature, EvidenceProblem> => {
  if (!Members.isObject(value)) return Either.left(Problem.unreadable(`${at} is not an object`))
  if (Members.has(value, "keyid") && typeof Members.of(value, "keyid") !== "string")
    return Either.left(Problem.unreadable(`${at}.keyid is not a text`))
  return Either.map(bytesOf(value, "sig", `${at}.sig`), (bytes) => ({
    keyId: Members.text(value, "keyid"),
    bytes
  }))
}

const signaturesOf = (
  value: JsonObject
): Either.Either<ReadonlyArray<EnvelopeSignature>, EvidenceProblem> => {
  const signatures = Members.of(value, "signatures")
  if (!Array.isArray(signatures)) return Either.left(Problem.unreadable("signatures is not a list"))
  if (signatures.length === 0) return Either.left(Problem.unreadable("signatures is empty"))
  return signatures.length > SIGNATURES_MAX
    ? Either.left(Problem.unreadable(`signatures has more than ${SIGNATURES_MAX} items`))
    : Either.all(signatures.map((each, index) => signatureOf(each, `signatures[${index}]`)))
}

/** The members of an envelope. */
export const parse = (value: JsonObject): Either.Either<Envelope, EvidenceProblem> =>
  Either.gen(function* () {
    const payloadType = Members.text(value, "payloadType")
    if (payloadType === null)
      return yield* Either.left(Problem.unreadable("payloadType is not a text"))
    const payload = yield* bytesOf(value, "payload", "payload")
    return { payloadType, payload, signatures: yield* signaturesOf(value) }
  })

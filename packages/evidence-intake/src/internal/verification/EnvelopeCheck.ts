/**
 * The signatures of an envelope of DSSE with the keys of the trust policy.
 *
 * Every signature must be by a key of the policy: one that is not is a wrong signature if its key id names a key, and
 * cannot be verified otherwise. So a key that is taken out of the policy makes nothing verified.
 */
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import { dsse } from "@sigstore/core"
import * as Either from "effect/Either"
import type { Envelope, EnvelopeSignature } from "../../EvidenceDocument.js"
import * as VerificationKey from "../../verification/VerificationKey.js"
import * as KeySignature from "./KeySignature.js"
import * as SignatureCheck from "./SignatureCheck.js"

/** A key of the policy that can verify signatures. */
export interface PolicyKey extends VerificationKey.VerificationKey {
  readonly id: string
  /** Whether it counts now; a key that has ended still explains a signature. */
  readonly isCurrent: boolean
}

/** The keys of a policy at an instant in epoch seconds; a key that cannot be used is left out. */
export const policyKeys = (policy: TrustPolicyDocument, now: number): ReadonlyArray<PolicyKey> =>
  policy.keys.flatMap(({ id, publicKey, validUntil }) => {
    const read = VerificationKey.fromPem(publicKey)
    const isCurrent = validUntil === null || now < validUntil
    return Either.isRight(read) ? [{ ...read.right, id, isCurrent }] : []
  })

/** The bytes that the signatures of an envelope are over. */
export const signedBytes = ({ payloadType, payload }: Envelope): Uint8Array =>
  dsse.preAuthEncoding(payloadType, Buffer.from(payload))

/** Why a signature is by no key. */
export const notByKey = (
  keyId: string | null,
  policy: TrustPolicyDocument
): SignatureCheck.SignatureCheck =>
  policy.keys.some((key) => key.id === keyId)
    ? SignatureCheck.failed("bad_signature")
    : SignatureCheck.unverifiable("unknown_key")

/** Checks every signature of an envelope, of which there is at least one. */
export const check = (
  envelope: Envelope,
  policy: TrustPolicyDocument,
  now: number
): SignatureCheck.SignatureCheck => {
  const keys = policyKeys(policy, now)
  const data = signedBytes(envelope)
  const holders = ({ bytes }: EnvelopeSignature) =>
    keys.filter((key) => KeySignature.holds(key, { data, signature: bytes }))
  const checked = envelope.signatures.map((signature) => ({
    keyId: signature.keyId,
    holders: holders(signature)
  }))
  const refused = checked
    .filter((signature) => signature.holders.length === 0)
    .map((signature) => notByKey(signature.keyId, policy))
  const wrong = refused.find((result) => result.kind === "refused" && result.state === "failed")
  if (wrong !== undefined) return wrong
  const [first, ...others] = checked
    .flatMap((signature) => signature.holders)
    .filter((key) => key.isCurrent)
  if (refused.length > 0 || first === undefined) return SignatureCheck.unverifiable("unknown_key")
  return {
    kind: "proven",
    proven: [{ signer: { kind: "keys", keys: [first, ...others] }, signedAt: null, log: null }]
  }
}

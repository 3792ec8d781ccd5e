/** The result of checking signatures before the rules of the trust policy are asked. */
import type {
  EvidenceVerification,
  Signer,
  VerificationReason
} from "@attestry/core/EvidenceVerification"
import { UNSIGNED } from "@attestry/core/EvidenceVerification"

/** The identity in a certificate. */
export type SigstoreIdentity = Extract<Signer, { readonly kind: "sigstore" }>

/** A key of the policy that signed. */
export interface SigningKey {
  readonly id: string
  /** Two ids of one key have one fingerprint. */
  readonly fingerprint: string
}

/** Signers whose signatures hold. */
export type ProvenSigner =
  | { readonly kind: "keys"; readonly keys: readonly [SigningKey, ...ReadonlyArray<SigningKey>] }
  | { readonly kind: "sigstore"; readonly identity: SigstoreIdentity; readonly root: string }

/** A signature that holds; the log and the time are attested by a trust root. */
export interface ProvenSignature {
  readonly signer: ProvenSigner
  readonly signedAt: number | null
  readonly log: EvidenceVerification["log"]
}

/** Why no signature holds. */
export interface Refused {
  readonly state: "failed" | "unverifiable"
  readonly reason: VerificationReason
}

/** The ways in which the signatures of a document hold, one for each trust root, or why they do not. */
export type SignatureCheck =
  | {
      readonly kind: "proven"
      readonly proven: readonly [ProvenSignature, ...ReadonlyArray<ProvenSignature>]
    }
  | ({ readonly kind: "refused" } & Refused)

/** Something in the file is wrong. */
export const failed = (reason: VerificationReason): SignatureCheck => ({
  kind: "refused",
  state: "failed",
  reason
})

/** Something that the check needs is not known here. */
export const unverifiable = (reason: VerificationReason): SignatureCheck => ({
  kind: "refused",
  state: "unverifiable",
  reason
})

/** The result of a check whose signatures do not hold. */
export const ofRefused = ({ state, reason }: Refused): EvidenceVerification => ({
  ...UNSIGNED,
  state,
  reason
})

/** The signer on the wire; of several keys the first. */
export const wireSigner = (signer: ProvenSigner): Signer =>
  signer.kind === "keys" ? { kind: "key", key_id: signer.keys[0].id } : signer.identity

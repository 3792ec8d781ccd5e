/**
 * The result of checking the signatures of an evidence file: a state, the reason for any state but `verified`, the
 * signer, and the rule of the trust policy that applied.
 */
import * as Schema from "effect/Schema"

/**
 * The states. `verified`: a signature holds and a rule trusts its signer with this content. `untrusted`: the
 * signature holds, but no rule trusts the signer with this content. `unverifiable`: a key, root, timestamp or log entry
 * that the check needs is not known. `unsigned`: there is no signature. `failed`: a signature, certificate, proof or
 * timestamp is wrong, or contradicts the content.
 */
export const VerificationState = Schema.Literal(
  "verified",
  "untrusted",
  "unverifiable",
  "unsigned",
  "failed"
).annotations({ identifier: "VerificationState" })
/** A state of verification. */
export type VerificationState = typeof VerificationState.Type

/** The reasons for states other than `verified`. `no_rule` and the mismatches belong to `untrusted`. */
export const VerificationReason = Schema.Literal(
  "bad_signature",
  "bad_certificate",
  "expired_certificate",
  "bad_timestamp",
  "bad_log_proof",
  "log_mismatch",
  "unknown_key",
  "unknown_root",
  "unknown_log",
  "no_timestamp",
  "no_rule",
  "builder_mismatch",
  "source_mismatch",
  "parameters_mismatch",
  "flow_mismatch",
  "threshold",
  "malformed"
).annotations({ identifier: "VerificationReason" })
/** A reason for a state other than `verified`. */
export type VerificationReason = typeof VerificationReason.Type

/** A key of the trust policy that signed. */
const KeySigner = Schema.Struct({ kind: Schema.Literal("key"), key_id: Schema.String })

/** The identity in the certificate of a Sigstore signature; absent extensions are null. */
const SigstoreSigner = Schema.Struct({
  kind: Schema.Literal("sigstore"),
  issuer: Schema.NullOr(Schema.String),
  san: Schema.NullOr(Schema.String),
  source_repository: Schema.NullOr(Schema.String),
  source_repository_id: Schema.NullOr(Schema.String),
  source_ref: Schema.NullOr(Schema.String),
  build_signer: Schema.NullOr(Schema.String),
  trigger: Schema.NullOr(Schema.String),
  runner: Schema.NullOr(Schema.String)
})

/** Who signed. */
export const Signer = Schema.Union(KeySigner, SigstoreSigner).annotations({
  identifier: "EvidenceSigner"
})
/** Who signed. */
export type Signer = typeof Signer.Type

/** The result of checking the signatures of a file. */
export const EvidenceVerification = Schema.Struct({
  state: VerificationState,
  /** Null for `verified` and `unsigned`. */
  reason: Schema.NullOr(VerificationReason),
  /** The name of the rule that applied; null for every state but `verified`. */
  rule: Schema.NullOr(Schema.String),
  /** Null if no signature holds. */
  signer: Schema.NullOr(Signer),
  /** When it was signed, in epoch seconds, as a log or a timestamp authority attests it; null without one. */
  signed_at: Schema.NullOr(Schema.Number),
  /** The name of the trust root; null for keys. */
  root: Schema.NullOr(Schema.String),
  /** The entry of the transparency log; null without one. */
  log: Schema.NullOr(Schema.Struct({ origin: Schema.String, index: Schema.String }))
}).annotations({ identifier: "EvidenceVerification" })
/** The result of checking the signatures of a file. */
export type EvidenceVerification = typeof EvidenceVerification.Type

/** The result for a file without a signature. */
export const UNSIGNED: EvidenceVerification = {
  state: "unsigned",
  reason: null,
  rule: null,
  signer: null,
  signed_at: null,
  root: null,
  log: null
}

/**
 * The result for an artifact of a flow: a rule for other flows does not trust the signer with it. `flows` are those
 * of the rule that applied; null for all.
 */
export const inFlow = (
  verification: EvidenceVerification,
  flows: ReadonlyArray<string> | null,
  flow: string
): EvidenceVerification =>
  verification.state !== "verified" || flows === null || flows.includes(flow)
    ? verification
    : { ...verification, state: "untrusted", reason: "flow_mismatch", rule: null }

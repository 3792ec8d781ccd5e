/** Sentences about a verification: its state, the reason, and what to do next. Pure. */
import type { EvidenceVerification, VerificationReason } from "@attestry/core/EvidenceVerification"

const REASONS: { readonly [reason in VerificationReason]: string } = {
  bad_signature: "a signature does not hold over this content",
  bad_certificate: "the certificate does not lead to a trust root",
  expired_certificate: "the certificate was not valid when it was signed",
  bad_timestamp: "a timestamp does not hold",
  bad_log_proof: "the proof of the transparency log does not hold",
  log_mismatch: "the entry of the transparency log is about something else",
  unknown_key: "no key of the trust policy has signed it",
  unknown_root: "its trust root is not known here: give it with --trust-root NAME=FILE",
  unknown_log: "its transparency log is not known here: the trust root may be too old",
  no_timestamp: "it has no timestamp that can be checked",
  no_rule: "the signature holds, but no rule of the trust policy names its signer for this",
  builder_mismatch: "the signature holds, but the builder is not that of the rule",
  source_mismatch: "the signature holds, but the source is not that of the rule",
  parameters_mismatch: "the signature holds, but the parameters are not those of the rule",
  flow_mismatch: "the signature holds, but the rule speaks about other flows",
  threshold: "fewer keys have signed it than the rule asks for",
  malformed: "a part of the signature cannot be read"
}

/** The sentence for a reason. */
export const ofReason = (reason: VerificationReason): string => REASONS[reason]

/** Reasons whose sentence for this machine does not fit the server, which has trust roots of its own. */
const ON_SERVER: ReadonlyMap<VerificationReason, string> = new Map<VerificationReason, string>([
  ["unknown_root", "its trust root is not known to the server"],
  ["unknown_log", "its transparency log is not known to the server: its trust root may be too old"]
])

/** The signer, as people know it; null if no signature holds. */
export const ofSigner = ({ signer }: EvidenceVerification): string | null => {
  if (signer === null) return null
  return signer.kind === "key" ? `key ${signer.key_id}` : (signer.san ?? signer.issuer ?? "unknown")
}

/** The sentence for a verification that is not `verified`. */
export const ofProblem = ({ reason, state }: EvidenceVerification): string =>
  reason === null ? (state === "unsigned" ? "it has no signature" : state) : ofReason(reason)

/** The same sentence for a verification by the server. */
export const ofServerProblem = (verification: EvidenceVerification): string => {
  const { reason } = verification
  return (reason === null ? undefined : ON_SERVER.get(reason)) ?? ofProblem(verification)
}

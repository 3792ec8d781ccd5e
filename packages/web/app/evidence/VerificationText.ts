/** A verification in words: its state, the reason, what to do, and the signer. */
import type {
  EvidenceVerification,
  VerificationReason,
  VerificationState
} from "@attestry/core/EvidenceVerification"
import type { Verdict } from "../shared/Verdict.js"

/** The states, in the order of a filter. */
export const STATES: ReadonlyArray<readonly [VerificationState, string]> = [
  ["verified", "verified"],
  ["untrusted", "not trusted"],
  ["unverifiable", "cannot be checked"],
  ["unsigned", "not signed"],
  ["failed", "failed"]
]

const WORDS: ReadonlyMap<string, string> = new Map(STATES)

/** The words for a state. */
export const stateText = (state: VerificationState): string => WORDS.get(state) ?? state

/** The mark for a state. */
export const markOf = (state: VerificationState): Verdict => {
  if (state === "verified") return "compliant"
  return state === "failed" || state === "untrusted" ? "non-compliant" : "unknown"
}

const REASONS: { readonly [reason in VerificationReason]: readonly [why: string, next: string] } = {
  bad_signature: [
    "a signature does not hold over this content",
    "The file or its signature was changed: send the file again as its tool made it."
  ],
  bad_certificate: [
    "the certificate does not lead to a trust root",
    "Sign with a certificate of a trust root that this server has."
  ],
  expired_certificate: [
    "the certificate was not valid when it was signed",
    "Sign the file again with a valid certificate."
  ],
  bad_timestamp: [
    "a timestamp does not hold",
    "Sign the file again; the timestamp is about something else or was changed."
  ],
  bad_log_proof: [
    "the proof of the transparency log does not hold",
    "Sign the file again; its proof was changed or is incomplete."
  ],
  log_mismatch: [
    "the entry of the transparency log is about something else",
    "Sign the file again; its signature and its log entry do not belong together."
  ],
  unknown_key: [
    "no key of the trust policy has signed it",
    "Add the public key of the signer to the trust policy, with a rule that names it."
  ],
  unknown_root: [
    "its trust root is not known here",
    "The operator of the server adds the trust root."
  ],
  unknown_log: [
    "its transparency log is not known here",
    "The trust root may be too old: the operator of the server renews it."
  ],
  no_timestamp: [
    "it has no timestamp that can be checked",
    "Sign with a timestamp authority or a transparency log."
  ],
  no_rule: [
    "the signature holds, but no rule of the trust policy names its signer for this",
    "If you trust this signer, add a rule to the trust policy."
  ],
  builder_mismatch: [
    "the signature holds, but the builder is not that of the rule",
    "Compare the builder below with the rule of the trust policy."
  ],
  source_mismatch: [
    "the signature holds, but the source is not that of the rule",
    "Compare the source below with the rule of the trust policy."
  ],
  parameters_mismatch: [
    "the signature holds, but the parameters are not those of the rule",
    "Compare the parameters of the build with the rule of the trust policy."
  ],
  flow_mismatch: [
    "the signature holds, but the rule speaks about other flows",
    "Add the flow to the rule of the trust policy, or report to a flow of the rule."
  ],
  threshold: [
    "fewer keys have signed it than the rule asks for",
    "Let the other holders of keys sign the file too."
  ],
  malformed: ["a part of the signature cannot be read", "Send the file again as its tool made it."]
}

/** Why a document is not verified; null for one that is. */
export const reasonText = ({ reason, state }: EvidenceVerification): string | null => {
  if (reason !== null) return REASONS[reason][0]
  return state === "unsigned" ? "it has no signature" : null
}

/** What to do about a document that is not verified; null for one that is. */
export const nextText = ({ reason, state }: EvidenceVerification): string | null => {
  if (reason !== null) return REASONS[reason][1]
  return state === "unsigned"
    ? "Sign the file where it is made, if a policy asks for verified evidence."
    : null
}

/** The signer, as people know it; null if no signature holds. */
export const signerText = ({ signer }: EvidenceVerification): string | null => {
  if (signer === null) return null
  if (signer.kind === "key") return `key ${signer.key_id}`
  const name = signer.san ?? "an identity without a name"
  return signer.issuer === null ? name : `${name}, by ${signer.issuer}`
}

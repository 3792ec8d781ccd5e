/** The verification of a document whose signatures hold: by the first rule that fits, else the nearest miss. */
import type { EvidenceVerification, VerificationReason } from "@attestry/core/EvidenceVerification"
import type { TrustRule } from "@attestry/core/TrustPolicyDocument"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import * as RuleMatch from "./RuleMatch.js"
import type { ProvenSignature } from "./SignatureCheck.js"
import * as SignatureCheck from "./SignatureCheck.js"

/** What rules are asked about. */
export interface Question {
  readonly document: EvidenceDocument
  readonly proven: readonly [ProvenSignature, ...ReadonlyArray<ProvenSignature>]
  readonly flows: ReadonlyArray<string> | undefined
}

/** A verification, and the build level of the rule that applied. */
export interface Judgement {
  readonly verification: EvidenceVerification
  readonly buildLevel: number | null
}

const verificationOf = (
  { signer, signedAt, log }: ProvenSignature,
  outcome: Pick<EvidenceVerification, "state" | "reason" | "rule">
): EvidenceVerification => ({
  ...outcome,
  signer: SignatureCheck.wireSigner(signer),
  signed_at: signedAt,
  root: signer.kind === "sigstore" ? signer.root : null,
  log
})

/** The signature with the keys of the rule first, so that the result names one of them. */
const withKeysOf = ({ signer: trusted }: TrustRule, proven: ProvenSignature): ProvenSignature => {
  if (trusted.kind !== "keys" || proven.signer.kind !== "keys") return proven
  const [first, ...others] = proven.signer.keys.filter((key) => trusted.keys.includes(key.id))
  return first === undefined
    ? proven
    : { ...proven, signer: { kind: "keys", keys: [first, ...others] } }
}

/** Asks the rules in their order. */
export const judge = (rules: ReadonlyArray<TrustRule>, question: Question): Judgement => {
  const { document, flows } = question
  let nearest: {
    readonly met: number
    readonly reason: VerificationReason
    readonly proven: ProvenSignature
  } = {
    met: -1,
    reason: "no_rule",
    proven: question.proven[0]
  }
  for (const rule of rules)
    for (const proven of question.proven) {
      const miss = RuleMatch.mismatch(rule, { document, signer: proven.signer, flows })
      if (miss === null) {
        const outcome = { state: "verified", reason: null, rule: rule.name } as const
        return {
          verification: verificationOf(withKeysOf(rule, proven), outcome),
          buildLevel: rule.buildLevel
        }
      }
      if (miss.met > nearest.met) nearest = { ...miss, proven }
    }
  const outcome = { state: "untrusted", reason: nearest.reason, rule: null } as const
  return { verification: verificationOf(nearest.proven, outcome), buildLevel: null }
}

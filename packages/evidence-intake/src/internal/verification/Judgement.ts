/** The verification of a document whose signatures hold: by the first rule that fits, else the nearest miss. */
import type { EvidenceVerification, VerificationReason } from "@attestry/core/EvidenceVerification"
import type { TrustRule } from "@attestry/core/TrustPolicyDocument"
import type { EvidenceDocument } from "../../EvidenceDocument.js"
import * as RuleMatch from "./RuleMatch.js"
import type { Held } from "./SignatureCheck.js"
import * as SignatureCheck from "./SignatureCheck.js"

/** What rules are asked about. */
export interface Question {
  readonly document: EvidenceDocument
  readonly held: readonly [Held, ...ReadonlyArray<Held>]
  readonly flows: ReadonlyArray<string> | undefined
}

/** A verification, and the build level of the rule that applied. */
export interface Judgement {
  readonly verification: EvidenceVerification
  readonly buildLevel: number | null
}

const verificationOf = (
  { signer, signedAt, log }: Held,
  outcome: Pick<EvidenceVerification, "state" | "reason" | "rule">
): EvidenceVerification => ({
  ...outcome,
  signer: SignatureCheck.wireSigner(signer),
  signed_at: signedAt,
  root: signer.kind === "sigstore" ? signer.root : null,
  log
})

/** The signature with the keys of the rule first, so that the result names one of them. */
const withKeysOf = ({ signer: trusted }: TrustRule, held: Held): Held => {
  if (trusted.kind !== "keys" || held.signer.kind !== "keys") return held
  const [first, ...others] = held.signer.keys.filter((key) => trusted.keys.includes(key.id))
  return first === undefined
    ? held
    : { ...held, signer: { kind: "keys", keys: [first, ...others] } }
}

/** Asks the rules in their order. */
export const judge = (rules: ReadonlyArray<TrustRule>, question: Question): Judgement => {
  const { document, flows } = question
  let nearest: { readonly met: number; readonly reason: VerificationReason; readonly held: Held } =
    {
      met: -1,
      reason: "no_rule",
      held: question.held[0]
    }
  for (const rule of rules)
    for (const held of question.held) {
      const miss = RuleMatch.mismatch(rule, { document, signer: held.signer, flows })
      if (miss === null) {
        const outcome = { state: "verified", reason: null, rule: rule.name } as const
        return {
          verification: verificationOf(withKeysOf(rule, held), outcome),
          buildLevel: rule.buildLevel
        }
      }
      if (miss.met > nearest.met) nearest = { ...miss, held }
    }
  const outcome = { state: "untrusted", reason: nearest.reason, rule: null } as const
  return { verification: verificationOf(nearest.held, outcome), buildLevel: null }
}

/**
 * Verifies the signatures of a document with a trust policy and trust roots.
 *
 * It is total, synchronous and without network. A document is `verified` if every signature rule holds and a rule of
 * the policy trusts the signer with the content; whatever is in doubt is another state.
 */
import { type EvidenceVerification, UNSIGNED } from "@attestry/core/EvidenceVerification"
import * as Timestamp from "@attestry/core/Timestamp"
import type { TrustPolicyDocument } from "@attestry/core/TrustPolicyDocument"
import type { EvidenceDocument } from "../EvidenceDocument.js"
import * as EnvelopeCheck from "../internal/verification/EnvelopeCheck.js"
import * as Judgement from "../internal/verification/Judgement.js"
import * as SignatureCheck from "../internal/verification/SignatureCheck.js"
import { ITEMS_MAX } from "../internal/verification/SigstoreBundle.js"
import * as SigstoreCheck from "../internal/verification/SigstoreCheck.js"
import type { TrustRoot } from "./TrustRoot.js"

/** The most signatures of an envelope. */
export const SIGNATURES_MAX = ITEMS_MAX

/** What documents are verified with. */
export interface TrustMaterial {
  readonly policy: TrustPolicyDocument
  /** Trust roots by the names that rules use. */
  readonly roots: ReadonlyMap<string, TrustRoot>
  readonly now: Timestamp.Timestamp
  /** The flows that the artifact belongs to; rules are not asked about flows without it. */
  readonly flows?: ReadonlyArray<string>
}

/** The verification of a document. */
export interface VerifiedEvidence {
  readonly verification: EvidenceVerification
  /** The build level that the rule gives; null unless `verified`. */
  readonly buildLevel: number | null
}

const checkOf = (
  document: EvidenceDocument,
  { policy, roots, now }: TrustMaterial
): SignatureCheck.SignatureCheck | null => {
  const { signed } = document
  const seconds = Timestamp.toSeconds(now)
  switch (signed.kind) {
    case "none":
      return null
    case "dsse": {
      const count = signed.envelope.signatures.length
      if (count === 0) return null
      if (count > SIGNATURES_MAX) return SignatureCheck.failed("malformed")
      return EnvelopeCheck.check(signed.envelope, policy, seconds)
    }
    case "sigstore":
      return SigstoreCheck.check(document, signed, { policy, roots, now: seconds })
  }
}

/** Verifies a document: its signatures, then the rules of the policy in their order. */
export const verify = (document: EvidenceDocument, material: TrustMaterial): VerifiedEvidence => {
  const check = checkOf(document, material)
  if (check === null) return { verification: UNSIGNED, buildLevel: null }
  if (check.kind === "refused")
    return { verification: SignatureCheck.ofRefused(check), buildLevel: null }
  const { policy, flows } = material
  return Judgement.judge(policy.rules, { document, proven: check.proven, flows })
}

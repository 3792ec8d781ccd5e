/** A decision attestation read as an answer about a control. SPEC §2.11 */
import * as Option from "effect/Option"
import * as DecisionAnswer from "../attestation/internal/DecisionAnswer.js"
import type { AttestationView } from "../compliance/AttestationViews.js"

/** An answer about a control, and where it was given. */
export interface ControlDecision extends AttestationView, DecisionAnswer.DecisionAnswer {
  /** The name of the artifact that it is about, where it is about one. */
  readonly artifactName: string | null
}

/** The answers among attestations, in their order; `artifactName` knows what they are about. */
export const read = (
  views: ReadonlyArray<AttestationView>,
  artifactName: (view: AttestationView) => string | null
): ReadonlyArray<ControlDecision> =>
  views.flatMap((view) =>
    Option.match(DecisionAnswer.of(view.attestation), {
      onNone: () => [],
      onSome: (answer) => [{ ...view, ...answer, artifactName: artifactName(view) }]
    })
  )

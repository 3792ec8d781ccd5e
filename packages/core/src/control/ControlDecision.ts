/** A decision attestation as a decision about a control. SPEC §2.11 */
import * as Option from "effect/Option"
import * as DecidedControl from "../attestation/internal/DecidedControl.js"
import type { AttestationView } from "../compliance/AttestationViews.js"

/** A decision about a control, with its flow and trail. */
export interface ControlDecision extends AttestationView, DecidedControl.DecidedControl {
  /** The name of its artifact; null when it has none. */
  readonly artifactName: string | null
}

/** The decisions among attestations, in their order; `artifactName` gives the names of artifacts. */
export const read = (
  views: ReadonlyArray<AttestationView>,
  artifactName: (view: AttestationView) => string | null
): ReadonlyArray<ControlDecision> =>
  views.flatMap((view) =>
    Option.match(DecidedControl.of(view.attestation), {
      onNone: () => [],
      onSome: (answer) => [{ ...view, ...answer, artifactName: artifactName(view) }]
    })
  )

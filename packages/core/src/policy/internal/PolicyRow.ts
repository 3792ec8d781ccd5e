/**
 * One artifact while it is being judged: its flows, and the parts of answers that rules share.
 *
 * Most rules come out the same way in most flows, so resolutions are made once per row and handed to
 * every decision that needs them. INVARIANT: nothing here outlives one evaluation but the answers.
 */
import type { Resolution, ResolutionContext, ResolutionType } from "../PolicyDecision.js"
import type { Facts, FlowView } from "../PolicyFacts.js"
import type { Answer, Frame } from "./PolicyExpressionTests.js"

/** How a rule came out, as a number that costs nothing to compare; all from 2 on are failures. */
export type Outcome = 0 | 1 | 2 | 3 | 4 | 5

/** The rule does not apply. */
export const NOT_APPLICABLE = 0
/** The rule holds. */
export const SATISFIED = 1
/** No flow knows the artifact. */
export const MISSING_PROVENANCE = 2
/** The artifact is not compliant in its trail. */
export const NON_COMPLIANT_IN_TRAIL = 3
/** No attestation fits. */
export const MISSING_ATTESTATION = 4
/** Attestations fit, and what counts of them is not compliant. */
export const NON_COMPLIANT_ATTESTATION = 5

const TYPES: ReadonlyArray<ResolutionType> = [
  "rule_not_applicable",
  "rule_satisfied",
  "missing_provenance",
  "non_compliant_in_trail",
  "missing_attestation",
  "non_compliant_attestation"
]

/** How many answers of each kind a row has to remember. */
export interface Slots {
  readonly ofFlow: number
  readonly ofRow: number
  readonly evidence: number
  /** The controls that rules ask about; a rule's context is 0, 1 with the status, or 2 and its index. */
  readonly controls: ReadonlyArray<string>
}

/** The context of rules about attestations and provenance. */
export const CONTEXT_PLAIN = 0
/** The context of the trail-compliance rule, which shows the artifact's status. */
export const CONTEXT_STATUS = 1
/** The context of the rules about the first control; the others follow. */
export const CONTEXT_CONTROL = 2

/** What a rule looks at: one flow of a row, or the row without one. */
export interface RowFrame extends Frame {
  readonly flow: FlowView | null
  readonly evidence: Array<Outcome>
}

/** One artifact while it is being judged. */
export class Row {
  readonly frames: ReadonlyArray<RowFrame>
  readonly #controls: ReadonlyArray<string>
  readonly #resolutions: Array<ReadonlyArray<Resolution> | undefined>

  constructor({ artifact, flows }: Facts, slots: Slots) {
    const ofRow: Array<Answer | 0> = new Array(slots.ofRow).fill(0)
    const frame = (flow: FlowView | null): RowFrame => ({
      artifact,
      flow,
      ofFlow: new Array(slots.ofFlow).fill(0),
      ofRow,
      evidence: new Array(slots.evidence).fill(0)
    })
    // DECISION D6.11
    this.frames = flows.length === 0 ? [frame(null)] : flows.map(frame)
    this.#controls = slots.controls
    this.#resolutions = new Array((2 + slots.controls.length) * TYPES.length).fill(undefined)
  }

  /** The resolutions of a rule that comes out alike in every flow. */
  alike(context: number, outcome: Outcome): ReadonlyArray<Resolution> {
    const slot = context * TYPES.length + outcome
    const known = this.#resolutions[slot]
    if (known !== undefined) return known
    const type = TYPES[outcome] ?? "rule_not_applicable"
    const made = this.#contexts(context).map((one): Resolution => ({ type, context: one }))
    this.#resolutions[slot] = made
    return made
  }

  /** The resolutions of a rule that comes out differently in different flows. */
  mixed(context: number, outcomes: ReadonlyArray<Outcome>): ReadonlyArray<Resolution> {
    return outcomes.flatMap((outcome, index) => this.alike(context, outcome)[index] ?? [])
  }

  #contexts(context: number): ReadonlyArray<ResolutionContext> {
    const control = this.#controls[context - CONTEXT_CONTROL]
    return this.frames.map(({ flow }) => {
      const flow_name = flow === null ? null : flow.flow_name
      const trail_name = flow === null ? null : flow.trail_name
      const artifact_status =
        flow !== null && context === CONTEXT_STATUS ? flow.artifact_status : null
      return control === undefined
        ? { flow_name, trail_name, artifact_status }
        : { flow_name, trail_name, artifact_status, for_control: control }
    })
  }
}

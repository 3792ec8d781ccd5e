/**
 * One artifact during its evaluation: its flows, and the resolutions that rules share.
 *
 * Most rules have the same result in most flows, so resolutions are created once per row and shared by
 * decisions. INVARIANT: only resolutions outlive the evaluation.
 */
import type { Resolution, ResolutionContext, ResolutionType } from "../PolicyDecision.js"
import type { Facts, FlowView } from "../PolicyFacts.js"
import type { Frame, Memo } from "../PolicyPredicate.js"

/** The result of a rule as a number; from 2 on it is a failure. */
export type RuleResult = Memo[number]

/** The rule does not apply. */
export const NOT_APPLICABLE = 0
/** The rule is satisfied. */
export const SATISFIED = 1
/** No flow knows the artifact. */
export const MISSING_PROVENANCE = 2
/** The artifact is not compliant in its trail. */
export const NON_COMPLIANT_IN_TRAIL = 3
/** No attestation matches. */
export const MISSING_ATTESTATION = 4
/** Attestations match, and the deciding one is not compliant. */
export const NON_COMPLIANT_ATTESTATION = 5
/** The newest record of the flow is too old. */
export const PROVENANCE_EXPIRED = 6
/** Attestations count in favour, and all of them are too old. */
export const EVIDENCE_EXPIRED = 7

/** Attestations count in favour, and none of them is verified. */
export const UNVERIFIED_ATTESTATION = 8
/** Attestations count in favour, and the facts of none are as the rule asks. */
export const UNMET_FACTS = 9

const RESULTS = 10

const TYPES: { readonly [O in RuleResult]: ResolutionType } = [
  "rule_not_applicable",
  "rule_satisfied",
  "missing_provenance",
  "non_compliant_in_trail",
  "missing_attestation",
  "non_compliant_attestation",
  "provenance_expired",
  "evidence_expired",
  "unverified_attestation",
  "unmet_facts"
]

/** The context of rules about attestations and provenance. */
export const CONTEXT_PLAIN = 0
/** The context of the trail-compliance rule, which shows the artifact's status. */
export const CONTEXT_STATUS = 1
/** The context of the rules about the first control; those of the others follow. */
export const CONTEXT_CONTROL = 2

/** The memo slots of a set of policies. */
export interface Slots {
  readonly ofRow: number
  readonly ofFlow: number
  /** An empty memo of a row with one flow. */
  readonly blank: Readonly<Memo>
  /** The controls of rules, in the order of their contexts. */
  readonly controls: ReadonlyArray<string>
}

/** The inputs of a rule: one flow of a row, or the row without one. */
export interface RowFrame extends Frame {
  readonly flow: FlowView | null
}

const NONE: ReadonlyArray<never> = []

/** The resolutions of the first two contexts, not created yet. */
const UNMADE: ReadonlyArray<undefined> = new Array(CONTEXT_CONTROL * RESULTS).fill(undefined)

interface Contexts {
  readonly first: ResolutionContext
  readonly others: ReadonlyArray<ResolutionContext>
}

/** One artifact during its evaluation. */
export class Row {
  readonly first: RowFrame
  readonly others: ReadonlyArray<RowFrame>
  readonly memo: Memo
  private readonly slots: Slots
  private readonly contexts: Array<Contexts | undefined>
  private readonly resolutions: Array<ReadonlyArray<Resolution> | undefined>

  constructor({ artifact, flows }: Facts, slots: Slots) {
    const { blank, ofFlow, ofRow } = slots
    const memo: Memo = blank.slice()
    // Without a flow there is one frame, so that a rule always has a result.
    this.first = { artifact, flow: flows[0] ?? null, memo, base: ofRow }
    this.others = NONE
    this.memo = memo
    this.slots = slots
    this.contexts = [undefined, undefined]
    this.resolutions = UNMADE.slice()
    if (flows.length > 1) {
      // INVARIANT: the memo grows by one flow's slots for each flow after the first.
      for (let count = ofFlow * (flows.length - 1); count > 0; count--) memo.push(0)
      this.others = flows
        .slice(1)
        .map((flow, index) => ({ artifact, flow, memo, base: ofRow + ofFlow * (index + 1) }))
    }
  }

  /** Every flow in order, or the row without one. */
  get frames(): ReadonlyArray<RowFrame> {
    return [this.first, ...this.others]
  }

  /** The resolutions of a rule with the same result in every flow. */
  alike(context: number, result: RuleResult): ReadonlyArray<Resolution> {
    return this.resolutions[context * RESULTS + result] ?? this.makeAlike(context, result)
  }

  /** The resolution of a rule in one flow. */
  resolution(context: number, result: RuleResult, index: number): Resolution {
    // INVARIANT: there is one for every flow; the default is never used.
    return (
      this.alike(context, result)[index] ?? {
        type: TYPES[result],
        context: contextOf(null, context, undefined)
      }
    )
  }

  private makeAlike(context: number, result: RuleResult): ReadonlyArray<Resolution> {
    const type = TYPES[result]
    const { first, others } = this.contexts[context] ?? this.makeContexts(context)
    const made: Array<Resolution> = [{ type, context: first }]
    for (const other of others) made.push({ type, context: other })
    this.resolutions[context * RESULTS + result] = made
    return made
  }

  private makeContexts(context: number): Contexts {
    const control =
      context < CONTEXT_CONTROL ? undefined : this.slots.controls[context - CONTEXT_CONTROL]
    const first = contextOf(this.first.flow, context, control)
    const others =
      this.others.length === 0
        ? NONE
        : this.others.map(({ flow }) => contextOf(flow, context, control))
    const made = { first, others }
    this.contexts[context] = made
    return made
  }
}

const contextOf = (
  flow: FlowView | null,
  context: number,
  for_control: string | undefined
): ResolutionContext => {
  const flow_name = flow === null ? null : flow.flow_name
  const trail_name = flow === null ? null : flow.trail_name
  const artifact_status = flow !== null && context === CONTEXT_STATUS ? flow.artifact_status : null
  return for_control === undefined
    ? { flow_name, trail_name, artifact_status }
    : { flow_name, trail_name, artifact_status, for_control }
}

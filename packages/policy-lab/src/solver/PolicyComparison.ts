/**
 * Compares the artifacts that two policies accept: equivalent, stronger, weaker, incomparable, or unknown.
 * DECISIONS.md, "A claim about all facts is proven"
 *
 * Sound in both directions: an implication is claimed only when every possible cell is refuted, and a counterexample
 * only after the evaluator has shown it. Nothing is guessed beyond the limits.
 */

import * as MaxAge from "@attestry/core/MaxAge"
import * as Moment from "@attestry/core/Moment"
import { type Paused, runSync } from "@attestry/core/Paused"
import type { AttestationRule, PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { print } from "@attestry/core/PolicyExpression"
import type { Facts } from "@attestry/core/PolicyFacts"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import * as Timestamp from "@attestry/core/Timestamp"
import {
  atOnce,
  Budget,
  isImpossible,
  type Searched,
  searching
} from "./internal/ConditionSearch.js"
import * as Counterexample from "./internal/Counterexample.js"
import { FactSamples } from "./internal/FactSamples.js"
import * as RuleForce from "./internal/RuleForce.js"

/** The relation of a new policy to an old one. */
export type Relation = "equivalent" | "stronger" | "weaker" | "incomparable" | "unknown"

/** Facts that only one of two policies accepts, and why the other one does not. */
export interface Witness {
  readonly facts: Facts
  readonly reasons: ReadonlyArray<PolicyReason>
  /** The instant of the evaluation, in epoch seconds; only where a rule has a `max_age`. */
  readonly now?: number
}

/** Whether facts exist that only one of the policies accepts: null when there are none. */
export type Direction = Witness | null | "unknown"

/** The result of a comparison. */
export interface Comparison {
  readonly relation: Relation
  readonly acceptedByOldOnly: Direction
  readonly acceptedByNewOnly: Direction
  readonly rules: RuleChanges
}

/** The rules of the new text against those of the old, as one line each. */
export interface RuleChanges {
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly same: ReadonlyArray<string>
}

/** The number of rules whose evaluation on facts costs as much as one assignment. */
const RULES_PER_ASSIGNMENT = 4

/** A policy of a comparison, compiled once for both directions. */
interface Compared {
  readonly rules: ReadonlyArray<RuleForce.Rule>
  readonly compiled: PolicyEvaluation.CompiledPolicies
}

const comparedOf = (document: PolicyDocument): Compared => ({
  rules: RuleForce.rulesOf(document),
  compiled: PolicyEvaluation.compile([{ id: "policy", name: "policy", version: 0, document }])
})

const isAged = ({ rules }: Compared): boolean => rules.some(({ maxAge }) => maxAge !== undefined)

const MOMENT = Moment.at(Timestamp.fromSeconds(Counterexample.NOW))

/** The facts with everything reported at the instant of the evaluation that has no instant of its own. */
const timed = (facts: Facts): Facts => ({
  ...facts,
  flows: facts.flows.map((flow) => ({
    ...flow,
    reported_at: flow.reported_at ?? Counterexample.NOW,
    attestations: flow.attestations.map((fact) => ({
      ...fact,
      reported_at: fact.reported_at ?? Counterexample.NOW
    }))
  }))
})

/** Plays facts: what shows that only the first policy accepts them. */
const player = (first: Compared, second: Compared) => {
  const [accepting, refusing] = [first.compiled, second.compiled]
  const isTimed = isAged(first) || isAged(second)
  return (given: Facts): Witness | undefined => {
    const facts = isTimed ? timed(given) : given
    if (PolicyEvaluation.evaluate(accepting, facts, MOMENT).verdict !== "Compliant")
      return undefined
    const evaluation = PolicyEvaluation.evaluate(refusing, facts, MOMENT)
    if (evaluation.verdict !== "NonCompliant") return undefined
    const witness = { facts, reasons: PolicyEvaluation.reasons(refusing, evaluation) }
    return isTimed ? { ...witness, now: Counterexample.NOW } : witness
  }
}

type Play = ReturnType<typeof player>

interface Pair {
  readonly accepting: ReadonlyArray<RuleForce.Rule>
  readonly budget: Budget
  readonly play: Play
  readonly samples: FactSamples
  /** What playing facts costs in assignments. */
  readonly playCost: number
}

/** An artifact that no flow knows: every rule that applies fails. */
const searchWithoutFlow = (pair: Pair, failing: RuleForce.Rule): Paused<Searched<Witness>> =>
  searching(
    [RuleForce.applies(failing), ...pair.accepting.map(RuleForce.skips)],
    { withFlow: false, budget: pair.budget, playCost: pair.playCost },
    atOnce((values) => pair.play(Counterexample.withoutFlow(values)))
  )

/** Whether one rule about a control holds whenever the other does, because of the flows that both look at. */
function* isForcedByControl(
  { budget }: Pair,
  holding: RuleForce.Rule,
  failing: RuleForce.Rule
): Paused<boolean> {
  const kind = RuleForce.decides(holding, failing)
  if (kind === "no") return false
  const never = (one: RuleForce.Rule, other: RuleForce.Rule): Paused<boolean> =>
    isImpossible([RuleForce.applies(one), RuleForce.skips(other)], budget, [true])
  if (!(yield* never(holding, failing))) return false
  return kind === "any" || (yield* never(failing, holding))
}

/** An artifact that flows know. */
function* searchWithFlow(pair: Pair, failing: RuleForce.Rule): Paused<Searched<Witness>> {
  if (failing.kind === "provenance" && failing.maxAge === undefined) return { _tag: "None" }
  const situation = { withFlow: true, budget: pair.budget, playCost: pair.playCost }
  const forcing: Array<RuleForce.Rule> = []
  for (const rule of pair.accepting)
    if (RuleForce.forces(rule, failing) || (yield* isForcedByControl(pair, rule, failing)))
      forcing.push(rule)
  const { accepting, samples } = pair
  const contest = { accepting, failing, situation, samples }
  return yield* searching(
    [RuleForce.applies(failing), ...forcing.map(RuleForce.skips)],
    situation,
    (values) => Counterexample.find(contest, values, pair.play)
  )
}

const gateText = ({ gate, isWaiver }: RuleForce.Rule): string =>
  `${isWaiver} ${gate === null ? "" : print(gate)}`

/** The rules that no rule with the same condition asks already: such a rule holds wherever that one does. */
function* notKept(
  refusing: ReadonlyArray<RuleForce.Rule>,
  accepting: ReadonlyArray<RuleForce.Rule>
): Paused<ReadonlyArray<RuleForce.Rule>> {
  const asking = new Map<string, Array<RuleForce.Rule>>()
  for (const rule of accepting) {
    const text = gateText(rule)
    asking.set(text, [...(asking.get(text) ?? []), rule])
    yield
  }
  const found: Array<RuleForce.Rule> = []
  for (const failing of refusing) {
    const alike = asking.get(gateText(failing)) ?? []
    yield
    const isKept = alike.some(
      (rule) => RuleForce.forces(rule, failing) || RuleForce.decides(rule, failing) !== "no"
    )
    if (!isKept) found.push(failing)
  }
  return found
}

/** Facts that the first policy accepts and the second does not; null when there are none. */
function* acceptedOnlyBy(accepting: Compared, refusing: Compared): Paused<Direction> {
  const pair: Pair = {
    accepting: accepting.rules,
    budget: new Budget(),
    play: player(accepting, refusing),
    samples: new FactSamples(),
    playCost: Math.ceil((accepting.rules.length + refusing.rules.length) / RULES_PER_ASSIGNMENT)
  }
  let isUnknown = false
  for (const failing of yield* notKept(refusing.rules, accepting.rules))
    for (const looking of [searchWithoutFlow, searchWithFlow]) {
      const searched = yield* looking(pair, failing)
      if (searched._tag === "Found") return searched.value
      if (searched._tag === "Unknown") isUnknown = true
    }
  return isUnknown ? "unknown" : null
}

const relationOf = (oldOnly: Direction, newOnly: Direction): Relation => {
  if (oldOnly === "unknown" || newOnly === "unknown") return "unknown"
  if (oldOnly === null) return newOnly === null ? "equivalent" : "weaker"
  return newOnly === null ? "stronger" : "incomparable"
}

const conditionText = ({ condition }: AttestationRule): string =>
  condition === null ? "" : ` if ${print(condition.expression)}`

/** What a rule asks, without how strictly and when. */
const subjectOf = ({ forControl, name, type }: AttestationRule): string =>
  `attestation ${type} ${name}${forControl === null ? "" : ` for control ${forControl}`}`

const ageText = ({ maxAge }: { readonly maxAge?: number }): string =>
  maxAge === undefined ? "" : `, at most ${MaxAge.describe(maxAge)} old`

const askedText = ({ mustBeVerified, where }: AttestationRule): string =>
  `${mustBeVerified === true ? ", verified" : ""}${
    where === undefined ? "" : `, where ${print(where.expression)}`
  }`

const requirementLine = (
  key: string,
  requirement: PolicyDocument["provenance"]
): ReadonlyArray<readonly [string, string]> => {
  const { exceptions, required } = requirement
  const unless = exceptions.map(({ expression }) => ` unless ${print(expression)}`).join("")
  return required ? [[key, `${key} required${ageText(requirement)}${unless}`]] : []
}

/** The rules of a document: what each asks, and its whole line. */
const linesOf = (document: PolicyDocument): ReadonlyArray<readonly [string, string]> => [
  ...requirementLine("provenance", document.provenance),
  ...requirementLine("trail-compliance", document.trailCompliance),
  ...document.attestations.map((rule) => {
    const must = rule.mustBeCompliant ? "" : ", compliant or not"
    return [
      subjectOf(rule),
      `${subjectOf(rule)}${must}${askedText(rule)}${ageText(rule)}${conditionText(rule)}`
    ] as const
  })
]

/** The lines of the first list that are not in the second, with repeats. */
const without = (
  lines: ReadonlyArray<readonly [string, string]>,
  others: ReadonlyArray<readonly [string, string]>
): ReadonlyArray<readonly [string, string]> => {
  const left = others.map(([, line]) => line)
  return lines.filter(([, line]) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/** The rules that were added, removed or changed. */
export const ruleChanges = (before: PolicyDocument, after: PolicyDocument): RuleChanges => {
  const [old, now] = [linesOf(before), linesOf(after)]
  const [gone, come] = [without(old, now), without(now, old)]
  const isOf = (lines: ReadonlyArray<readonly [string, string]>, subject: string): boolean =>
    lines.some(([one]) => one === subject)
  const line = ([, text]: readonly [string, string]): string => text
  return {
    added: come.filter(([subject]) => !isOf(gone, subject)).map(line),
    removed: gone.filter(([subject]) => !isOf(come, subject)).map(line),
    changed: come.filter(([subject]) => isOf(gone, subject)).map(line),
    same: without(now, come).map(line)
  }
}

/** Compares a new policy with an old one, and pauses now and then: for `Slices.run`. */
export function* comparing(before: PolicyDocument, after: PolicyDocument): Paused<Comparison> {
  const old = comparedOf(before)
  yield
  const now = comparedOf(after)
  yield
  const acceptedByOldOnly = yield* acceptedOnlyBy(old, now)
  const acceptedByNewOnly = yield* acceptedOnlyBy(now, old)
  yield
  return {
    relation: relationOf(acceptedByOldOnly, acceptedByNewOnly),
    acceptedByOldOnly,
    acceptedByNewOnly,
    rules: ruleChanges(before, after)
  }
}

/** Compares a new policy with an old one, in one go. */
export const compare = (before: PolicyDocument, after: PolicyDocument): Comparison =>
  runSync(comparing(before, after))

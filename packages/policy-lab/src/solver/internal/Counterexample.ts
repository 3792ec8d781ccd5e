/**
 * Facts that one policy accepts and another one does not, made from the values of terms.
 *
 * Evidence is chosen so that every rule of the accepting policy holds and one rule of the other fails. The facts are
 * candidates: the caller plays them at `NOW`, with everything reported at that instant that has no `reported_at`.
 */

import type { Paused } from "@attestry/core/Paused"
import type { AttestationRule } from "@attestry/core/PolicyDocument"
import * as PolicyExpression from "@attestry/core/PolicyExpression"
import type { AttestationFact, Facts, FlowView } from "@attestry/core/PolicyFacts"
import * as Formula from "./ConditionFormula.js"
import {
  type Assignment,
  atOnce,
  type Constraint,
  type Situation,
  searching
} from "./ConditionSearch.js"
import type { FactSamples } from "./FactSamples.js"
import { applies, asksMore, isInside, type Rule, skips } from "./RuleForce.js"

/** The accepting policy, the failing rule, and where to search for more flows. */
export interface Contest {
  readonly accepting: ReadonlyArray<Rule>
  readonly failing: Rule
  readonly situation: Situation
  readonly samples: FactSamples
}

/** The instant at which counterexamples are played, in epoch seconds: the first of January 2026. */
export const NOW = 1_767_225_600

const FRESH_NAME = "another-name"
const FRESH_TYPE = "custom:another-type"
const FRESH_CONTROL = "ANOTHER-CONTROL"

type Point = Omit<AttestationFact, "sequence">

/** Whether a rule applies where terms have these values. */
export const isApplied = (rule: Rule, values: Assignment, withFlow: boolean): boolean => {
  if (rule.gate === null) return true
  const truth = PolicyExpression.evaluate(rule.gate, Formula.scopeOf(values, withFlow))
  return truth !== (rule.isWaiver ? "True" : "False")
}

const pointOf = (
  { forControl, mustBeCompliant, name, type }: AttestationRule,
  other: Partial<Point> = {}
): Point => {
  const point = {
    name: name === "*" ? FRESH_NAME : name,
    type: type === "*" ? FRESH_TYPE : type,
    is_compliant: mustBeCompliant,
    level: "artifact" as const,
    ...other
  }
  const control = point.type === "decision" ? (forControl ?? FRESH_CONTROL) : null
  return { ...point, control }
}

/** A point of the rule outside of the failing one; undefined when there is none. */
const outside = (asks: AttestationRule, failing: Rule): Point | undefined => {
  const against = failing.asks
  const compliant = { is_compliant: true }
  if (against === null) return pointOf(asks, compliant)
  if (failing.kind === "control")
    return asks.forControl !== against.forControl || !nameIn(asks, against)
      ? pointOf(asks, compliant)
      : undefined
  return isInside(asks, against) ? undefined : pointOf(asks, compliant)
}

const nameIn = (asks: AttestationRule, against: AttestationRule): boolean =>
  against.name === "*" || against.name === asks.name

/** Failing evidence that is later than what satisfies other rules by points of the failing one. */
const spoiling = (failing: Rule, inside: ReadonlyArray<Point>): ReadonlyArray<Point> => {
  const { asks, kind } = failing
  if (asks === null || !asks.mustBeCompliant) return []
  if (kind === "control") return [pointOf(asks, { is_compliant: false })]
  const names = asks.name === "*" ? inside.map(({ name }) => name) : [asks.name]
  const type = asks.type === "*" ? "custom:a-third-type" : asks.type
  return inside.length === 0
    ? []
    : [...new Set(names)].map((name) => pointOf(asks, { name, type, is_compliant: false }))
}

const coversPoint = ({ name, type }: AttestationRule, point: Point): boolean =>
  (name === "*" || name === point.name) && (type === "*" || type === point.type)

/** A point with what the accepting rules that look at it ask of its verification and its facts. */
const dressed = (point: Point, contest: Contest, values: Assignment): Point => {
  const { accepting, failing, samples } = contest
  const asking = accepting.flatMap((rule) =>
    rule.asks !== null &&
    asksMore(rule.asks) &&
    coversPoint(rule.asks, point) &&
    isApplied(rule, values, true)
      ? [rule.asks]
      : []
  )
  if (asking.length === 0) return point
  const holding = asking.flatMap(({ where }) => (where === undefined ? [] : [where.expression]))
  const against =
    failing.asks !== null && coversPoint(failing.asks, point) ? failing.asks.where : undefined
  const facts =
    samples.find({ holding, failing: against?.expression }) ??
    samples.find({ holding, failing: undefined })
  return {
    ...point,
    ...(asking.some(({ mustBeVerified }) => mustBeVerified === true)
      ? { verification: "verified" as const }
      : {}),
    ...(facts === undefined ? {} : { facts })
  }
}

interface Evidence {
  readonly inside: ReadonlyArray<Point>
  readonly outside: ReadonlyArray<Point>
  /** Rules about controls whose decisions would satisfy the failing rule here. */
  readonly elsewhere: ReadonlyArray<Rule>
}

/** The evidence that the accepting rules need in the flow where a rule fails. */
const evidenceOf = (contest: Contest, values: Assignment, moved: boolean): Evidence => {
  const { accepting, failing } = contest
  const inside: Array<Point> = []
  const beside: Array<Point> = []
  const elsewhere: Array<Rule> = []
  for (const rule of accepting) {
    if (rule.asks === null || !isApplied(rule, values, true)) continue
    const point = outside(rule.asks, failing)
    if (point !== undefined) beside.push(dressed(point, contest, values))
    else if (moved && rule.kind === "control") elsewhere.push(rule)
    else inside.push(dressed(pointOf(rule.asks), contest, values))
  }
  return { inside, outside: beside, elsewhere }
}

const artifactOf = (values: Assignment): Facts["artifact"] => Formula.scopeOf(values, true).artifact

const flowOf = (
  values: Assignment,
  points: ReadonlyArray<Point>,
  artifact_status: FlowView["artifact_status"]
): FlowView => {
  const { flow } = Formula.scopeOf(values, true)
  return {
    flow_name: flow?.flow_name ?? "some-flow",
    tags: flow?.tags ?? {},
    trail_name: "some-trail",
    artifact_status,
    attestations: points.map((point, index) => ({ ...point, sequence: index + 1 }))
  }
}

/** Makes the sequence numbers of all flows ascending in the order of the flows. */
const renumber = (flows: ReadonlyArray<FlowView>): ReadonlyArray<FlowView> => {
  let sequence = 0
  return flows.map((flow) => ({
    ...flow,
    attestations: flow.attestations.map((fact) => ({ ...fact, sequence: ++sequence }))
  }))
}

/** Another flow of the same artifact for which the constraints hold. */
function* flowWhere(
  constraints: ReadonlyArray<Constraint>,
  values: Assignment,
  { situation }: Contest
): Paused<Assignment | undefined> {
  const scope = Formula.scopeOf(values, true)
  const fixed = new Map([
    [Formula.ARTIFACT_NAME, scope.artifact.name],
    [Formula.FINGERPRINT, scope.artifact.fingerprint]
  ])
  const searched = yield* searching(
    constraints,
    { ...situation, fixed, avoidedFlowNames: new Set([scope.flow?.flow_name ?? ""]) },
    atOnce((assignment) => {
      const name = assignment.get(Formula.FLOW_NAME) ?? otherName(scope.flow?.flow_name)
      return new Map([...assignment, ...fixed, [Formula.FLOW_NAME, name]])
    })
  )
  return searched._tag === "Found" ? searched.value : undefined
}

const otherName = (name: string | undefined): string =>
  name === "another-flow" ? "third-flow" : "another-flow"

/** A flow in which every accepting rule that applies holds. */
const companion = (contest: Contest, values: Assignment): FlowView =>
  flowOf(
    values,
    contest.accepting.flatMap((rule) =>
      rule.asks !== null && isApplied(rule, values, true)
        ? [dressed(pointOf(rule.asks, { is_compliant: true }), contest, values)]
        : []
    ),
    "COMPLIANT"
  )

/** Facts whose decisions about controls are in other flows than the failing rule looks at. */
function* withCompanions(contest: Contest, values: Assignment): Paused<ReadonlyArray<Facts>> {
  const { failing } = contest
  const { elsewhere, inside, outside: points } = evidenceOf(contest, values, true)
  if (elsewhere.length === 0) return []
  const apart = failing.kind === "control" ? [skips(failing)] : []
  const companions: Array<FlowView> = []
  for (const rule of elsewhere) {
    const found = yield* flowWhere([applies(rule), ...apart], values, contest)
    if (found === undefined) return []
    companions.push(companion(contest, found))
  }
  const named = new Map(companions.map((flow) => [flow.flow_name, flow]))
  const first = [...inside, ...spoiling(failing, inside), ...points]
  const plain = [...inside, ...points]
  return [plain, first].map((evidence) => ({
    artifact: artifactOf(values),
    flows: renumber([flowOf(values, evidence, statusOf(failing)), ...named.values()])
  }))
}

/** Facts whose failing decision is in a flow that the accepting rules do not look at. */
function* withLateDecision(contest: Contest, values: Assignment): Paused<ReadonlyArray<Facts>> {
  const { accepting, failing } = contest
  const { asks } = failing
  if (failing.kind !== "control" || asks === null || !asks.mustBeCompliant) return []
  const rivals = accepting.filter(
    (rule) => rule.asks?.forControl === asks.forControl && nameIn(rule.asks, asks)
  )
  const found = yield* flowWhere([applies(failing), ...rivals.map(skips)], values, contest)
  if (found === undefined) return []
  const late = companion(contest, found)
  const decision = { ...pointOf(asks, { is_compliant: false }), sequence: 0 }
  return [
    {
      artifact: artifactOf(values),
      flows: renumber([
        companion(contest, values),
        { ...late, attestations: [...late.attestations, decision] }
      ])
    }
  ]
}

const statusOf = ({ kind }: Rule): FlowView["artifact_status"] =>
  kind === "trail-compliance" ? "NON-COMPLIANT" : "COMPLIANT"

/** Facts with one flow. */
const withOneFlow = (contest: Contest, values: Assignment): Facts => {
  const { failing } = contest
  const { inside, outside: points } = evidenceOf(contest, values, false)
  const evidence = [...inside, ...spoiling(failing, inside), ...points]
  return {
    artifact: artifactOf(values),
    flows: [flowOf(values, evidence, statusOf(failing))]
  }
}

/** Evidence that the failing rule looks at, later than what satisfies other rules, and too old. */
const outdated = (
  { asks }: Rule,
  inside: ReadonlyArray<Point>,
  reported_at: number
): ReadonlyArray<Point> =>
  asks?.type === "*"
    ? inside.map(({ name }) =>
        pointOf(asks, { name, type: "custom:a-third-type", is_compliant: true, reported_at })
      )
    : []

/** Facts with one flow whose evidence, or whose record, is too old for the failing rule alone. */
const withOldEvidence = (contest: Contest, values: Assignment): ReadonlyArray<Facts> => {
  const { failing } = contest
  if (failing.maxAge === undefined) return []
  const reported_at = NOW - failing.maxAge
  const { inside, outside: points } = evidenceOf(contest, values, false)
  const flow = (evidence: ReadonlyArray<Point>, more: Partial<FlowView> = {}): Facts => ({
    artifact: artifactOf(values),
    flows: [{ ...flowOf(values, evidence, "COMPLIANT"), ...more }]
  })
  if (failing.kind === "provenance") return [flow([...inside, ...points], { reported_at })]
  const aged = inside.map((point) => ({ ...point, reported_at }))
  return [
    flow([...aged, ...points]),
    flow([...inside, ...outdated(failing, inside, reported_at), ...points])
  ]
}

/** Facts with one flow whose evidence is not verified, or has not the facts, as the failing rule alone asks. */
const withUnaskedEvidence = (contest: Contest, values: Assignment): ReadonlyArray<Facts> => {
  const { asks } = contest.failing
  if (asks === null || !asksMore(asks)) return []
  const { inside, outside: points } = evidenceOf(contest, values, false)
  const later = inside.map(({ name }) =>
    pointOf(asks, {
      name,
      type: asks.type === "*" ? "custom:a-third-type" : asks.type,
      is_compliant: true
    })
  )
  return [[], later].map((more) => ({
    artifact: artifactOf(values),
    flows: [flowOf(values, [...inside, ...more, ...points], "COMPLIANT")]
  }))
}

/** The first facts, the simplest first, for which `play` has an answer. */
export function* find<A>(
  contest: Contest,
  values: Assignment,
  play: (facts: Facts) => A | undefined
): Paused<A | undefined> {
  for (const facts of [
    withOneFlow(contest, values),
    ...withOldEvidence(contest, values),
    ...withUnaskedEvidence(contest, values)
  ]) {
    const one = play(facts)
    if (one !== undefined) return one
    yield
  }
  for (const making of [withCompanions, withLateDecision])
    for (const facts of yield* making(contest, values)) {
      const found = play(facts)
      if (found !== undefined) return found
    }
  return undefined
}

/** Facts without a flow. */
export const withoutFlow = (values: Assignment): Facts => ({
  artifact: artifactOf(values),
  flows: []
})

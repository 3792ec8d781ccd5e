/**
 * Policies × facts → the smallest sets of steps that would make the row compliant, cheapest first.
 *
 * Pure and total. A set is listed only after evaluation has confirmed that it makes the row compliant and that none of
 * its steps can go (PL-7). `test/remedy/PolicyRemedyModel` is the slow model.
 */

import * as ActiveWaiver from "@attestry/core/ActiveWaiver"
import { type Moment, TIMELESS } from "@attestry/core/Moment"
import type { PolicyDecision } from "@attestry/core/PolicyDecision"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts, FlowView } from "@attestry/core/PolicyFacts"
import { plusSeconds } from "@attestry/core/Timestamp"
import { greedy, type Search, search } from "./internal/RemedySearch.js"
import type { Arrival, BareStep } from "./internal/RepairCandidates.js"
import * as Needs from "./internal/RepairNeeds.js"
import * as RemedyStep from "./RemedyStep.js"

/** The most remedies that are listed. SPEC §3.15 */
export const REMEDIES_MAX = 5
/** The most states that one search looks at. */
const STATES_MAX = 2_000
/** The most attestations that rules of all confirming evaluations of one answer look at. */
const WORK_MAX = 40_000

/** What remedies may use, and how many are listed. */
export interface RemedyOptions {
  /** The largest number of remedies, without those of waivers and of the allow-list. */
  readonly limit?: number
  readonly weights?: Partial<RemedyStep.Weights>
  /** The views that flows would have of an artifact that no flow knows, once it is reported to them. */
  readonly reportable?: ReadonlyArray<FlowView>
  /** When evidence usually arrives. */
  readonly arrivals?: ReadonlyArray<Arrival>
  /** The environment whose allow-list may be proposed. */
  readonly allowIn?: string
  /** The environment in which waivers of the failing rules may be proposed. */
  readonly waiveIn?: string
  /** The moment of the evaluation, at which steps are carried out. */
  readonly moment?: Moment
}

/** When an attestation usually arrives. */
export type { Arrival } from "./internal/RepairCandidates.js"

type Compiled = PolicyEvaluation.CompiledPolicies
type Step = RemedyStep.Step

const fails = ({ status }: PolicyDecision): boolean => status !== "COMPLIANT"

const without = (compiled: Compiled, steps: ReadonlyArray<Step>): Compiled => {
  if (!steps.some((step) => step.do === "save_policy")) return compiled
  const saved = new Set(
    steps.flatMap((step) => (step.do === "save_policy" ? [step.policy_name] : []))
  )
  return {
    ...compiled,
    policies: compiled.policies.filter(({ policy }) => !saved.has(policy.name))
  }
}

/** A row, and where and when steps are carried out. */
export interface RemediedRow extends RemedyStep.StepContext {
  readonly facts: Facts
}

/** Whether no policy fails the row once the steps are done. */
export const isEnough = (
  compiled: Compiled,
  row: RemediedRow,
  steps: ReadonlyArray<Step>
): boolean =>
  !PolicyEvaluation.evaluate(
    without(compiled, steps),
    RemedyStep.apply(row.facts, steps, row),
    row.moment
  ).policy_decisions.some(fails)

/** One answer under construction. */
interface Solving {
  readonly compiled: Compiled
  readonly facts: Facts
  readonly limit: number
  readonly weights: RemedyStep.Weights
  readonly arrivals: ReadonlyArray<Arrival>
  readonly moment: Moment
}

/** Sets of steps that settle every rule, by what each rule needs. */
interface Solved {
  readonly sets: ReadonlyArray<ReadonlyArray<BareStep>>
  readonly complete: boolean
}

const byRule = (left: RemedyStep.SettledRule, right: RemedyStep.SettledRule): number =>
  left.policy_name === right.policy_name
    ? (left.rule_index ?? 0) - (right.rule_index ?? 0)
    : left.policy_name < right.policy_name
      ? -1
      : 1

const isSameRule = (
  { policy_name, rule_index }: RemedyStep.SettledRule,
  other: RemedyStep.SettledRule | undefined
): boolean => rule_index === other?.rule_index && policy_name === other.policy_name

/** The steps of needs, each with the rules that it settles. INVARIANT: the needs of one rule are neighbours. */
const settlingSteps = ({ needs, steps }: Needs.Needs): ReadonlyArray<BareStep> => {
  const settled = steps.map((): Array<RemedyStep.SettledRule> => [])
  for (const { policy_name, rule_index, steps: places } of needs) {
    const rule = { policy_name, rule_index }
    for (const place of places) {
      const rules = settled[place]
      if (rules !== undefined && !isSameRule(rule, rules.at(-1))) rules.push(rule)
    }
  }
  return steps.map((step, place) => ({ ...step, settles: settled[place]?.sort(byRule) ?? [] }))
}

/** The sets for a row whose flows are fixed, by the decisions about it. */
const solve = (
  { arrivals, facts, limit, weights }: Solving,
  decisions: ReadonlyArray<PolicyDecision>
): Solved => {
  const found = Needs.needsOf(decisions, { flows: facts.flows, arrivals })
  if (found.needs.some(({ steps }) => steps.length === 0)) return { sets: [], complete: true }
  const steps = settlingSteps(found)
  const asked: Search = {
    steps: steps.map((step) => ({ cost: weights[step.do], text: RemedyStep.textOf(step) })),
    // WHY a set: policies often ask the same, and the same question has one list of steps.
    needs: [...new Set(found.needs.map((need) => need.steps))],
    limit,
    budget: STATES_MAX
  }
  const { choices, complete } = search(asked)
  const taken = choices.length === 0 ? [greedy(asked)] : choices
  return {
    sets: taken.map((places) => places.flatMap((place) => steps[place] ?? [])),
    complete
  }
}

/** The sets for an artifact that no flow knows: it is reported first, and what the flow then lacks follows. */
const solveReported = (
  solving: Solving,
  reportable: ReadonlyArray<FlowView>,
  failing: ReadonlyArray<RemedyStep.SettledRule>
): Solved => {
  const solved = reportable.map((view) => {
    const report = { do: "report" as const, flow_name: view.flow_name, settles: failing }
    const { compiled, moment } = solving
    const facts = { ...solving.facts, flows: [{ ...view, ...RemedyStep.reportedAt(moment) }] }
    const { policy_decisions } = PolicyEvaluation.evaluate(compiled, facts, moment)
    const { complete, sets } = solve({ ...solving, facts }, policy_decisions)
    return { complete, sets: sets.map((set) => [report, ...set]) }
  })
  return {
    sets: solved.flatMap(({ sets }) => sets),
    complete: solved.every(({ complete }) => complete)
  }
}

const failingRules = (
  decisions: ReadonlyArray<PolicyDecision>
): ReadonlyArray<RemedyStep.SettledRule> =>
  decisions.flatMap(({ policy_name, rule_evaluations }) =>
    rule_evaluations.flatMap(({ satisfied }, rule_index) =>
      satisfied === false ? [{ policy_name, rule_index }] : []
    )
  )

/** The policies that cannot be evaluated: each needs a valid version. */
const savesOf = ({ policies }: Compiled): ReadonlyArray<BareStep> =>
  policies.flatMap(({ policy: { name }, problem }) =>
    problem === undefined
      ? []
      : [
          {
            do: "save_policy" as const,
            policy_name: name,
            settles: [{ policy_name: name, rule_index: null }]
          }
        ]
  )

/** The attestations of a row after some steps: what one rule may look at. */
const sizeOf = ({ flows }: Facts, steps: ReadonlyArray<Step>): number =>
  1 + steps.length + flows.reduce((sum, view) => sum + 1 + view.attestations.length, 0)

const ruleCount = ({ policies }: Compiled): number =>
  policies.reduce((sum, { rules }) => sum + 1 + rules.length, 0)

/** The rules that a step settles, as a set of their own. WHY: where one of them fails, the whole set does. */
const settledBy = (compiled: Compiled, step: BareStep): Compiled => ({
  ...compiled,
  policies: compiled.policies.flatMap((each) => {
    const settled = step.settles.filter(({ policy_name }) => policy_name === each.policy.name)
    const rules = each.rules.filter((_, index) =>
      settled.some(({ rule_index }) => rule_index === index)
    )
    return settled.length === 0 ? [] : [{ ...each, rules }]
  })
})

/** Counts the work of evaluations up to a limit. */
class Work {
  private left = WORK_MAX

  /** Whether so much more is within the limit. */
  take(cost: number): boolean {
    this.left -= cost
    return this.left >= 0
  }
}

/** `whole` for a set that is enough and of which no step can go, `part` if the work ended before that was known. */
const confirm = (
  solving: Solving,
  steps: ReadonlyArray<BareStep>,
  more: { readonly reportable: ReadonlyArray<FlowView>; readonly work: Work }
): "whole" | "part" | "none" => {
  const { compiled, facts, moment } = solving
  const row = { facts, reportable: more.reportable, moment }
  const size = sizeOf(facts, steps)
  more.work.take(size * ruleCount(compiled))
  if (!isEnough(compiled, row, steps)) return "none"
  for (const step of steps) {
    const settled = settledBy(compiled, step)
    if (!more.work.take(size * (1 + ruleCount(settled)))) return "part"
    const rest = steps.filter((other) => other !== step)
    if (isEnough(settled, row, rest) && isEnough(compiled, row, rest)) return "none"
  }
  return "whole"
}

const isNonEmpty = <A>(items: ReadonlyArray<A>): items is readonly [A, ...Array<A>] =>
  items.length > 0

const byRank = (left: RemedyStep.Remedy, right: RemedyStep.Remedy): number => {
  const text = ({ steps }: RemedyStep.Remedy) => steps.map(RemedyStep.textOf).join("\n")
  return (
    left.cost - right.cost ||
    left.steps.length - right.steps.length ||
    (text(left) < text(right) ? -1 : 1)
  )
}

const allowed = ({ artifact }: Facts, weights: RemedyStep.Weights, environment_name?: string) =>
  environment_name === undefined || artifact.fingerprint === ""
    ? []
    : [
        {
          cost: weights.allow,
          kind: "allow_list" as const,
          complete: true,
          steps: [
            { do: "allow" as const, environment_name, fingerprint: artifact.fingerprint }
          ] as const
        }
      ]

/** Waivers of every failing rule, for this artifact alone; none where they would not be enough. */
const waived = (
  { compiled, facts, moment, weights }: Solving,
  decisions: ReadonlyArray<PolicyDecision>,
  environment_name?: string
): ReadonlyArray<RemedyStep.Remedy> => {
  const { fingerprint } = facts.artifact
  if (environment_name === undefined || fingerprint === "") return []
  const steps = new Map<string, RemedyStep.WaiveStep>()
  for (const { policy_name, rule_evaluations } of decisions)
    for (const [rule_index, { rule, satisfied }] of rule_evaluations.entries()) {
      if (satisfied !== false) continue
      const named = ActiveWaiver.ruleOf(rule)
      const key = JSON.stringify([policy_name, named])
      const settles = [...(steps.get(key)?.settles ?? []), { policy_name, rule_index }]
      const target = { policy_name, rule: named, environment_name, fingerprint }
      steps.set(key, { do: "waive", ...target, settles })
    }
  const waivers = [...steps.values()].map(({ policy_name, rule }) =>
    ActiveWaiver.make({
      number: 0,
      policy_name,
      rule,
      condition: null,
      starts_at: moment.now,
      expires_at: plusSeconds(moment.now, 1)
    })
  )
  const then = { ...moment, waivers: [...moment.waivers, ...waivers] }
  const asked = [...steps.values()]
  if (!isNonEmpty(asked) || !isEnough(compiled, { facts, moment: then }, asked)) return []
  return [{ cost: asked.length * weights.waive, kind: "waiver", complete: true, steps: asked }]
}

const withCommands = (remedy: RemedyStep.Remedy, { artifact }: Facts): RemedyStep.Remedy => {
  const [first, ...others] = remedy.steps
  const commanded = (step: Step) => RemedyStep.withCommand(step, artifact)
  return { ...remedy, steps: [commanded(first), ...others.map(commanded)] }
}

/**
 * The remedies of a row, first those that mend it, then waivers and the allow-list; none for a row that no policy
 * fails.
 */
export const remedies = (
  policies: Compiled,
  facts: Facts,
  options: RemedyOptions = {}
): ReadonlyArray<RemedyStep.Remedy> => {
  const compiled = PolicyEvaluation.enforced(policies)
  const {
    allowIn,
    arrivals = [],
    limit = REMEDIES_MAX,
    moment = TIMELESS,
    reportable = [],
    waiveIn
  } = options
  const { policy_decisions } = PolicyEvaluation.evaluate(compiled, facts, moment)
  if (!policy_decisions.some(fails)) return []
  const weights = { ...RemedyStep.WEIGHTS, ...options.weights }
  const solving: Solving = { compiled, facts, limit, weights, arrivals, moment }
  const failing = failingRules(policy_decisions)
  const saves = savesOf(compiled)
  const solved =
    facts.flows.length === 0 && failing.length > 0
      ? solveReported(solving, reportable, failing)
      : solve(solving, policy_decisions)
  const work = new Work()
  const listed = solved.sets.flatMap((set): ReadonlyArray<RemedyStep.Remedy> => {
    const steps = [...set, ...saves]
    const confirmed = confirm(solving, steps, { reportable, work })
    if (confirmed === "none" || !isNonEmpty(steps)) return []
    const cost = steps.reduce((sum, step) => sum + weights[step.do], 0)
    const kind = saves.length === 0 ? "evidence" : "policy"
    return [{ cost, kind, complete: solved.complete && confirmed === "whole", steps }]
  })
  const cheapest = listed.sort(byRank).slice(0, limit)
  return [
    ...[...cheapest, ...waived(solving, policy_decisions, waiveIn)].map((remedy) =>
      withCommands(remedy, facts)
    ),
    ...allowed(facts, weights, allowIn)
  ]
}

/** The policy that asks for nothing but compliance in every trail. */
const IN_FLOWS: PolicyEvaluation.PolicyVersion = {
  id: "trails",
  name: "trails",
  version: 0,
  document: {
    schema: "attestry:schemas/environment-policy/v1",
    provenance: { required: true, exceptions: [] },
    trailCompliance: { required: true, exceptions: [] },
    attestations: []
  }
}

/** The remedies of an artifact that no policy evaluates: its flows decide, and no rule is settled. */
export const remediesInFlows = (
  facts: Facts,
  options: RemedyOptions = {}
): ReadonlyArray<RemedyStep.Remedy> =>
  remedies(PolicyEvaluation.compile([IN_FLOWS]), facts, options).map((remedy) => {
    const [first, ...others] = remedy.steps
    const bare = (step: Step): Step => ("settles" in step ? { ...step, settles: [] } : step)
    return { ...remedy, steps: [bare(first), ...others.map(bare)] }
  })

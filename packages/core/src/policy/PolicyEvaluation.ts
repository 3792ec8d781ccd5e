/**
 * Policies × facts → the decision of each policy, and the verdict of all. SPEC §3.12, §3.13
 *
 * `compile` once per set of policy versions, `evaluate` once per row; both are total and pure. Allow-lists are not
 * inputs. The moment is one for rules with a `max_age` and for waivers; nothing else depends on the time.
 */
import { getRights } from "effect/Array"
import * as Either from "effect/Either"
import * as Timestamp from "../shared/Timestamp.js"
import type { Verdict } from "../shared/Verdict.js"
import * as ActiveWaiver from "./ActiveWaiver.js"
import { Row, type Slots } from "./internal/PolicyRow.js"
import * as Rules from "./internal/PolicyRules.js"
import * as PolicySet from "./internal/PolicySet.js"
import * as Moment from "./Moment.js"
import type { PolicyDecision, RuleEvaluation } from "./PolicyDecision.js"
import * as PolicyDocument from "./PolicyDocument.js"
import * as PolicyExpression from "./PolicyExpression.js"
import type { Facts } from "./PolicyFacts.js"
import * as PolicyMode from "./PolicyMode.js"
import * as PolicyPattern from "./PolicyPattern.js"
import * as PolicyReason from "./PolicyReason.js"

/** One version of a policy; a stored text that no longer parses is given as its error. */
export interface PolicyVersion {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly document: PolicyDocument.PolicyDocument | PolicyDocument.InvalidPolicyDocument
  /** Only for a policy that warns. */
  readonly mode?: "warn"
}

/** A compiled policy. */
interface CompiledPolicy {
  readonly policy: PolicyVersion
  /** The rules in order; none when the policy does not parse. */
  readonly rules: ReadonlyArray<Rules.CompiledRule>
  /** Why the policy cannot be evaluated; undefined when it can. */
  readonly problem: string | undefined
}

/** A compiled set of policies, ordered by name. */
export interface CompiledPolicies {
  readonly policies: ReadonlyArray<CompiledPolicy>
  readonly slots: Slots
  /** Whether a rule has a `max_age`, so that decisions depend on the moment. */
  readonly isTimed: boolean
}

/** The decisions and the verdict about one artifact. */
export interface PolicyEvaluation {
  readonly verdict: Verdict
  readonly policy_decisions: ReadonlyArray<PolicyDecision>
}

/** The policy of `require_provenance` of an environment. */
export const REQUIRE_PROVENANCE: PolicyVersion = {
  id: "require_provenance",
  name: "require_provenance",
  version: 0,
  document: {
    schema: "attestry:schemas/environment-policy/v1",
    provenance: { required: true, exceptions: [] },
    trailCompliance: { required: false, exceptions: [] },
    attestations: []
  }
}

const byName = (left: PolicyVersion, right: PolicyVersion): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : left.version - right.version

/** Why a document cannot be evaluated; one within the limits always can. */
const problemOf = (document: PolicyDocument.PolicyDocument): string | undefined => {
  const compilePattern = PolicyPattern.forPolicy()
  return [...PolicyDocument.conditions(document), ...PolicyDocument.factConditions(document)]
    .flatMap(({ expression }) => PolicyExpression.patterns(expression))
    .map((source) => compilePattern(source))
    .find(Either.isLeft)?.left.message
}

/** The document of a policy, or why there is none. */
const readable = ({
  document
}: PolicyVersion): Either.Either<PolicyDocument.PolicyDocument, string> => {
  if ("_tag" in document) return Either.left(document.message)
  const problem = problemOf(document)
  return problem === undefined ? Either.right(document) : Either.left(problem)
}

const compileRules = (
  { attestations, provenance, trailCompliance }: PolicyDocument.PolicyDocument,
  compiler: Rules.RuleCompiler
): ReadonlyArray<Rules.CompiledRule> => [
  Rules.compileRequirement("provenance", provenance, compiler),
  Rules.compileRequirement("trail-compliance", trailCompliance, compiler),
  ...attestations.map((rule) => Rules.compileAttestation(rule, compiler))
]

/** Compiles a set of policies. */
export const compile = (policies: ReadonlyArray<PolicyVersion>): CompiledPolicies => {
  const sorted = [...policies].sort(byName).map((policy) => ({ policy, read: readable(policy) }))
  const compiler = PolicySet.make(getRights(sorted.map(({ read }) => read)))
  const compiled = sorted.map(({ policy, read }) =>
    Either.match(read, {
      onLeft: (problem): CompiledPolicy => ({ policy, rules: [], problem }),
      onRight: (document): CompiledPolicy => ({
        policy,
        rules: compileRules(document, compiler),
        problem: undefined
      })
    })
  )
  return {
    policies: compiled,
    slots: compiler.slots,
    isTimed: compiled.some(({ rules }) => rules.some(({ maxAge }) => maxAge !== undefined))
  }
}

const decide = (
  { policy, problem, rules }: CompiledPolicy,
  row: Row,
  moment: Moment.Moment
): PolicyDecision => {
  const rule_evaluations: Array<RuleEvaluation> = new Array(rules.length)
  let passes = problem === undefined
  let index = 0
  const evaluateRule = moment.waivers.length === 0 ? Rules.evaluateRule : Rules.evaluateWaived
  for (const rule of rules) {
    const evaluation = evaluateRule(rule, row, moment)
    if (evaluation.satisfied === false) passes = false
    rule_evaluations[index++] = evaluation
  }
  const status = passes ? "COMPLIANT" : "NON-COMPLIANT"
  const { name: policy_name, version: policy_version } = policy
  return policy.mode === undefined
    ? { policy_name, policy_version, status, rule_evaluations }
    : { policy_name, policy_version, status, rule_evaluations, mode: policy.mode }
}

/**
 * Evaluates one artifact by every policy, for a moment. Without an enforced policy the verdict is Unknown; without a
 * moment no evidence is young enough for a `max_age`.
 */
export const evaluate = (
  compiled: CompiledPolicies,
  facts: Facts,
  moment: Moment.Moment = Moment.TIMELESS
): PolicyEvaluation => {
  const { policies, slots } = compiled
  const row = new Row(facts, slots)
  const policy_decisions =
    moment.waivers.length === 0
      ? policies.map((policy) => decide(policy, row, moment))
      : policies.map((policy) => decide(policy, row, momentOf(policy, moment)))
  return { verdict: verdictOf(policy_decisions), policy_decisions }
}

/** The moment with the waivers of a policy that are in force. */
const momentOf = ({ policy: { name } }: CompiledPolicy, { now, waivers }: Moment.Moment) => ({
  now,
  waivers: waivers.filter(
    (waiver) => waiver.policy_name === name && ActiveWaiver.isInForce(waiver, now)
  )
})

/**
 * The first instant after the moment at which the evaluation of the same facts differs; null if time alone never
 * changes it.
 */
export const nextChange = (
  compiled: CompiledPolicies,
  facts: Facts,
  moment: Moment.Moment
): Timestamp.Timestamp | null => {
  const { now, waivers } = moment
  if (!compiled.isTimed && waivers.length === 0) return null
  const row = new Row(facts, compiled.slots)
  const ends = compiled.policies
    .flatMap(({ rules }) => rules.flatMap((rule) => Rules.changesOf(rule, row)))
    .filter((at) => at > now)
  if (waivers.length === 0)
    return ends.length === 0 ? null : Timestamp.fromMicros(Math.min(...ends))
  const turns = waivers.flatMap(ActiveWaiver.turnsOf).filter((at) => at > now)
  const candidates = [...new Set([...ends, ...turns])]
  // WHY by evaluating: a waiver can hide that evidence expires, and another one that a waiver ends.
  const printedAt = (at: Timestamp.Timestamp): string =>
    JSON.stringify(evaluate(compiled, facts, { now: at, waivers }))
  const before = printedAt(now)
  return (
    candidates.sort((left, right) => left - right).find((at) => printedAt(at) !== before) ?? null
  )
}

/**
 * The first instant after the moment from which on time alone makes enforced policies fail the facts; null without
 * one.
 */
export const failsFrom = (
  compiled: CompiledPolicies,
  facts: Facts,
  moment: Moment.Moment
): Timestamp.Timestamp | null => {
  let at = nextChange(compiled, facts, moment)
  while (at !== null) {
    const then = { ...moment, now: at }
    if (evaluate(compiled, facts, then).verdict === "NonCompliant") return at
    at = nextChange(compiled, facts, then)
  }
  return null
}

/** The verdict of decisions, in any order; those of warning policies do not count. SPEC §3.12 */
export const verdictOf = (
  decisions: ReadonlyArray<PolicyMode.Moded & Pick<PolicyDecision, "status">>
): Verdict => {
  let verdict: Verdict = "Unknown"
  for (const { mode, status } of decisions) {
    if (mode === "warn") continue
    if (status !== "COMPLIANT") return "NonCompliant"
    verdict = "Compliant"
  }
  return verdict
}

/** The reasons of the decisions that pass a test. */
const reasonsOf = (
  { policies }: CompiledPolicies,
  { policy_decisions }: PolicyEvaluation,
  isAsked: (decision: PolicyDecision) => boolean
): ReadonlyArray<PolicyReason.PolicyReason> => {
  const problems = new Map(policies.map(({ policy, problem }) => [policy.name, problem]))
  return policy_decisions
    .filter(isAsked)
    .flatMap((decision) => PolicyReason.fromDecision(decision, problems.get(decision.policy_name)))
}

/** Why a row is not compliant, `reasons_for_incompliance` on the wire; empty for other rows. */
export const reasons = (
  compiled: CompiledPolicies,
  evaluation: PolicyEvaluation
): ReadonlyArray<PolicyReason.PolicyReason> =>
  reasonsOf(compiled, evaluation, PolicyMode.isEnforced)

/** What warning policies would say against a row, `warnings` on the wire. */
export const warnings = (
  compiled: CompiledPolicies,
  evaluation: PolicyEvaluation
): ReadonlyArray<PolicyReason.PolicyReason> => reasonsOf(compiled, evaluation, PolicyMode.isWarning)

/** The policies of a set that count. */
export const enforced = (compiled: CompiledPolicies): CompiledPolicies =>
  compiled.policies.every(({ policy }) => PolicyMode.isEnforced(policy))
    ? compiled
    : {
        ...compiled,
        policies: compiled.policies.filter(({ policy }) => PolicyMode.isEnforced(policy))
      }

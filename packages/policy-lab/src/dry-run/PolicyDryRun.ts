/**
 * A candidate × the rows of an environment → the verdicts that it would give them. SPEC §4.6
 *
 * Pure. A row's verdict in a logical environment is the lower of that in its member and of the verdict by the logical
 * environment's own policies, as in a backtest; the verdict of the whole is that of the environment itself. A
 * physical environment is the case with one member and no policies of its own.
 */

import { type Moment, TIMELESS } from "@attestry/core/Moment"
import { type Paused, runSync } from "@attestry/core/Paused"
import type { PolicyDecision } from "@attestry/core/PolicyDecision"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import * as Verdict from "@attestry/core/Verdict"
import * as PolicyRemedy from "../remedy/PolicyRemedy.js"
import type { Remedy } from "../remedy/RemedyStep.js"

/** The most rows of one answer. */
export const SHOWN_MAX = 1_000

/** The most rows of one answer that have remedies. */
export const REMEDIED_MAX = 100

/** Which rows are shown. */
export type Shown = "flips" | "failing" | "all"

/** A row to be evaluated. */
export interface DryRunRow {
  readonly facts: Facts
  /** Its recorded verdict; null without one. */
  readonly was: Verdict.Verdict | null
  /** Whether the allow-list makes it compliant. */
  readonly isAllowed: boolean
  /** Only for a row of a logical environment: the member in which it runs, and its facts there. */
  readonly member?: { readonly name: string; readonly facts: Facts; readonly isAllowed: boolean }
}

/** The decision of a policy. */
export interface DryRunDecision extends PolicyDecision {
  /** Only for a row of a logical environment: the environment to which the policy is attached. */
  readonly environment?: string
}

/** A row with the verdict that it would have. */
export interface EvaluatedResult extends DryRunRow {
  readonly verdict: Verdict.Verdict
  readonly decisions: ReadonlyArray<DryRunDecision>
  readonly reasons: ReadonlyArray<PolicyReason>
  /** Only where the request asks for remedies. */
  readonly remedies?: ReadonlyArray<Remedy>
}

/** The results of a dry run. */
export interface DryRun {
  readonly verdict: Verdict.Verdict
  readonly counts: SnapshotCounts.SnapshotCounts
  readonly rows: ReadonlyArray<EvaluatedResult>
  readonly leftOut: number
}

/** The rows to show, and the number of remedies of each row that fails. */
export interface DryRunOptions {
  readonly show: Shown
  readonly remedies: number
}

const isShown = ({ verdict, was }: EvaluatedResult, show: Shown): boolean =>
  show === "all" ||
  (show === "failing" ? verdict === "NonCompliant" : was !== null && verdict !== was)

/** The verdict of policies about a row; a row on the allow-list has no reasons. */
export const evaluateRow = (
  compiled: PolicyEvaluation.CompiledPolicies,
  row: DryRunRow,
  moment: Moment
): EvaluatedResult => {
  const evaluation = PolicyEvaluation.evaluate(compiled, row.facts, moment)
  const verdict = row.isAllowed ? "Compliant" : evaluation.verdict
  return {
    ...row,
    verdict,
    decisions: evaluation.policy_decisions,
    reasons: verdict === "NonCompliant" ? PolicyEvaluation.reasons(compiled, evaluation) : []
  }
}

/** The policies that count for a row, and the moment of its evaluation. */
interface RowPolicies {
  readonly compiled: PolicyEvaluation.CompiledPolicies
  readonly moment: Moment
}

/** The options of an answer, its verdict, and the policies that count for each row. */
interface Answered extends DryRunOptions {
  readonly verdict: Verdict.Verdict
  readonly policiesOf: (row: EvaluatedResult) => RowPolicies
}

function* withRemedies(
  rows: ReadonlyArray<EvaluatedResult>,
  { policiesOf, remedies: limit }: Answered
): Paused<ReadonlyArray<EvaluatedResult>> {
  if (limit === 0) return rows
  let left = REMEDIED_MAX
  const remedied: Array<EvaluatedResult> = []
  for (const row of rows) {
    if (row.verdict !== "NonCompliant" || left === 0) remedied.push(row)
    else {
      left -= 1
      const { compiled, moment } = policiesOf(row)
      const remedies = PolicyRemedy.remedies(compiled, row.facts, { limit, moment })
      remedied.push({ ...row, remedies })
      yield
    }
  }
  return remedied
}

/** Counts evaluated rows, and selects those to show; pauses after each row with remedies. */
function* answering(evaluated: ReadonlyArray<EvaluatedResult>, asked: Answered): Paused<DryRun> {
  const shown = evaluated.filter((row) => isShown(row, asked.show))
  return {
    verdict: asked.verdict,
    counts: SnapshotCounts.count(evaluated),
    rows: yield* withRemedies(shown.slice(0, SHOWN_MAX), asked),
    leftOut: Math.max(0, shown.length - SHOWN_MAX)
  }
}

/** The versions with the candidate instead of the version of its name, or added to them. */
const among = (
  candidate: PolicyEvaluation.PolicyVersion,
  others: ReadonlyArray<PolicyEvaluation.PolicyVersion>
): ReadonlyArray<PolicyEvaluation.PolicyVersion> => [
  ...others.filter(({ name }) => name !== candidate.name),
  candidate
]

/** A member, the policies that are attached to it, and its moment. */
export interface Member {
  readonly name: string
  readonly policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>
  readonly moment: Moment
}

/** An environment: its name, its policies, its moment, and its members. */
export interface DryRunEnvironment extends Member {
  /** Null for a physical environment. */
  readonly members: ReadonlyArray<Member> | null
}

/** The policies of a dry run, compiled. */
interface Compiled {
  readonly environment: DryRunEnvironment
  /** The policies of a logical environment itself. */
  readonly own: PolicyEvaluation.CompiledPolicies
  /** The policies of its members by name; a physical environment is its own member. */
  readonly members: ReadonlyMap<string, RowPolicies>
}

const hasEnforced = (compiled: PolicyEvaluation.CompiledPolicies): boolean =>
  PolicyEvaluation.enforced(compiled).policies.length > 0

/** A row by the policies of its member, by those of the logical environment, and by both. */
interface Twice {
  readonly inMember: EvaluatedResult
  readonly byOwn: EvaluatedResult
  readonly both: EvaluatedResult
}

/** The first of those with one key: the same policy may be attached to both, and fails a row for the same reason. */
const distinct = <A>(all: ReadonlyArray<A>, keyOf: (each: A) => string): ReadonlyArray<A> =>
  [...new Map([...all].reverse().map((each) => [keyOf(each), each])).values()].reverse()

const decidedIn = (environment: string, { decisions }: EvaluatedResult) =>
  decisions.map((decision) => ({ ...decision, environment }))

/** The policies with the candidate instead of those of its name; without one, it is added to the environment's own. */
export const withCandidate = (
  { policies, members, moment, name }: DryRunEnvironment,
  candidate: PolicyEvaluation.PolicyVersion
): DryRunEnvironment => {
  const isAttached = ({ policies: all }: Pick<DryRunEnvironment, "policies">) =>
    all.some((each) => each.name === candidate.name)
  const replaced = (all: DryRunEnvironment["policies"]) => among(candidate, all)
  if (members === null) return { name, policies: replaced(policies), members, moment }
  const isBelow = members.some(isAttached)
  return {
    name,
    moment,
    policies: isAttached({ policies }) || !isBelow ? replaced(policies) : policies,
    members: members.map((member) =>
      isAttached(member) ? { ...member, policies: replaced(member.policies) } : member
    )
  }
}

const compile = (environment: DryRunEnvironment): Compiled => {
  const { members, policies } = environment
  const inside = members ?? [environment]
  return {
    environment,
    own: PolicyEvaluation.compile(members === null ? [] : policies),
    members: new Map(
      inside.map(({ moment, name, policies: attached }) => [
        name,
        { compiled: PolicyEvaluation.compile(attached), moment }
      ])
    )
  }
}

const NO_POLICIES: RowPolicies = { compiled: PolicyEvaluation.compile([]), moment: TIMELESS }

/** The row as its member has it; a physical environment is its own member. */
const memberOf = ({ members, name }: DryRunEnvironment, { facts, isAllowed, member }: DryRunRow) =>
  members === null || member === undefined ? { name, facts, isAllowed } : member

/** A row by the policies of its member, by those of the environment above it, and by both. */
const evaluateTwice = ({ environment, members, own }: Compiled, row: DryRunRow): Twice => {
  const member = memberOf(environment, row)
  const { facts, isAllowed } = member
  const { compiled, moment } = members.get(member.name) ?? NO_POLICIES
  const inMember = evaluateRow(compiled, { facts, isAllowed, was: null }, moment)
  if (environment.members === null)
    return { inMember, byOwn: inMember, both: { ...inMember, ...row } }
  const { member: _member, ...above } = row
  const byOwn = evaluateRow(own, above, environment.moment)
  return {
    inMember,
    byOwn,
    both: {
      ...row,
      verdict: hasEnforced(own) ? Verdict.min(inMember.verdict, byOwn.verdict) : inMember.verdict,
      decisions: [...decidedIn(member.name, inMember), ...decidedIn(environment.name, byOwn)],
      reasons: distinct([...inMember.reasons, ...byOwn.reasons], (reason) => JSON.stringify(reason))
    }
  }
}

/** The policies that count for a row. */
const policiesFor = (environment: DryRunEnvironment) => {
  const { members, policies } = environment
  const known = new Map<string, RowPolicies>()
  const inside: ReadonlyArray<Member> = members ?? [environment]
  const above = members === null ? [] : policies
  return (row: EvaluatedResult): RowPolicies => {
    const { name: at } = memberOf(environment, row)
    const member = inside.find((each) => each.name === at)
    const attached = [...(member?.policies ?? []), ...above]
    const all = distinct(attached, ({ id, version }) => `${id} ${version}`)
    const found = known.get(at) ?? {
      compiled: PolicyEvaluation.enforced(PolicyEvaluation.compile(all)),
      moment: (member ?? environment).moment
    }
    known.set(at, found)
    return found
  }
}

/** The verdict of the environment: the lowest of its members and of its own policies. */
const verdictOf = ({ environment, members, own }: Compiled, evaluated: ReadonlyArray<Twice>) => {
  const verdicts = Array.from(members, ([name, { compiled }]) => {
    const inside = evaluated
      .filter(({ both }) => memberOf(environment, both).name === name)
      .map(({ inMember }) => inMember)
    const hasPolicies = hasEnforced(compiled)
    return SnapshotCounts.verdictOf(SnapshotCounts.count(inside), { hasPolicies })
  })
  if (!hasEnforced(own) || verdicts.length === 0) return Verdict.minimum(verdicts)
  const passes = evaluated.every(({ byOwn }) => byOwn.verdict === "Compliant")
  return Verdict.minimum([...verdicts, passes ? "Compliant" : "NonCompliant"])
}

/** Evaluates rows by the policies of an environment, with the candidate among them; pauses after each row. */
export function* evaluating(
  environment: DryRunEnvironment,
  rows: ReadonlyArray<DryRunRow>,
  options: DryRunOptions
): Paused<DryRun> {
  const compiled = compile(environment)
  const evaluated: Array<Twice> = []
  for (const row of rows) {
    evaluated.push(evaluateTwice(compiled, row))
    yield
  }
  return yield* answering(
    evaluated.map(({ both }) => both),
    {
      ...options,
      verdict: verdictOf(compiled, evaluated),
      policiesOf: policiesFor(environment)
    }
  )
}

/** The same without pauses. */
export const evaluate = (
  environment: DryRunEnvironment,
  rows: ReadonlyArray<DryRunRow>,
  options: DryRunOptions
): DryRun => runSync(evaluating(environment, rows, options))

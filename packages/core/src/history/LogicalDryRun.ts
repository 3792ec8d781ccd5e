/**
 * A candidate × the rows of a logical environment's members → what would be said about them, storing nothing.
 *
 * Pure. A row's verdict is the lower of that in its member and of what the logical environment's own policies say
 * about it, as in a backtest; the verdict of the whole is that of the environment itself. SPEC §4.6
 */
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import { type Paused, runSync } from "../shared/internal/Paused.js"
import * as Verdict from "../shared/Verdict.js"
import * as SnapshotCounts from "../snapshot/SnapshotCounts.js"
import * as PolicyDryRun from "./PolicyDryRun.js"

/** A member, and the policies that are attached to it. */
export interface Member {
  readonly name: string
  readonly policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>
}

/** A logical environment: its name, its own policies, and its members. */
export interface Logical {
  readonly name: string
  readonly policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>
  readonly members: ReadonlyArray<Member>
}

const hasEnforced = (compiled: PolicyEvaluation.CompiledPolicies): boolean =>
  PolicyEvaluation.enforced(compiled).policies.length > 0

/** A row by the policies of its member, by those of the logical environment, and by both. */
interface Twice {
  readonly inMember: PolicyDryRun.JudgedRow
  readonly byOwn: PolicyDryRun.JudgedRow
  readonly both: PolicyDryRun.JudgedRow
}

/** The first of those with one key: the same policy may be attached to both, and fails a row for the same reason. */
const distinct = <A>(all: ReadonlyArray<A>, keyOf: (each: A) => string): ReadonlyArray<A> =>
  [...new Map([...all].reverse().map((each) => [keyOf(each), each])).values()].reverse()

const decidedIn = (environment: string, { decisions }: PolicyDryRun.JudgedRow) =>
  decisions.map((decision) => ({ ...decision, environment }))

/** The policies with the candidate in the place of that of its name; where none has it, among the logical one's own. */
export const withCandidate = (
  { policies, members, name }: Logical,
  candidate: PolicyEvaluation.PolicyVersion
): Logical => {
  const isAttached = ({ policies: all }: Pick<Logical, "policies">) =>
    all.some((each) => each.name === candidate.name)
  const isBelow = members.some(isAttached)
  const replaced = (all: Logical["policies"]) => PolicyDryRun.among(candidate, all)
  return {
    name,
    policies: isAttached({ policies }) || !isBelow ? replaced(policies) : policies,
    members: members.map((member) =>
      isAttached(member) ? { ...member, policies: replaced(member.policies) } : member
    )
  }
}

/** Judges the rows of members by policies among which the candidate stands; pauses after each row. */
export function* judging(
  logical: Logical,
  rows: ReadonlyArray<PolicyDryRun.TriedRow>,
  options: PolicyDryRun.DryRunOptions
): Paused<PolicyDryRun.DryRun> {
  const own = PolicyEvaluation.compile(logical.policies)
  const counts = hasEnforced(own)
  const members = new Map(
    logical.members.map(({ name, policies }) => [name, PolicyEvaluation.compile(policies)])
  )
  const none = PolicyEvaluation.compile([])
  const judgeTwice = (row: PolicyDryRun.TriedRow): Twice => {
    const { member = { name: "", facts: row.facts, isAllowed: false }, ...above } = row
    const inMember = PolicyDryRun.judgeRow(members.get(member.name) ?? none, {
      ...{ facts: member.facts, isAllowed: member.isAllowed, was: null }
    })
    const byOwn = PolicyDryRun.judgeRow(own, above)
    return {
      inMember,
      byOwn,
      both: {
        ...row,
        verdict: counts ? Verdict.min(inMember.verdict, byOwn.verdict) : inMember.verdict,
        decisions: [...decidedIn(member.name, inMember), ...decidedIn(logical.name, byOwn)],
        reasons: distinct([...inMember.reasons, ...byOwn.reasons], (reason) =>
          JSON.stringify(reason)
        )
      }
    }
  }
  const judged: Array<Twice> = []
  for (const row of rows) {
    judged.push(judgeTwice(row))
    yield
  }
  const verdicts = logical.members.map(({ name }) => {
    const inside = judged.filter(({ both }) => both.member?.name === name)
    return SnapshotCounts.verdictOf(SnapshotCounts.count(inside.map(({ inMember }) => inMember)), {
      hasPolicies: hasEnforced(members.get(name) ?? none)
    })
  })
  const passes = judged.every(({ byOwn }) => byOwn.verdict === "Compliant")
  const said: ReadonlyArray<Verdict.Verdict> =
    counts && verdicts.length > 0 ? [passes ? "Compliant" : "NonCompliant"] : []
  const policiesOf = ({ member }: PolicyDryRun.JudgedRow) => {
    const inside = logical.members.find(({ name }) => name === member?.name)?.policies ?? []
    return PolicyEvaluation.enforced(
      PolicyEvaluation.compile(
        distinct([...inside, ...logical.policies], ({ id, version }) => `${id} ${version}`)
      )
    )
  }
  return yield* PolicyDryRun.answering(
    judged.map(({ both }) => both),
    { ...options, verdict: Verdict.minimum([...verdicts, ...said]), policiesOf }
  )
}

/** The same in one go. */
export const judge = (
  logical: Logical,
  rows: ReadonlyArray<PolicyDryRun.TriedRow>,
  options: PolicyDryRun.DryRunOptions
): PolicyDryRun.DryRun => runSync(judging(logical, rows, options))

/** A backtest of a logical environment equals a walk over every instant (laws HIST-21 to HIST-24). */

import * as CommitPosition from "@attestry/core/CommitPosition"
import { ofInstant } from "@attestry/core/EnvironmentMoments"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { FactTimeline } from "@attestry/core/FactTimeline"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as RowDecision from "@attestry/core/RowDecision"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Verdict from "@attestry/core/Verdict"
import * as PolicyBacktest from "@attestry/policy-lab/PolicyBacktest"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Model from "./PolicyBacktestModel.js"

const at = Timestamp.fromMicros
const MEMBERS = ["one", "two"]

const candidate = PolicyEvaluation.compile([
  {
    id: "candidate",
    name: "lab",
    version: 0,
    document: Either.merge(
      PolicyDocument.parse(
        "_schema: https://example.org/v1\nartifacts:\n  attestations:\n    - name: scan\n      type: generic\n"
      )
    )
  }
])

type Status = RecordedRow["decisions"][number]["status"]

/** What a member runs from a snapshot on: nothing, or a row with the statuses of the policies attached there. */
const Running = FastCheck.option(
  FastCheck.record({
    lab: FastCheck.constantFrom<Status | undefined>("COMPLIANT", "NON-COMPLIANT", undefined),
    other: FastCheck.constantFrom<Status | undefined>("COMPLIANT", "NON-COMPLIANT", undefined)
  }),
  { nil: undefined }
)

/** The policies of the logical environment itself: whether each is attached, and whether it fails running rows. */
const Own = FastCheck.record({
  lab: FastCheck.constantFrom(true, false, undefined),
  other: FastCheck.constantFrom(true, false, undefined)
})

const Step = FastCheck.record({
  what: FastCheck.constantFrom("one", "two", "members", "evaluation", "scan", "quiet"),
  running: Running,
  own: Own,
  members: FastCheck.subarray(MEMBERS),
  passes: FastCheck.boolean()
})

const world = FastCheck.array(Step, { minLength: 2, maxLength: 24 })
type Step = typeof Step extends FastCheck.Arbitrary<infer A> ? A : never
type Row = Exclude<Step["running"], undefined>

interface MemberHead {
  readonly at: number
  readonly row: Row | undefined
  readonly startedIndex: number
}

interface Head {
  readonly at: number
  /** The index of each member's snapshot. */
  readonly members: ReadonlyMap<string, number>
  readonly own: Step["own"]
}

interface History {
  readonly members: ReadonlyMap<string, ReadonlyArray<MemberHead>>
  readonly heads: ReadonlyArray<Head>
  readonly scans: ReadonlyArray<readonly [at: number, passes: boolean]>
  readonly quiet: ReadonlyArray<number>
  readonly end: number
}

/** Runs steps, ten instants apart: a snapshot of the logical environment follows each snapshot of a member. */
const historyOf = (steps: ReadonlyArray<Step>): History => {
  const members = new Map<string, Array<MemberHead>>(MEMBERS.map((name) => [name, []]))
  const heads: Array<Head> = []
  const scans: Array<readonly [number, boolean]> = []
  const quiet: Array<number> = []
  let included: ReadonlyArray<string> = MEMBERS
  const append = (now: number, own: Step["own"]) => {
    const shown = included.flatMap((name) => {
      const index = members.get(name)?.length ?? 0
      return index === 0 ? [] : [[name, index] as const]
    })
    heads.push({ at: now, members: new Map(shown), own })
  }
  for (const [place, step] of steps.entries()) {
    const now = 10 * (place + 1)
    if (step.what === "scan") scans.push([now, step.passes])
    else if (step.what === "quiet") quiet.push(now)
    else if (step.what === "one" || step.what === "two") {
      const own = members.get(step.what) ?? []
      const before = own.at(-1)
      const startedIndex = before?.row === undefined ? own.length + 1 : before.startedIndex
      own.push({ at: now, row: step.running, startedIndex })
      // The snapshot of the logical environment may be a little later than its cause.
      if (included.includes(step.what)) append(now + (step.passes ? 0 : 3), step.own)
    } else {
      if (step.what === "members") included = step.members
      append(now, step.own)
    }
  }
  return { members, heads, scans, quiet, end: 10 * (steps.length + 2) }
}

const decisionsOf = ({ lab, other }: Row): RecordedRow["decisions"] =>
  [
    { policy_name: "lab", status: lab },
    { policy_name: "other", status: other }
  ].flatMap(({ policy_name, status }) =>
    status === undefined
      ? []
      : [{ policy_id: policy_name, policy_name, version: 1, status, outcomes: [] }]
  )

const verdictOf = (row: Row): Verdict.Verdict => PolicyEvaluation.verdictOf(decisionsOf(row))

/** The clock of a scan that fails was read before its locks were granted: its number alone says when it came. */
const scanAt = ([instant, passes]: History["scans"][number]): CommitPosition.CommitPosition => ({
  position: 10 * instant,
  at: at(passes ? instant : Math.max(1, instant - 15))
})

const scanBy = ({ scans }: History, evaluation: CommitPosition.VisibilityBound): boolean =>
  scans.filter((scan) => CommitPosition.isVisible(scanAt(scan), evaluation)).at(-1)?.[1] === true

const timelineOf = (given: History): FactTimeline => ({
  events: given.scans.map(scanAt),
  at: (evaluation) => {
    const is_compliant = scanBy(given, evaluation)
    const scan = { sequence: 1, name: "scan", type: "generic", level: "artifact", control: null }
    const view = {
      flow_name: "shop",
      tags: {},
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations: [{ ...scan, is_compliant }]
    }
    // WHY: ids that no policy reads are left out.
    return [{ view }] as unknown as ReturnType<FactTimeline["at"]>
  }
})

const numbered = ({ at: instant }: MemberHead, index: number) => ({
  index,
  at: at(instant),
  position: 10 * instant + 6,
  semantics: 1
})

/** A window of snapshots, and the instant at which it ends. */
interface Window {
  readonly first: number
  readonly last: number
  readonly to: number
}

/** What the policy of a member said about its row, as it is recorded. */
const evaluatedBy = (given: History, head: MemberHead, index: number): RecordedRow["decisions"] => {
  const flows = timelineOf(given)
    .at(numbered(head, index))
    .map(({ view }) => view)
  const facts = { artifact: { name: "app", fingerprint: "" }, flows }
  const { policy_decisions } = PolicyEvaluation.evaluate(candidate, facts)
  return RowDecision.fromDecisions(policy_decisions, () => "lab")
}

const memberPart = (
  given: History,
  { first, last, to }: Window,
  { name, verify }: { readonly name: string; readonly verify: boolean }
): ReadonlyArray<PolicyBacktest.MemberPart> => {
  const indexes = given.heads.slice(first, last).map(({ members }) => members.get(name) ?? null)
  const shown = indexes.filter((index) => index !== null)
  if (shown.length === 0) return []
  const own = given.members.get(name) ?? []
  const heads = own
    .map((head, place) => ({ head, index: place + 1 }))
    .filter(({ index }) => index >= Math.min(...shown) && index <= Math.max(...shown))
  const ends = own[Math.max(...shown)]
  return [
    {
      membership: { name, indexes },
      before: given.heads[first - 1]?.members.get(name) ?? null,
      next: ends === undefined ? null : at(ends.at),
      heads: heads.map(({ head, index }) => ({
        index,
        timestamp: at(head.at),
        verdict: "Unknown" as const
      })),
      rows: heads.flatMap(({ head, index }): ReadonlyArray<RecordedRow> => {
        const { row, startedIndex } = head
        if (row === undefined) return []
        const decisions = verify ? evaluatedBy(given, head, index) : decisionsOf(row)
        const verdict = PolicyEvaluation.verdictOf(decisions)
        return [
          {
            name: "app",
            fingerprint: "",
            firstIndex: index,
            lastIndex: index,
            startedIndex,
            verdict,
            decisions
          }
        ]
      }),
      context: {
        candidate,
        replaces: "lab",
        evidence: "judged",
        verify,
        horizon: { position: 100_000, at: at(to) },
        evaluations: EvaluationTimeline.make(own.map((head, place) => numbered(head, place + 1))),
        started: new Map(own.map((head, place) => [place + 1, numbered(head, place + 1)])),
        allowedPeriods: () => [],
        timelineOf: () => timelineOf(given),
        momentAt: ofInstant,
        versionOf: ({ id }) => (verify && id === "lab" ? candidate : undefined)
      }
    }
  ]
}

const policiesOf = ({ lab, other }: Step["own"]) =>
  [
    { name: "lab", fails: lab },
    { name: "other", fails: other }
  ].flatMap(({ fails, name }) =>
    fails === undefined ? [] : [{ id: name, name, version: 1, failing: fails ? [""] : [] }]
  )

/** When the policies of the logical environment itself evaluated all rows. */
const evaluationsOf = ({ heads, quiet }: History): ReadonlyArray<EvaluationTimeline.Evaluation> =>
  [...heads.map((head) => head.at), ...quiet]
    .sort((left, right) => left - right)
    .map((instant) => ({
      at: at(instant),
      position: 10 * instant + 6,
      index: heads.filter((head) => head.at <= instant).length
    }))

/** The snapshots of a window as a part; the logical environment has no policies where members are verified. */
const partIn = (given: History, window: Window, verify: boolean): PolicyBacktest.ReplayPart => {
  const { first, last, to } = window
  const from = given.heads[first]?.at ?? 0
  return {
    heads: given.heads.slice(first, last).map((head, place) => ({
      index: first + place + 1,
      timestamp: at(head.at),
      verdict: "Unknown",
      policies: verify ? [] : policiesOf(head.own)
    })),
    members: MEMBERS.flatMap((name) => memberPart(given, window, { name, verify })),
    evaluations: evaluationsOf(given).filter(({ at: instant }) => instant >= from && instant < to),
    momentAt: ofInstant,
    from: at(from),
    to: at(to),
    isFirst: first === 0,
    isLast: last === given.heads.length
  }
}

/** The snapshots from one place up to another as a part. */
const partOf = (given: History, first: number, last: number): PolicyBacktest.ReplayPart =>
  partIn(given, { first, last, to: given.heads[last]?.at ?? given.end }, false)

/** The row of a member at an instant, by definition. */
const momentOf =
  (given: History, name: string) =>
  (instant: number): Model.ModelInstant => {
    const head = given.heads.filter((each) => each.at <= instant).at(-1)
    const index = head?.members.get(name)
    const own = given.members.get(name) ?? []
    const member = index === undefined ? undefined : own[index - 1]
    if (head === undefined || member?.row === undefined)
      return { was: undefined, wouldBe: undefined }
    const { row } = member
    const passes = (status: string | undefined) => status !== "NON-COMPLIANT"
    const bySelf = scanBy(given, numbered(member, index ?? 0)) && passes(row.other)
    const inMember = row.lab === undefined ? verdictOf(row) : bySelf ? "Compliant" : "NonCompliant"
    const evaluated = evaluationsOf(given)
      .filter((each) => each.at <= instant)
      .at(-1)
    const { lab, other } = head.own
    const isOwn = lab !== undefined || other !== undefined
    const byOwn = (first: boolean): Verdict.Verdict =>
      first && other !== true ? "Compliant" : "NonCompliant"
    const candidatePasses = evaluated !== undefined && scanBy(given, evaluated)
    const lower = (left: Verdict.Verdict, right: Verdict.Verdict) =>
      isOwn ? Verdict.min(left, right) : left
    return {
      was: lower(verdictOf(row), byOwn(lab !== true)),
      wouldBe: lower(inMember, byOwn(lab === undefined || candidatePasses))
    }
  }

const shown = (flips: ReadonlyArray<PolicyBacktest.Flip>, name: string) =>
  flips
    .filter((flip) => flip.member === name)
    .map(({ from, to, was, wouldBe }) => ({ from: Number(from), to: Number(to), was, wouldBe }))

describe("LogicalBacktest", () => {
  it.prop(
    "finds the flips and times of a walk over every instant (laws HIST-21 to HIST-23)",
    [world],
    ([steps]) => {
      const given = historyOf(steps)
      if (given.heads.length === 0) return
      const { flips, totals } = PolicyBacktest.replay(partOf(given, 0, given.heads.length))
      const from = given.heads[0]?.at ?? 0
      for (const name of MEMBERS)
        assert.deepStrictEqual(
          shown(flips, name),
          Model.flips(momentOf(given, name), from, given.end)
        )
      const timesOf = (of: (moment: Model.ModelInstant) => string | undefined) =>
        Model.nonCompliant(
          MEMBERS.map((name) => (instant) => of(momentOf(given, name)(instant))),
          from,
          given.end
        )
      const [was, wouldBe] = [timesOf((each) => each.was), timesOf((each) => each.wouldBe)]
      assert.deepStrictEqual(totals.rowTime, { was: was.all, wouldBe: wouldBe.all })
      assert.deepStrictEqual(totals.nonCompliant, { was: was.some, wouldBe: wouldBe.some })
      for (const { firstIndex, from: begin, lastIndex, to } of flips) {
        const indexAt = (instant: number) => given.heads.filter((head) => head.at <= instant).length
        assert.deepStrictEqual([firstIndex, lastIndex], [indexAt(begin), indexAt(to - 1)])
      }
    }
  )

  it.prop(
    "reproduces every row of members that come and go, wherever its window ends (law HIST-1)",
    [world, FastCheck.nat(400)],
    ([steps, place]) => {
      const given = historyOf(steps)
      const begin = given.heads[0]?.at
      if (begin === undefined) return
      const to = begin + 1 + (place % (given.end - begin))
      const last = given.heads.filter((head) => head.at < to).length
      const { flips, totals } = PolicyBacktest.replay(partIn(given, { first: 0, last, to }, true))
      assert.deepStrictEqual(totals.unreproduced, PolicyBacktest.empty.unreproduced)
      assert.deepStrictEqual(flips, [])
    }
  )

  it.prop(
    "gives the whole when a history is cut in two (law HIST-24)",
    [world, FastCheck.nat(20)],
    ([steps, place]) => {
      const given = historyOf(steps)
      const count = given.heads.length
      if (count < 2) return
      const cut = 1 + (place % (count - 1))
      const whole = PolicyBacktest.replay(partOf(given, 0, count))
      const first = PolicyBacktest.replay(partOf(given, 0, cut))
      const second = PolicyBacktest.after(
        PolicyBacktest.open(first.flips),
        PolicyBacktest.replay(partOf(given, cut, count))
      )
      const joined = PolicyBacktest.join([...first.flips, ...second.flips])
      for (const name of MEMBERS)
        assert.deepStrictEqual(shown(joined, name), shown(whole.flips, name))
      const { flips, nonCompliant, rowTime } = PolicyBacktest.add(first.totals, second.totals)
      assert.deepStrictEqual(
        { flips, nonCompliant, rowTime },
        {
          flips: whole.totals.flips,
          nonCompliant: whole.totals.nonCompliant,
          rowTime: whole.totals.rowTime
        }
      )
    }
  )
})

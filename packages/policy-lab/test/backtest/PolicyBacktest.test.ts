/** A backtest of a part equals a walk over every instant (laws HIST-21 to HIST-24). */

import * as CommitPosition from "@attestry/core/CommitPosition"
import { ofInstant } from "@attestry/core/EnvironmentMoments"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { FactTimeline } from "@attestry/core/FactTimeline"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import * as Moment from "@attestry/core/Moment"
import type { PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import * as Timestamp from "@attestry/core/Timestamp"
import * as PolicyEvaluationModel from "@attestry/core/testing/PolicyEvaluationModel"
import type { Verdict } from "@attestry/core/Verdict"
import * as PolicyBacktest from "@attestry/policy-lab/PolicyBacktest"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { HistoryHead } from "../../src/backtest/internal/HistoryPart.js"
import * as Model from "./PolicyBacktestModel.js"

/** Instants are whole seconds. */
const END = 60
const at = Timestamp.fromSeconds
const MICROS = 1_000_000
const NAMES = ["a", "b"]

/** A policy that asks for a scan of at most an age. */
const scanned = (maxAge: number | undefined): PolicyDocument => ({
  schema: "https://example.org/v2",
  provenance: { required: false, exceptions: [] },
  trailCompliance: { required: false, exceptions: [] },
  attestations: [
    {
      name: "scan",
      type: "generic",
      condition: null,
      mustBeCompliant: true,
      forControl: null,
      ...(maxAge === undefined ? {} : { maxAge })
    }
  ]
})

const policyOf = ({ maxAge }: World) => ({
  id: "candidate",
  name: "lab",
  version: 0,
  document: scanned(maxAge)
})

type Status = RecordedRow["decisions"][number]["status"]

const instants = FastCheck.uniqueArray(FastCheck.integer({ min: 2, max: END - 1 }), {
  maxLength: 14
}).map((found) => [...found].sort((left, right) => left - right))

const recorded = FastCheck.record({
  isRunning: FastCheck.boolean(),
  lab: FastCheck.constantFrom<Status | undefined>("COMPLIANT", "NON-COMPLIANT", undefined),
  other: FastCheck.constantFrom<Status | undefined>("COMPLIANT", "NON-COMPLIANT", undefined)
})

const world = FastCheck.record({
  snapshots: instants,
  /** The evaluations of all rows, and whether time alone caused them. */
  evaluated: FastCheck.tuple(
    instants,
    FastCheck.array(FastCheck.boolean(), { minLength: 14, maxLength: 14 })
  ).map(([found, decays]) =>
    found.map((instant, place) => ({ instant, isDecay: decays[place] ?? false }))
  ),
  events: FastCheck.array(
    FastCheck.tuple(FastCheck.integer({ min: 1, max: END }), FastCheck.boolean()),
    {
      maxLength: 8
    }
  ),
  rows: FastCheck.array(FastCheck.tuple(recorded, recorded), { minLength: 15, maxLength: 15 }),
  replaces: FastCheck.constantFrom("lab", null),
  maxAge: FastCheck.option(FastCheck.integer({ min: 1, max: 25 }), { nil: undefined })
})
type World = typeof world extends FastCheck.Arbitrary<infer A> ? A : never

type Recorded = World["rows"][number][number]

const decisionsOf = ({ lab, other }: Recorded): RecordedRow["decisions"] =>
  [
    { policy_name: "lab", status: lab },
    { policy_name: "other", status: other }
  ].flatMap(({ policy_name, status }) =>
    status === undefined
      ? []
      : [{ policy_id: policy_name, policy_name, version: 1, status, outcomes: [] }]
  )

const verdictOf = (row: Recorded): Verdict => PolicyEvaluation.verdictOf(decisionsOf(row))

/** The facts by the last visible event. */
const factsBy = ({ events }: World, evaluation: CommitPosition.VisibilityBound): Facts => {
  const last = [...events]
    .sort(([left], [right]) => left - right)
    .filter(([instant]) =>
      CommitPosition.isVisible({ position: 10 * instant, at: at(instant) }, evaluation)
    )
    .at(-1)
  const scan = { sequence: 1, name: "scan", type: "generic", level: "artifact", control: null }
  return {
    artifact: { name: "", fingerprint: "" },
    flows: [
      {
        flow_name: "shop",
        tags: {},
        trail_name: "t",
        artifact_status: "COMPLIANT",
        attestations:
          last === undefined
            ? []
            : [{ ...scan, level: "artifact", is_compliant: last[1], reported_at: last[0] }]
      }
    ]
  }
}

const timelineOf = (given: World): FactTimeline => ({
  events: [...given.events]
    .sort(([left], [right]) => left - right)
    .map(([instant]) => ({ position: 10 * instant, at: at(instant) })),
  at: (evaluation) =>
    // WHY: ids that no policy reads are left out.
    factsBy(given, evaluation).flows.map((view) => ({ view })) as unknown as ReturnType<
      FactTimeline["at"]
    >
})

const heads = ({ snapshots }: World): ReadonlyArray<HistoryHead> =>
  [1, ...snapshots].map((instant, index) => ({
    index: index + 1,
    timestamp: at(instant),
    verdict: "Unknown"
  }))

/** Each row of each snapshot as a piece of its own; one that ran before has started then. */
const piecesOf = (given: World): ReadonlyArray<RecordedRow> =>
  NAMES.flatMap((name, which) => {
    let startedIndex = 0
    return heads(given).flatMap(({ index }): ReadonlyArray<RecordedRow> => {
      const row = given.rows[index - 1]?.[which]
      const before = given.rows[index - 2]?.[which]
      if (row === undefined || !row.isRunning) return []
      if (before === undefined || !before.isRunning) startedIndex = index
      return [
        {
          name,
          fingerprint: "",
          firstIndex: index,
          lastIndex: index,
          startedIndex,
          verdict: verdictOf(row),
          decisions: decisionsOf(row)
        }
      ]
    })
  })

/** A decay is evaluated as late as possible: just before the next evaluation. */
const evaluationsOf = (given: World): ReadonlyArray<EvaluationTimeline.Evaluation> =>
  given.evaluated.map(({ instant, isDecay }, place) => ({
    position: isDecay ? 10 * (given.evaluated[place + 1]?.instant ?? END) + 4 : 10 * instant + 5,
    at: at(instant),
    index: heads(given).filter(({ timestamp }) => timestamp <= at(instant)).length,
    is_decay: isDecay
  }))

const startedOf = (given: World) =>
  new Map(
    heads(given).map(({ index, timestamp }) => [
      index,
      { index, at: timestamp, position: 10 * Timestamp.toSeconds(timestamp) + 6, semantics: 1 }
    ])
  )

const contextOf = (given: World): PolicyBacktest.BacktestContext => ({
  candidate: PolicyEvaluation.compile([policyOf(given)]),
  replaces: given.replaces,
  evidence: "judged",
  verify: false,
  horizon: { position: 10_000, at: at(END) },
  evaluations: EvaluationTimeline.make(evaluationsOf(given)),
  started: startedOf(given),
  allowedPeriods: () => [],
  timelineOf: () => timelineOf(given),
  momentAt: ofInstant,
  versionOf: () => undefined
})

const partOf = (given: World, from: number, to: number) => ({
  heads: heads(given),
  rows: piecesOf(given),
  from: at(from),
  to: at(to),
  isFirst: from === 1,
  isLast: to === END
})

/**
 * Whether the candidate passes at each second since an evaluation, by definition: where time alone changes its
 * decision, it is evaluated on all evidence accepted by that second.
 */
const passesSince = (
  given: World,
  evaluation: EvaluationTimeline.Evaluation
): ((second: number) => boolean) => {
  const passes = new Map<number, boolean>()
  let facts = factsBy(given, EvaluationTimeline.boundOf(evaluation))
  const decide = (second: number) =>
    PolicyEvaluationModel.evaluate([policyOf(given)], facts, Moment.at(at(second)))
  const begin = Timestamp.toSeconds(evaluation.at)
  let last = JSON.stringify(decide(begin))
  for (let second = begin; second < END; second++) {
    if (JSON.stringify(decide(second)) !== last) {
      facts = factsBy(given, CommitPosition.asOf(at(second)))
      last = JSON.stringify(decide(second))
    }
    passes.set(second, decide(second).verdict === "Compliant")
  }
  return (second) => passes.get(second) === true
}

/** The row of a name at an instant, by definition. */
const momentOf = (given: World, name: string) => {
  const pieces = piecesOf(given).filter((each) => each.name === name)
  const [position, starts, evaluations] = [heads(given), startedOf(given), evaluationsOf(given)]
  const known = new Map<number, (second: number) => boolean>()
  return (instant: number): Model.ModelInstant => {
    const index = position.filter(({ timestamp }) => timestamp <= at(instant)).length
    const row = pieces.find(({ firstIndex }) => firstIndex === index)
    const started = starts.get(row?.startedIndex ?? 0)
    if (row === undefined || started === undefined) return { was: undefined, wouldBe: undefined }
    const later = evaluations
      .filter((evaluation) => evaluation.at <= at(instant) && evaluation.at >= started.at)
      .filter((evaluation) => evaluation.index >= started.index)
      .at(-1)
    const by = later ?? started
    const passesAt = known.get(by.position) ?? passesSince(given, by)
    known.set(by.position, passesAt)
    const passes = passesAt(instant)
    const isIn = given.replaces === null || row.decisions.some((each) => each.policy_name === "lab")
    const others = row.decisions.filter((each) => each.policy_name !== given.replaces)
    const wouldBe = isIn
      ? passes && others.every(({ status }) => status === "COMPLIANT")
        ? "Compliant"
        : "NonCompliant"
      : row.verdict
    return { was: row.verdict, wouldBe }
  }
}

const shown = (flips: ReadonlyArray<PolicyBacktest.Flip>, name: string) =>
  flips
    .filter((flip) => flip.name === name)
    .map(({ from, to, was, wouldBe }) => ({
      from: Timestamp.toSeconds(from),
      to: Timestamp.toSeconds(to),
      was,
      wouldBe
    }))

describe("PolicyBacktest", () => {
  it.prop(
    "finds the flips and times of a walk over every instant (laws HIST-21 to HIST-23)",
    [world],
    ([given]) => {
      const { flips, totals } = PolicyBacktest.replay(
        PolicyBacktest.ofPhysical(partOf(given, 1, END), contextOf(given))
      )
      const moments = NAMES.map((name) => momentOf(given, name))
      for (const [which, name] of NAMES.entries())
        assert.deepStrictEqual(
          shown(flips, name),
          Model.flips(moments[which] ?? assert.fail(), 1, END)
        )
      const timesOf = (of: (moment: Model.ModelInstant) => string | undefined) =>
        Model.nonCompliant(
          moments.map((moment) => (instant) => of(moment(instant))),
          1,
          END
        )
      const [was, wouldBe] = [timesOf((each) => each.was), timesOf((each) => each.wouldBe)]
      assert.deepStrictEqual(totals.rowTime, {
        was: was.all * MICROS,
        wouldBe: wouldBe.all * MICROS
      })
      assert.deepStrictEqual(totals.nonCompliant, {
        was: was.some * MICROS,
        wouldBe: wouldBe.some * MICROS
      })
    }
  )

  it("begins a flip at the instant at which evidence is too old, and not at the next evaluation", () => {
    const row = { isRunning: true, lab: "COMPLIANT", other: undefined } as const
    const given: World = {
      snapshots: [],
      evaluated: [{ instant: 50, isDecay: false }],
      events: [
        [1, true],
        [20, true]
      ],
      rows: [[row, { ...row, isRunning: false }]],
      replaces: "lab",
      maxAge: 10
    }
    const { flips } = PolicyBacktest.replay(
      PolicyBacktest.ofPhysical(partOf(given, 1, END), contextOf(given))
    )
    // WHY none at 20: nothing evaluates the renewed scan before 50.
    assert.deepStrictEqual(shown(flips, "a"), [
      { from: 11, to: END, was: "Compliant", wouldBe: "NonCompliant" }
    ])
    assert.deepStrictEqual(
      flips.flatMap(({ reasons }) => reasons().map(({ type }) => type)),
      ["evidence_expired"]
    )
  })

  it.prop(
    "gives the whole when a history is cut in two (law HIST-24)",
    [world, FastCheck.integer({ min: 2, max: END - 1 })],
    ([given, cut]) => {
      const whole = PolicyBacktest.replay(
        PolicyBacktest.ofPhysical(partOf(given, 1, END), contextOf(given))
      )
      const first = PolicyBacktest.replay(
        PolicyBacktest.ofPhysical(partOf(given, 1, cut), contextOf(given))
      )
      const second = PolicyBacktest.after(
        PolicyBacktest.open(first.flips),
        PolicyBacktest.replay(PolicyBacktest.ofPhysical(partOf(given, cut, END), contextOf(given)))
      )
      const joined = PolicyBacktest.join([...first.flips, ...second.flips])
      for (const name of NAMES)
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

/**
 * While servers of two releases work, one decides under other semantics of rules what the other has started. Every row
 * that a backtest does not give again has its cause (law HIST-36).
 */
import { ofInstant } from "@attestry/core/EnvironmentMoments"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { FactTimeline } from "@attestry/core/FactTimeline"
import type { RecordedRow } from "@attestry/core/HistoryStore"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RowReplay from "../../src/backtest/internal/RowReplay.js"

const at = Timestamp.fromSeconds
const END = at(1_000)

/** A policy that no row passes under the present semantics: it asks for a flow, and no row has one. */
const STRICT = PolicyEvaluation.compile([
  {
    id: "p",
    name: "lab",
    version: 1,
    document: {
      schema: "https://example.org/v2",
      provenance: { required: true, exceptions: [] },
      trailCompliance: { required: false, exceptions: [] },
      attestations: []
    }
  }
])

const NO_FACTS: FactTimeline = { events: [], at: () => [] }

/** What the present semantics decide. */
const own = PolicyEvaluation.evaluate(
  STRICT,
  { artifact: { name: "app", fingerprint: "" }, flows: [] },
  ofInstant(at(1))
).policy_decisions.map(({ status, rule_evaluations }) => ({
  policy_id: "p",
  policy_name: "lab",
  version: 1,
  status,
  outcomes: rule_evaluations.map(({ resolutions }) => resolutions.map(({ type }) => type))
}))

/** A snapshot that decides the row again: under which semantics, and what, where they are others. */
const judged = FastCheck.record({
  isOther: FastCheck.boolean(),
  passes: FastCheck.boolean()
})

type Judged = typeof judged extends FastCheck.Arbitrary<infer A> ? A : never

const passing = own.map((decision) => ({
  ...decision,
  status: "COMPLIANT" as const,
  outcomes: decision.outcomes.map((outcomes) => outcomes.map(() => "rule_satisfied" as const))
}))

const decisionsOf = ({ isOther, passes }: Judged) => (isOther && passes ? passing : own)

/** One row from the first snapshot on, as intervals with equal decisions. */
const rowsOf = (history: ReadonlyArray<Judged>): ReadonlyArray<RecordedRow> => {
  const rows: Array<RecordedRow> = []
  for (const [place, each] of history.entries()) {
    const decisions = decisionsOf(each)
    const last = rows.at(-1)
    if (last?.decisions === decisions) rows[rows.length - 1] = { ...last, lastIndex: place + 1 }
    else
      rows.push({
        name: "app",
        fingerprint: "",
        firstIndex: place + 1,
        lastIndex: place + 1,
        startedIndex: 1,
        verdict: decisions === own ? "NonCompliant" : "Compliant",
        decisions
      })
  }
  return rows
}

const replayed = (history: ReadonlyArray<Judged>, rows: ReadonlyArray<RecordedRow>) => {
  const heads = history.map((_, place) => ({
    index: place + 1,
    timestamp: at(place + 1),
    verdict: "Unknown" as const
  }))
  const started = new Map(
    history.map(({ isOther }, place) => [
      place + 1,
      {
        index: place + 1,
        at: at(place + 1),
        position: place + 1,
        semantics: isOther ? SEMANTICS + 1 : SEMANTICS
      }
    ])
  )
  const part = { heads, rows, from: at(1), to: END, isFirst: true, isLast: true }
  return RowReplay.segmentsOf(part, rows, {
    candidate: STRICT,
    replaces: "lab",
    evidence: "judged",
    verify: true,
    horizon: { position: 10_000, at: END },
    evaluations: EvaluationTimeline.make([...started.values()]),
    started,
    allowedPeriods: () => [],
    timelineOf: () => NO_FACTS,
    momentAt: ofInstant,
    versionOf: () => STRICT
  }).unreproduced
}

const histories = FastCheck.array(judged, { minLength: 1, maxLength: 12 })

describe("backtests of what servers of two releases have decided", () => {
  it.prop(
    "have a cause for every row that is not given again (law HIST-36)",
    [histories],
    ([history]) => {
      assert.strictEqual(replayed(history, rowsOf(history)).rows, 0)
    }
  )

  it("have none where this release alone has decided, and tell a row that it has not", () => {
    const history = [
      { isOther: false, passes: false },
      { isOther: false, passes: false }
    ]
    const rows = rowsOf(history)
    assert.deepStrictEqual(replayed(history, rows), { rows: 0, other_semantics: 0, in_flight: 0 })
    const wrong = rows.map((row) => ({ ...row, verdict: "Compliant" as const, decisions: passing }))
    assert.deepStrictEqual(replayed(history, wrong), { rows: 1, other_semantics: 0, in_flight: 0 })
  })

  it("name other semantics where another release has decided what this one has started", () => {
    const history = [
      { isOther: false, passes: false },
      { isOther: true, passes: true }
    ]
    assert.deepStrictEqual(replayed(history, rowsOf(history)), {
      rows: 0,
      other_semantics: 1,
      in_flight: 0
    })
  })
})

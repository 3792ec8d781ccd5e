/** F-7: silences follow from the instants of reports alone; schedules of looks and a clock that steps back add none. */
import { deepStrictEqual } from "node:assert"
import * as Cadence from "@attestry/core/Cadence"
import * as Silence from "@attestry/core/Silence"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"

const EVERY = 60

const at = (seconds: number): Timestamp.Timestamp => Timestamp.fromSeconds(seconds)

interface State extends Silence.ReportTimes {
  readonly silences: ReadonlyArray<Silence.Silence>
}

const START: State = { report_every: EVERY, last_reported_at: null, silences: [] }

interface Step {
  readonly kind: "report" | "look"
  readonly now: number
}

/** Ends the open silence. */
const ended = ({ silent_since, silences, ...state }: State, to_at: Timestamp.Timestamp): State => ({
  ...state,
  silences: silences.map((each) => (each.to_at === null ? { ...each, to_at } : each))
})

const look = (state: State, now: Timestamp.Timestamp): State => {
  const decision = Silence.decide(state, now)
  if (decision._tag === "Begin") {
    const opened = { from_at: decision.since, to_at: null }
    return { ...state, silent_since: decision.since, silences: [...state.silences, opened] }
  }
  return decision._tag === "End" ? ended(state, decision.at) : state
}

/** A report looks first, ends a silence, and never moves the time of the last report back. */
const report = (state: State, now: Timestamp.Timestamp): State => {
  const looked = look(state, now)
  const open =
    looked.silent_since === undefined
      ? looked
      : ended(looked, Silence.endOf(looked.silent_since, now))
  const last = Math.max(open.last_reported_at ?? now, now)
  return { ...open, last_reported_at: Timestamp.fromMicros(last) }
}

const play = (steps: ReadonlyArray<Step>): State =>
  steps.reduce((state, { kind, now }) => (kind === "report" ? report : look)(state, at(now)), START)

/** The silences of a rising clock, from gaps between reports. */
const model = (reports: ReadonlyArray<number>, end: number): ReadonlyArray<Silence.Silence> =>
  reports.flatMap((reported, index) => {
    const next = reports[index + 1]
    const since = reported + EVERY
    const isMissed = (next ?? end) >= since + Silence.GRACE_SECONDS
    return isMissed ? [{ from_at: at(since), to_at: next === undefined ? null : at(next) }] : []
  })

const steps = FastCheck.array(
  FastCheck.record({
    kind: FastCheck.constantFrom("report" as const, "look" as const),
    now: FastCheck.integer({ min: 1, max: 1_000 })
  }),
  { maxLength: 30 }
)

describe("Silence", () => {
  it("begins with the missed report, and is declared 15 seconds later", () => {
    const times = { report_every: EVERY, last_reported_at: at(100) }
    deepStrictEqual(Silence.decide(times, at(174.999_999)), { _tag: "Wait", until: at(175) })
    deepStrictEqual(Silence.decide(times, at(175)), {
      _tag: "Begin",
      since: at(160),
      due: at(175)
    })
  })

  it("does not begin before the first report, and not without a cadence", () => {
    const nothing = { _tag: "Wait", until: null }
    const late = at(1e9)
    deepStrictEqual(Silence.decide({ report_every: EVERY, last_reported_at: null }, late), nothing)
    deepStrictEqual(Silence.decide({ last_reported_at: at(0) }, late), nothing)
  })

  it("begins once, and ends with a report whose time was stored late", () => {
    const silent = { report_every: EVERY, last_reported_at: at(100), silent_since: at(160) }
    deepStrictEqual(Silence.decide(silent, at(1e6)), { _tag: "Wait", until: null })
    const reported = { ...silent, last_reported_at: at(170) }
    deepStrictEqual(Silence.decide(reported, at(180)), { _tag: "End", at: at(170) })
  })

  it("is declared as of an instant from its declaration until its end", () => {
    const silence = { from_at: at(160), to_at: at(300) }
    const answers = [174, 175, 299, 300].map((now) => Silence.isDeclaredAt(silence, at(now)))
    deepStrictEqual(answers, [false, true, true, false])
  })

  it("is the same for any schedule of looks, as a slow model of gaps has it", () => {
    FastCheck.assert(
      FastCheck.property(steps, (made) => {
        const sorted = [...made].sort((left, right) => left.now - right.now)
        const end = (sorted.at(-1)?.now ?? 0) + 500
        const reports = sorted.filter(({ kind }) => kind === "report").map(({ now }) => now)
        deepStrictEqual(play([...sorted, { kind: "look", now: end }]).silences, model(reports, end))
      })
    )
  })

  it("never begins for reports within the cadence", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.integer({ min: 0, max: EVERY }), { minLength: 1 }),
        (gaps) => {
          let now = 0
          const made = gaps.flatMap((gap): ReadonlyArray<Step> => {
            now += gap
            return [
              { kind: "look", now },
              { kind: "report", now }
            ]
          })
          deepStrictEqual(play(made).silences, [])
        }
      )
    )
  })

  it("comes from no step of the clock backwards", () => {
    FastCheck.assert(
      FastCheck.property(steps, (made) => {
        const { silences } = play(made)
        const latest = Math.max(0, ...made.map(({ now }) => now))
        for (const { from_at, to_at } of silences) {
          assert.isAtMost(Silence.dueOf(from_at), at(latest))
          assert.isTrue(to_at === null || to_at >= from_at)
        }
        assert.isAtMost(silences.filter(({ to_at }) => to_at === null).length, 1)
      })
    )
  })

  it("gives snapshots a reason only where silence counts", () => {
    const silent = { report_every: 900, silent_since: at(160) }
    deepStrictEqual(Silence.reasonsOf(silent), [])
    deepStrictEqual(Silence.reasonsOf({ report_every: 900, when_silent: "non_compliant" }), [])
    const [reason] = Silence.reasonsOf({ ...silent, when_silent: "non_compliant" })
    deepStrictEqual([reason?.type, reason?.silent_since], ["environment_silent", at(160)])
    assert.include(reason?.description, "more than 15 minutes")
  })
})

describe("Cadence", () => {
  it("is absent from stored values without one", () => {
    deepStrictEqual(Cadence.revise({}, { report_every: null, when_silent: "warn" }), {})
    deepStrictEqual(Cadence.revise({ report_every: 60 }, { report_every: null }), {})
    deepStrictEqual(Cadence.revise({ report_every: 60 }, { when_silent: "non_compliant" }), {
      report_every: 60,
      when_silent: "non_compliant"
    })
    deepStrictEqual(Cadence.of({}), { report_every: null, when_silent: "warn" })
  })

  it("is told in the largest unit", () => {
    deepStrictEqual([60, 90, 900, 86_400].map(Cadence.describe), [
      "1 minute",
      "90 seconds",
      "15 minutes",
      "1 day"
    ])
  })
})

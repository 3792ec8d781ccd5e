/** The contract of `ReadModels.recentVerdicts` and `ReadModels.timelineSnapshots`: verdicts over time. */

import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import { EnvironmentId } from "@attestry/core/Identifier"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { Ports } from "@attestry/core/Ports"
import { ReadModels } from "@attestry/core/ReadModels"
import { type RecentVerdicts, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as TimelineColumns from "@attestry/core/TimelineColumns"
import * as Timestamp from "@attestry/core/Timestamp"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import { verdictHistory, windowOver } from "../arbitrary/VerdictHistory.js"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

type History = ReadonlyArray<TimelineColumns.TimelineSnapshot>

const append = (environment: EnvironmentRef, history: History) =>
  Effect.flatMap(SnapshotStore, (store) =>
    Effect.forEach(history, ({ index, timestamp, verdict }) =>
      store.append(environment, {
        index,
        timestamp,
        verdict,
        counts: { true: index, false: 1, null: 2 },
        policies: [],
        ended: [],
        begun: [],
        events: [],
        evaluated_all: true,
        semantics: SEMANTICS
      })
    )
  )

/** What is known of late, found by looking at every snapshot. */
const expectedOf = (history: History, since: number): ReadonlyArray<RecentVerdicts> => {
  const latest = history.at(-1)
  if (latest === undefined) return []
  const { index, timestamp, verdict } = latest
  const others = history.filter((each) => each.verdict !== verdict)
  const alike = history.filter((each) => each.index > (others.at(-1)?.index ?? 0))
  const inForce = history.filter((each) => each.timestamp <= since).at(-1)?.index ?? 0
  const late = history.filter((each) => each.index >= inForce)
  return [
    {
      latest: { index, timestamp, verdict, counts: { true: index, false: 1, null: 2 } },
      verdictSince: alike[0]?.timestamp ?? timestamp,
      runs: late
        .filter((each, at) => each.verdict !== late[at - 1]?.verdict)
        .map((each) => ({ from: each.timestamp, verdict: each.verdict }))
    }
  ]
}

const scene = verdictHistory.chain((history) =>
  FastCheck.tuple(windowOver(history), windowOver(history)).map((windows) => ({
    history,
    periods: windows.map((window) => ({ from: window.from, to: TimelineColumns.endOf(window) }))
  }))
)

/** States the contract. */
export const verdictTimesSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`Verdicts over time (${name})`, ports, options, (it) => {
    it.effect.prop(
      "tells the snapshots of a time, and the one in force when it begins",
      { scene },
      ({ scene: { history, periods } }) =>
        Effect.gen(function* () {
          const environment = ref(yield* Fixture.environment(yield* Fixture.org))
          yield* append(environment, history)
          for (const { from, to } of periods) {
            const inForce = history.filter(({ timestamp }) => timestamp <= from).at(-1)?.index ?? 0
            deepStrictEqual(
              yield* (yield* ReadModels).timelineSnapshots(environment, { from, to }),
              history.filter(({ index, timestamp }) => index >= inForce && timestamp < to)
            )
          }
        }),
      { timeout: 120_000, fastCheck: { numRuns: 25 } }
    )

    it.effect.prop(
      "tells the newest snapshot of several environments, and their verdicts since an instant",
      {
        one: verdictHistory,
        two: verdictHistory,
        since: FastCheck.integer({ min: 900, max: 2_500 })
      },
      ({ one, two, since }) =>
        Effect.gen(function* () {
          const org = yield* Fixture.org
          const first = ref(yield* Fixture.environment(org))
          const second = ref(yield* Fixture.environment(org, "staging"))
          yield* append(first, one)
          yield* append(second, two)
          const asked = [second, first].map(({ environment }) => environment)
          const found = yield* (yield* ReadModels).recentVerdicts(
            org.id,
            [...asked, EnvironmentId.make("nowhere")],
            Timestamp.fromMicros(since)
          )
          const of = ({
            environment
          }: EnvironmentRef): ReadonlyArray<RecentVerdicts | undefined> =>
            found.has(environment) ? [found.get(environment)] : []
          deepStrictEqual(of(first), expectedOf(one, since))
          deepStrictEqual(of(second), expectedOf(two, since))
          deepStrictEqual(
            [...found.keys()].filter((id) => !asked.includes(id)),
            []
          )
        }),
      { timeout: 120_000, fastCheck: { numRuns: 25 } }
    )

    it.effect("tells nothing of another org", () =>
      Effect.gen(function* () {
        const environment = ref(yield* Fixture.environment(yield* Fixture.org))
        const other = yield* Fixture.org
        const at = Timestamp.fromMicros(1_000)
        yield* append(environment, [{ index: 1, timestamp: at, verdict: "Unknown" }])
        const period = { from: Timestamp.fromMicros(0), to: Timestamp.fromMicros(9_000) }
        deepStrictEqual(
          (yield* (yield* ReadModels).timelineSnapshots(environment, period)).length,
          1
        )
        deepStrictEqual(
          yield* (yield* ReadModels).timelineSnapshots({ ...environment, org: other.id }, period),
          []
        )
        const late = yield* (yield* ReadModels).recentVerdicts(
          other.id,
          [environment.environment],
          period.from
        )
        deepStrictEqual(late.size, 0)
      })
    )
  })

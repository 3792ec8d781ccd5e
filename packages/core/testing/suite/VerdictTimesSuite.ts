/** The contract of `SnapshotStore.recent` and `SnapshotStore.timeline`: verdicts over time. */
import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import { EnvironmentId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { type RecentVerdicts, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as TimelineColumns from "@attestry/core/TimelineColumns"
import * as Timestamp from "@attestry/core/Timestamp"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import { verdictHistory, windowOver } from "../arbitrary/VerdictHistory.js"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

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
        events: []
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
  FastCheck.tuple(windowOver(history), windowOver(history)).map((windows) => ({ history, windows }))
)

/** States the contract. */
export const verdictTimesSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`Verdicts over time (${name})`, ports, options, (it) => {
    it.effect.prop(
      "tells what began in each column of a window",
      { scene },
      ({ scene: { history, windows } }) =>
        Effect.gen(function* () {
          const store = yield* SnapshotStore
          const environment = ref(yield* Fixture.environment(yield* Fixture.org))
          yield* append(environment, history)
          for (const window of windows)
            deepStrictEqual(
              yield* store.timeline(environment, window),
              TimelineColumns.partsOf(history, window)
            )
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
          const store = yield* SnapshotStore
          const org = yield* Fixture.org
          const first = ref(yield* Fixture.environment(org))
          const second = ref(yield* Fixture.environment(org, "staging"))
          yield* append(first, one)
          yield* append(second, two)
          const asked = [second, first].map(({ environment }) => environment)
          const found = yield* store.recent(
            org.id,
            [...asked, EnvironmentId.make("nowhere")],
            Timestamp.fromMicros(since)
          )
          const of = ({ environment }: EnvironmentRef) =>
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

    it.effect("tells 401 changes of a verdict and no more, and nothing of another org", () =>
      Effect.gen(function* () {
        const store = yield* SnapshotStore
        const environment = ref(yield* Fixture.environment(yield* Fixture.org))
        const other = yield* Fixture.org
        const verdicts = ["Compliant", "NonCompliant"] as const
        const history = Array.from({ length: TimelineColumns.BANDS_MAX + 5 }, (_, at) => ({
          index: at + 1,
          timestamp: Timestamp.fromMicros(1_000 + at),
          verdict: verdicts[at % 2] ?? "Unknown"
        }))
        yield* append(environment, history)
        const window = {
          from: Timestamp.fromMicros(0),
          step: 1_000,
          columns: 5,
          until: Timestamp.fromMicros(9_000)
        }
        const found = yield* store.timeline(environment, window)
        deepStrictEqual(found, TimelineColumns.partsOf(history, window))
        deepStrictEqual(found.changes.length, TimelineColumns.BANDS_MAX + 1)
        const foreign = { ...environment, org: other.id }
        deepStrictEqual(yield* store.timeline(foreign, window), {
          before: null,
          started: [],
          changes: []
        })
        const late = yield* store.recent(other.id, [environment.environment], window.from)
        deepStrictEqual(late.size, 0)
      })
    )
  })

/** The statements about snapshots, events and the audit log whose cost is bounded. */

import { ref } from "@attestry/core/Environment"
import { EnvironmentEventExport } from "@attestry/core/EnvironmentEventExport"
import * as Identifier from "@attestry/core/Identifier"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import { ReadModels } from "@attestry/core/ReadModels"
import { type SnapshotDraft, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect, Option, Stream } from "effect"
import { fingerprint, type Statements, span } from "./Statement.js"

const at = (index: number) => ({ _tag: "AtIndex" as const, index })

const row = (index: number, started_index: number) => ({
  name: `name-${index}`,
  fingerprint: fingerprint(index),
  verdict: "Unknown" as const,
  started_index,
  flows: [],
  decisions: [],
  creationTimestamp: [1],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i)

/** A snapshot in which artifacts with the numbers `begun` replace those with the numbers `ended`. */
const draft = (
  index: number,
  ended: ReadonlyArray<number>,
  begun: ReadonlyArray<number>
): SnapshotDraft => ({
  index,
  timestamp: Timestamp.fromMicros(index),
  verdict: "Unknown",
  counts: { true: 0, false: 0, null: begun.length },
  policies: [],
  ended: ended.map((number) => row(number, 1)),
  begun: begun.map((number) => row(number, index)),
  events: [
    ...ended.map((number) => ({
      ...row(number, 1),
      annotation: { type: "exited" as const, was: 1, now: 0 },
      arrived: false
    })),
    ...begun.map((number) => ({
      ...row(number, 1),
      annotation: { type: "started-compliant" as const, was: 0, now: 1 },
      arrived: true
    }))
  ],
  evaluated_all: true,
  semantics: SEMANTICS
})

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "the head of the newest snapshot": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.latest(wide)),
  "a snapshot of a long history": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.find(long, at(size / 2))),
  "a snapshot at an instant": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.find(long, { _tag: "AtInstant", instant: Timestamp.fromMicros(size / 2) })
    ),
  "the newest snapshots of environments, and since when they have their verdicts": ({
    wide,
    long,
    size
  }) =>
    Effect.flatMap(ReadModels, (reads) =>
      reads.recentVerdicts(
        long.org,
        [wide.environment, long.environment],
        Timestamp.fromMicros(size - 20)
      )
    ),
  "a window of the timeline of a long history": ({ long, size }) =>
    Effect.flatMap(ReadModels, (reads) =>
      reads.timelineSnapshots(long, {
        from: Timestamp.fromMicros(size / 2),
        to: Timestamp.fromMicros(size / 2 + 20)
      })
    ),
  "decisions about what runs, in an environment with a long history": ({ org, long }) =>
    Effect.flatMap(ReadModels, (reads) => reads.evaluatedRows(org.id, [long.environment])),
  "heads of snapshots": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.heads(long, span(size - 20, size))),
  "the first page of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(long, {
        span: span(1, size),
        skip: 0,
        after: Option.none(),
        limit: 20,
        newestFirst: true
      })
    ),
  "the length of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) => store.countEvents(long, span(1, size))),
  "a page in the middle of the event log": ({ long, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(long, {
        span: span(1, size),
        skip: size,
        after: Option.none(),
        limit: 20,
        newestFirst: true
      })
    ),
  "the event log after a place": ({ wide, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(wide, {
        span: span(1, 1),
        skip: 0,
        after: Option.some({ index: 1, position: size / 2 }),
        limit: 20,
        newestFirst: false
      })
    ),
  "what ran in a place before": ({ long, flow, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.predecessors(
        long,
        [1, 2, 3].map((index) => ({
          flow: flow.id,
          slot: Identifier.SlotName.make("backend"),
          fingerprint: fingerprint(size - index),
          before: size - index
        }))
      )
    ),
  "the audit log of few snapshots": ({ long, size }) =>
    Effect.flatMap(EnvironmentEventExport, (store) =>
      Stream.runDrain(
        store.lines(long, {
          environment: Identifier.EnvironmentName.make("long"),
          span: span(size - 20, size),
          filter: {}
        })
      )
    )
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "the grouped rows of a large snapshot": ({ wide }) =>
    Effect.flatMap(ReadModels, (models) => models.groupedRows(wide, 1, { page: 1, perPage: 20 })),
  "a large snapshot": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.find(wide, at(1))),
  "what runs in a large environment": ({ wide }) =>
    Effect.flatMap(SnapshotStore, (store) => store.running(wide)),
  "the whole event log": ({ wide, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.events(wide, {
        span: span(1, 1),
        skip: 0,
        after: Option.none(),
        limit: size,
        newestFirst: true
      })
    ),
  "the timeline of a long history": ({ long, size }) =>
    Effect.flatMap(ReadModels, (reads) =>
      reads.timelineSnapshots(long, {
        from: Timestamp.fromMicros(0),
        to: Timestamp.fromMicros(size)
      })
    ),
  "the audit log of a large snapshot": ({ wide }) =>
    Effect.flatMap(EnvironmentEventExport, (store) =>
      Stream.runDrain(
        store.lines(wide, {
          environment: Identifier.EnvironmentName.make("wide"),
          span: span(1, 1),
          filter: {}
        })
      )
    ),
  "the audit log of a long history": ({ long, size }) =>
    Effect.flatMap(EnvironmentEventExport, (store) =>
      Stream.runDrain(
        store.lines(long, {
          environment: Identifier.EnvironmentName.make("long"),
          span: span(1, size),
          filter: {}
        })
      )
    ),
  "what ran in many places before": ({ long, flow, size }) =>
    Effect.flatMap(SnapshotStore, (store) =>
      store.predecessors(
        long,
        Array.from({ length: size }, (_, index) => ({
          flow: flow.id,
          slot: Identifier.SlotName.make("backend"),
          fingerprint: fingerprint(index + 1),
          before: index + 1
        }))
      )
    ),
  "appending snapshots that replace one row and all rows": ({ org, size }) =>
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environment = ref(yield* Fixture.environment(org, `env-${yield* Fixture.freshId}`))
      // WHY numbers of their own: what the world's environments run stays the same.
      const first = size * 10
      yield* store.append(environment, draft(1, [], numbers(first, size)))
      yield* store.append(environment, draft(2, [first], [first + size]))
      const ended = numbers(first + 1, size)
      yield* store.append(environment, draft(3, ended, numbers(first + size + 1, size)))
      yield* store.find(environment, at(3))
    })
}

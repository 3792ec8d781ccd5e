/** `SnapshotStore` in memory: whole snapshots, one list per environment. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { byNewest, keyOf } from "@attestry/core/RunningRow"
import type { ListedRow, Snapshot, SnapshotRow } from "@attestry/core/Snapshot"
import type { SnapshotAnnotation } from "@attestry/core/SnapshotAnnotation"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { type SnapshotDraft, SnapshotStore } from "@attestry/core/SnapshotStore"
import * as SnapshotTimeline from "@attestry/core/SnapshotTimeline"
import { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { key, MemoryState, table } from "../shared/MemoryState.js"

interface Stored {
  readonly draft: SnapshotDraft
  readonly running: ReadonlyArray<SnapshotRow>
  readonly listed: ReadonlyArray<ListedRow>
}

type History = ReadonlyArray<Stored>

const histories = table<History>("snapshot")

const keyOfRef = ({ org, environment }: EnvironmentRef) => key(org, environment)

const unchanged = (row: SnapshotRow): SnapshotAnnotation => ({
  type: "unchanged",
  was: row.creationTimestamp.length,
  now: row.creationTimestamp.length
})

/** The snapshot after the ones before it, with its rows spelled out. */
const build = (before: ReadonlyArray<SnapshotRow>, draft: SnapshotDraft): Stored => {
  const annotations = new Map(draft.events.map((event) => [keyOf(event), event.annotation]))
  const rows = new Map(before.map((row) => [keyOf(row), row]))
  for (const row of draft.ended) rows.delete(keyOf(row))
  for (const row of draft.begun) rows.set(keyOf(row), row)
  const running = [...rows.values()].sort(byNewest)
  const exited = before
    .filter((row) => annotations.get(keyOf(row))?.type === "exited")
    .sort(byNewest)
  return {
    draft,
    running,
    listed: [...running, ...exited].map((row) => ({
      ...row,
      annotation: annotations.get(keyOf(row)) ?? unchanged(row)
    }))
  }
}

const indexOf = (history: History, locator: Locator): number =>
  locator._tag === "AtIndex"
    ? locator.index
    : SnapshotTimeline.indexAt(
        history.map(({ draft }) => draft.timestamp),
        locator.instant
      )

const snapshotAt = (
  { org, environment }: EnvironmentRef,
  history: History,
  index: number
): Option.Option<Snapshot> =>
  Option.map(
    Option.fromNullable(history[index - 1]),
    ({ draft: { timestamp, verdict, counts }, listed }) => ({
      org_id: org,
      environment_id: environment,
      index,
      timestamp,
      verdict,
      counts,
      rows: listed,
      next_timestamp: history[index]?.draft.timestamp ?? null
    })
  )

/** `SnapshotStore` in memory. */
export const layer: Layer.Layer<SnapshotStore, never, MemoryState> = Layer.effect(
  SnapshotStore,
  Effect.map(MemoryState, (state) => {
    const historyOf = (ref: EnvironmentRef): Effect.Effect<History> =>
      Effect.map(state.read(histories), (rows) =>
        Option.getOrElse(HashMap.get(rows, keyOfRef(ref)), (): History => [])
      )

    const append = (ref: EnvironmentRef, draft: SnapshotDraft) =>
      state.transaction(() =>
        Effect.gen(function* () {
          const history = yield* historyOf(ref)
          if (draft.index !== history.length + 1) {
            const cause = new Error(`snapshot ${draft.index} is not the next one`)
            return yield* new StoreError({ operation: "SnapshotStore.append", cause })
          }
          const next = build(history.at(-1)?.running ?? [], draft)
          yield* state.modify(histories, (rows) => [
            undefined,
            HashMap.set(rows, keyOfRef(ref), [...history, next])
          ])
        })
      )

    return SnapshotStore.of({
      latest: (ref) =>
        Effect.map(historyOf(ref), (history) =>
          Option.map(
            Option.fromNullable(history.at(-1)),
            ({ draft: { index, timestamp, verdict, counts } }) => ({
              index,
              timestamp,
              verdict,
              counts
            })
          )
        ),
      running: (ref) => Effect.map(historyOf(ref), (history) => history.at(-1)?.running ?? []),
      find: (ref, locator) =>
        Effect.map(historyOf(ref), (history) =>
          snapshotAt(ref, history, indexOf(history, locator))
        ),
      append
    })
  })
)

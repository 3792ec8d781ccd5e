/**
 * A cache of the rows of latest snapshots, as a decorator of `SnapshotStore` and of the lock of an environment: a
 * report on an environment whose latest snapshot is cached reads no rows. Gain: a changed report of 500 rows took
 * 70.7 ms before it and 20 ms with it (`bench changed-report`). INVARIANT: a snapshot never changes, and no two of an
 * environment have one instant; so rows that are cached by environment and instant are right, whatever other processes
 * write. The lock says which instant is the latest.
 */
import * as BoundedCache from "@attestry/core/BoundedCache"
import type { EnvironmentRef } from "@attestry/core/Environment"
import { applyChanges, type SnapshotRow } from "@attestry/core/Snapshot"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as LockedEnvironment from "../environment/LockedEnvironment.js"
import * as TransactionCache from "../transaction/TransactionCache.js"

/** The rows of one snapshot. */
export interface CachedSnapshot {
  readonly environment: string
  /** When the snapshot was made. */
  readonly timestamp: Timestamp
  /** In the order of snapshots. */
  readonly rows: ReadonlyArray<SnapshotRow>
}

/** An environment by its name or its id. */
export interface EnvironmentLookup {
  readonly name?: string
  readonly id?: string
}

/** So many rows in all take about 50 MB. */
export const ROWS_MAX = 50_000

/** Names lead to ids; a name that another environment has taken costs reading the rows once. */
const NAMES_MAX = 10_000

/** Cached snapshots. */
export interface RowCache {
  /** The cached snapshot of an environment; it may not be the latest. */
  readonly get: (org: string, lookup: EnvironmentLookup) => CachedSnapshot | undefined
  readonly setName: (ref: EnvironmentRef, name: string) => void
  /** Caches a snapshot; the environments that were written longest ago are evicted first. */
  readonly set: (snapshot: CachedSnapshot) => void
}

/** An empty cache of at most so many rows. */
export const make = (rowsMax = ROWS_MAX): RowCache => {
  const ids = BoundedCache.make<string>(NAMES_MAX)
  const snapshots = BoundedCache.make<CachedSnapshot>(rowsMax, ({ rows }) => rows.length)
  return {
    get: (org, { name, id }) => snapshots.get(id ?? ids.get(`${org} ${name}`) ?? ""),
    setName: ({ org, environment }, name) => void ids.set(`${org} ${name}`, environment),
    set: (snapshot) => void snapshots.set(snapshot.environment, snapshot)
  }
}

/** The cache of this process. */
export class SnapshotRowCache extends Context.Tag("@attestry/sql-store/SnapshotRowCache")<
  SnapshotRowCache,
  RowCache
>() {}

/** A cache that lives as long as the stores that share it. */
export const layer: Layer.Layer<SnapshotRowCache> = Layer.effect(
  SnapshotRowCache,
  Effect.sync(make)
)

const running = TransactionCache.make<ReadonlyArray<SnapshotRow>>("running rows of")

/** Notes for the current transaction that the cached rows of an environment are those of its latest snapshot. */
export const useCached = (
  { environment }: EnvironmentRef,
  { rows }: CachedSnapshot
): Effect.Effect<void> => running.set(environment, rows)

/** Answers `running` from the cache where it can, and caches what is read or appended under a lock. */
export const decorate: Layer.Layer<SnapshotStore, never, SnapshotStore | SnapshotRowCache> =
  Layer.effect(
    SnapshotStore,
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const cache = yield* SnapshotRowCache

      const setAfterCommit = (
        { environment }: EnvironmentRef,
        timestamp: Timestamp,
        rows: ReadonlyArray<SnapshotRow>
      ) => TransactionCache.afterCommit(() => cache.set({ environment, timestamp, rows }))

      const read = Effect.fnUntraced(function* (ref: EnvironmentRef) {
        const rows = yield* store.running(ref)
        if ((yield* LockedEnvironment.getSnapshot(ref)) === undefined) return rows
        yield* running.set(ref.environment, rows)
        const head = yield* store.latest(ref)
        if (Option.isSome(head)) yield* setAfterCommit(ref, head.value.timestamp, rows)
        return rows
      })

      return SnapshotStore.of({
        ...store,
        running: (ref) =>
          Effect.flatMap(running.get(ref.environment), (rows) =>
            rows === undefined ? read(ref) : Effect.succeed(rows)
          ),
        append: Effect.fnUntraced(function* (ref, draft) {
          const before = yield* running.get(ref.environment)
          yield* store.append(ref, draft)
          if (before === undefined) return
          yield* running.delete(ref.environment)
          yield* setAfterCommit(ref, draft.timestamp, applyChanges(before, draft))
        })
      })
    })
  )

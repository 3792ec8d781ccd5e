/**
 * What ran in the latest snapshots that this process has read or made: whoever locks an environment whose
 * latest snapshot is known need not read its rows again. DECISION B-58
 *
 * INVARIANT: a snapshot never changes, and no two of an environment have one instant; so rows that are kept
 * under both are right for as long as anybody keeps them, whatever other processes do.
 */

import * as BoundedCache from "@attestry/core/BoundedCache"
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What ran in one snapshot. */
export interface Remembrance {
  readonly environment: string
  /** When the snapshot was made. */
  readonly timestamp: Timestamp
  /** In the order of snapshots, in which reports are compared with them. */
  readonly rows: ReadonlyArray<SnapshotRow>
}

/** How an environment is asked for. */
export interface Asked {
  readonly name?: string
  readonly id?: string
}

/** So many rows in all, which take about 50 MB. */
export const ROWS_MAX = 50_000

/** Names lead to ids; a name that has changed hands costs reading the rows once. */
const NAMES_MAX = 10_000

/** What is remembered. */
export interface Memory {
  /** What is known of the environment that somebody asks for; it may be out of date. */
  readonly find: (org: string, asked: Asked) => Remembrance | undefined
  /** Says whom a name means. */
  readonly name: (ref: EnvironmentRef, name: string) => void
  /** Remembers; the environments that were written longest ago are forgotten first. */
  readonly keep: (known: Remembrance) => void
}

/** An empty memory of at most so many rows. */
export const make = (rowsMax = ROWS_MAX): Memory => {
  const ids = BoundedCache.make<string>(NAMES_MAX)
  const known = BoundedCache.make<Remembrance>(rowsMax, ({ rows }) => rows.length)
  return {
    find: (org, { name, id }) => known.get(id ?? ids.get(`${org} ${name}`) ?? ""),
    name: ({ org, environment }, name) => void ids.set(`${org} ${name}`, environment),
    keep: (next) => void known.set(next.environment, next)
  }
}

/** What this process remembers of the latest snapshots. */
export class SnapshotRowCache extends Context.Tag("@attestry/sql-store/SnapshotRowCache")<
  SnapshotRowCache,
  Memory
>() {}

/** A memory that lives as long as the stores that share it. */
export const layer: Layer.Layer<SnapshotRowCache> = Layer.effect(
  SnapshotRowCache,
  Effect.sync(make)
)

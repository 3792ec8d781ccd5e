/**
 * When environments last reported, collected in memory and written in batches.
 *
 * WHY: most reports change nothing; writing one row for each would make them cost what a change costs.
 * This process's own reads see the collected values at once. DECISIONS.md, "Unchanged reports touch one row"
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { OrgId } from "@attestry/core/Identifier"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { TenantTransaction } from "../transaction/TenantTransaction.js"

/** Collected values are written at least this often. */
export const FLUSHED_EVERY = Duration.seconds(5)

/** The heartbeats of one process. */
export interface Heartbeats {
  /** Records that an environment reported. */
  readonly beat: (ref: EnvironmentRef, at: Timestamp) => void
  /** The later of a stored value and this process's own. */
  readonly latest: (ref: EnvironmentRef, stored: Timestamp | null) => Timestamp | null
}

interface Beat {
  readonly environment: EnvironmentRef["environment"]
  readonly at: Timestamp
}

/** WHY sorted: evidence locks environments in this order. */
const groupByOrg = (pending: ReadonlyMap<string, EnvironmentRef & Beat>) => {
  const groups = new Map<OrgId, Array<Beat>>()
  for (const { org, environment, at } of pending.values()) {
    const group = groups.get(org) ?? []
    group.push({ environment, at })
    groups.set(org, group)
  }
  for (const group of groups.values())
    group.sort((left, right) => (left.environment < right.environment ? -1 : 1))
  return groups
}

const later = (one: Timestamp | null | undefined, other: Timestamp): Timestamp =>
  one === null || one === undefined || other > one ? other : one

/** Collects heartbeats until the scope closes, and writes what is left then. */
export const make: Effect.Effect<
  Heartbeats,
  never,
  SqlClient.SqlClient | TenantTransaction | Scope.Scope
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { transaction } = yield* TenantTransaction
  let pending = new Map<string, EnvironmentRef & Beat>()
  /** Values that are being written: reads must see them until they are stored. */
  let writing: ReadonlyMap<string, EnvironmentRef & Beat> = new Map()
  const keyOf = ({ org, environment }: EnvironmentRef) => `${org} ${environment}`

  /**
   * Writes beats and answers which; one whose environment is held is left out, unless the batch waits.
   *
   * WHY a batch does not wait: it would hold the other environments meanwhile, and their reports and evidence would
   * wait for one that has nothing to do with them.
   */
  const write = (org: OrgId, beats: ReadonlyArray<Beat>, waits: boolean) =>
    transaction(
      org,
      () => sql<Pick<Beat, "environment">>`update environment e
        set last_reported_at = greatest(e.last_reported_at, b.at)
        from (select l.environment_id, b.at
          from jsonb_to_recordset(${JSON.stringify(beats)}::jsonb) as b (environment text, at int8)
          cross join lateral (select l.environment_id from environment l
            where l.org_id = ${org} and l.environment_id = b.environment
            for no key update ${sql.literal(waits ? "" : "skip locked")}) l) b
        where e.org_id = ${org} and e.environment_id = b.environment_id
        returning e.environment_id as environment`
    )

  const beat = (ref: EnvironmentRef, at: Timestamp) => {
    const key = keyOf(ref)
    // WHY: reports can arrive out of order; the time of the last one must not move back.
    pending.set(key, { ...ref, at: later(pending.get(key)?.at, at) })
  }

  const writeOrKeep = (org: OrgId, beats: ReadonlyArray<Beat>, waits: boolean) =>
    Effect.map(write(org, beats, waits), (rows) => {
      const written = new Set<string>(rows.map(({ environment }) => environment))
      for (const { environment, at } of beats)
        if (!written.has(environment)) beat({ org, environment }, at)
    })

  const flush = (waits: boolean) =>
    Effect.suspend(() => {
      writing = pending
      pending = new Map()
      return Effect.forEach(groupByOrg(writing), ([org, beats]) => writeOrKeep(org, beats, waits))
    }).pipe(
      Effect.onError(() =>
        Effect.sync(() => {
          for (const { org, environment, at } of writing.values()) beat({ org, environment }, at)
        })
      ),
      Effect.ensuring(
        Effect.sync(() => {
          writing = new Map()
        })
      ),
      // WHY: values that were not written go with the next batch; no request waits for them.
      Effect.catchAllCause((cause) => Effect.logWarning("heartbeats were not written", cause))
    )

  yield* Effect.addFinalizer(() => flush(true))
  yield* Effect.forkScoped(Effect.repeat(flush(false), Schedule.spaced(FLUSHED_EVERY)))

  return {
    beat,
    latest: (ref, stored) => {
      const key = keyOf(ref)
      return [writing.get(key)?.at, pending.get(key)?.at].reduce<Timestamp | null>(
        (latest, own) => (own === undefined ? latest : later(latest, own)),
        stored
      )
    }
  }
})

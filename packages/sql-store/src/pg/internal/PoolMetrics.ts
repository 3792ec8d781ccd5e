/** How many connections a pool has, how many are busy, and how many requests wait for one. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import type * as Pg from "pg"

const connections = Metric.gauge("attestry_database_pool_connections", {
  description: "Connections to the database, by state"
})
const busy = Metric.tagged(connections, "state", "busy")
const idle = Metric.tagged(connections, "state", "idle")
const max = Metric.gauge("attestry_database_pool_connections_max", {
  description: "Connections to the database that there may be"
})
const waiting = Metric.gauge("attestry_database_pool_waiting", {
  description: "Requests that wait for a connection to the database"
})

/** How often a pool is sampled. */
const SAMPLED_MS = 1_000

/** Measures a pool until the scope closes. */
export const measure = (pool: Pg.Pool): Effect.Effect<void, never, Scope.Scope> => {
  const sample = () => {
    busy.unsafeUpdate(pool.totalCount - pool.idleCount, [])
    idle.unsafeUpdate(pool.idleCount, [])
    max.unsafeUpdate(pool.options.max, [])
    waiting.unsafeUpdate(pool.waitingCount, [])
  }
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => {
        sample()
        return setInterval(sample, SAMPLED_MS).unref()
      }),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
  )
}

/**
 * Where a process that reads from a standby makes its few small writes: the uses of keys, denied attempts, and its row
 * among the server processes. No request waits for them; they are lost while the primary is away, and counted.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Whether this process reads alone, from a standby or from a primary. */
export class IsReading extends Context.Reference<IsReading>()("@attestry/sql-store/IsReading", {
  defaultValue: (): boolean => false
}) {}

/** The client of the primary, in a process whose own client reads from a standby; undefined in every other. */
export class Primary extends Context.Reference<Primary>()("@attestry/sql-store/Primary", {
  defaultValue: (): SqlClient.SqlClient | undefined => undefined
}) {}

/** The client that small writes go to: that of the primary, else the process's own. */
export const client: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> =
  Effect.flatMap(Primary, (primary) =>
    primary === undefined ? SqlClient.SqlClient : Effect.succeed(primary)
  )

const dropped = Metric.counter("attestry_reader_writes_dropped_total", {
  description: "Small writes of a reader that its primary did not take, by kind",
  incremental: true
})

/** Counts small writes that are lost. */
export const countDropped = (
  kind: "key_use" | "denied_attempt",
  count: number
): Effect.Effect<void> => Metric.incrementBy(Metric.tagged(dropped, "kind", kind), count)

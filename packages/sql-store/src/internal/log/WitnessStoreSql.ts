/** `WitnessStore` on PostgreSQL. */
import { WitnessStore } from "@attestry/core/WitnessStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

const Witnessed = Schema.Struct({
  origin: Schema.String,
  size: Schema.Int,
  root: Schema.String,
  note: Schema.String
})

const makeWitness = Effect.map(SqlClient.SqlClient, (sql) => {
  const decode = TenantQueries.decoderOf(Witnessed)
  return WitnessStore.of({
    find: (origin) =>
      sql`select origin, size, root, note from witness_log_get(${origin})`.pipe(
        Effect.flatMap(decode),
        Effect.map(([found]) => Option.fromNullable(found)),
        SqlFailure.toStoreError("WitnessStore.find")
      ),
    advance: ({ origin, size, root, note }, from) =>
      sql`select * from witness_log_advance(${origin}, ${from}, ${size}, ${root}, ${note})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("WitnessStore.advance")
      ),
    list: sql`select origin, size, root, note from witness_log_list()`.pipe(
      Effect.flatMap(decode),
      SqlFailure.toStoreError("WitnessStore.list")
    )
  })
})

/** `WitnessStore` on PostgreSQL. */
export const layer: Layer.Layer<WitnessStore, never, SqlClient.SqlClient> = Layer.effect(
  WitnessStore,
  makeWitness
)

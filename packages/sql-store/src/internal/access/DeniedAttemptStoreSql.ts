/** `DeniedAttemptStore` on PostgreSQL, through the functions that open its table. */
import { DeniedAttempt, RETENTION_SECONDS } from "@attestry/core/DeniedAttempt"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"

const Row = Schema.Struct({
  ...DeniedAttempt.fields,
  reason: Schema.optionalWith(Schema.Literal("network"), { nullable: true, exact: true })
})
const decode = Schema.decodeUnknown(Schema.Array(Row))

/** `DeniedAttemptStore` on PostgreSQL. */
export const layer: Layer.Layer<DeniedAttemptStore, never, SqlClient.SqlClient> = Layer.effect(
  DeniedAttemptStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    insert: ({ actor, key_id, operation, org, reason = null }) =>
      sql`select denied_attempt_insert(${actor.kind}, ${actor.id}, ${actor.name}, ${key_id},
        ${operation}, ${org}, ${RETENTION_SECONDS}, ${reason})`.pipe(
        Effect.map((rows) => rows.length > 0),
        SqlFailure.toStoreError("DeniedAttemptStore.insert")
      ),
    list: ({ org, limit }) =>
      sql`select jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
          key_id, operation, org, at, reason
        from denied_attempt_list(${org ?? null}, ${limit})`.pipe(
        Effect.flatMap(decode),
        SqlFailure.toStoreError("DeniedAttemptStore.list")
      )
  }))
)

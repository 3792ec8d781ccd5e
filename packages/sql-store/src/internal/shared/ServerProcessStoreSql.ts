/** `ServerProcessStore` on PostgreSQL, through the functions that open its table. */
import { ServerProcess } from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Primary from "./Primary.js"
import * as SqlFailure from "./SqlFailure.js"

const decode = Schema.decodeUnknown(Schema.Array(ServerProcess))

/** `ServerProcessStore` on PostgreSQL. */
export const layer: Layer.Layer<ServerProcessStore, never, SqlClient.SqlClient> = Layer.effect(
  ServerProcessStore,
  Effect.map(Effect.all([SqlClient.SqlClient, Primary.client]), ([sql, primary]) => ({
    put: ({ id, release, role, forms }, forgottenAfterMillis) =>
      primary`select server_process_put(${id}, ${release}, ${role}, ${JSON.stringify(forms)},
        ${forgottenAfterMillis})`.pipe(
        Effect.asVoid,
        SqlFailure.toStoreError("ServerProcessStore.put")
      ),
    list: (withinMillis) =>
      sql`select process_id as id, release, role, forms, started_at, seen_at
        from server_process_list(${withinMillis})`.pipe(
        Effect.flatMap(decode),
        SqlFailure.toStoreError("ServerProcessStore.list")
      ),
    remove: (id) =>
      primary`select server_process_remove(${id})`.pipe(
        Effect.asVoid,
        SqlFailure.toStoreError("ServerProcessStore.remove")
      )
  }))
)

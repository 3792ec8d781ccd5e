/** Why the last delivery to a target failed: the class beside its time. */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { settleFunction } from "./internal/OutboxFunctions.js"

/** Adds the column, and the function that writes it. */
export const targetError = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table notification_target add column last_error text`
  yield* settleFunction(sql)
})

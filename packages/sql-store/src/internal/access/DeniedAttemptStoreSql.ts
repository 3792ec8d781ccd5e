/** `DeniedAttemptStore` on PostgreSQL, through the functions that open its table. */
import {
  DeniedAttempt,
  type DeniedAttemptDraft,
  RETENTION_SECONDS
} from "@attestry/core/DeniedAttempt"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Primary from "../shared/Primary.js"
import * as SqlFailure from "../shared/SqlFailure.js"

const Row = Schema.Struct({
  ...DeniedAttempt.fields,
  reason: Schema.optionalWith(Schema.Literal("network"), { nullable: true, exact: true })
})
const decode = Schema.decodeUnknown(Schema.Array(Row))

const insertBy = (
  sql: SqlClient.SqlClient,
  { actor, key_id, operation, org, reason }: DeniedAttemptDraft
) =>
  sql`select denied_attempt_insert(${actor.kind}, ${actor.id}, ${actor.name}, ${key_id},
    ${operation}, ${org}, ${RETENTION_SECONDS}, ${reason ?? null})`.pipe(
    Effect.map((rows) => rows.length > 0),
    SqlFailure.toStoreError("DeniedAttemptStore.insert")
  )

/** How many attempts may wait for the primary of a reader; further ones are lost. */
const WAITING_MAX = 100

/**
 * Writes to the primary of a reader, for which no request waits.
 *
 * WHY true: the reader hands the request on, and the writer records it as well.
 */
const makeLater = Effect.map(Effect.scope, (scope) => {
  let waiting = 0
  const lost = Primary.countDropped("denied_attempt", 1)
  return (write: Effect.Effect<boolean, StoreError>): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (waiting >= WAITING_MAX) return Effect.as(lost, true)
      waiting += 1
      return write.pipe(
        Effect.tapErrorCause(() => lost),
        Effect.ensuring(
          Effect.sync(() => {
            waiting -= 1
          })
        ),
        // WHY ignored: it is counted.
        Effect.ignore,
        Effect.forkIn(scope),
        Effect.as(true)
      )
    })
})

/** `DeniedAttemptStore` on PostgreSQL. */
export const layer: Layer.Layer<DeniedAttemptStore, never, SqlClient.SqlClient> = Layer.scoped(
  DeniedAttemptStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const primary = yield* Primary.client
    const later = yield* makeLater
    const isReader = yield* Primary.IsReading
    const write: DeniedAttemptStore["Type"]["insert"] = (draft) => insertBy(primary, draft)
    return {
      insert: isReader ? (draft) => later(write(draft)) : write,
      list: ({ org, limit }) =>
        sql`select jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
            key_id, operation, org, at, reason
          from denied_attempt_list(${org ?? null}, ${limit})`.pipe(
          Effect.flatMap(decode),
          SqlFailure.toStoreError("DeniedAttemptStore.list")
        )
    }
  })
)

/** `BackgroundLeaseStore` on PostgreSQL, through the functions that open its table. */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "./SqlFailure.js"

const decodeEnds = Schema.decodeUnknown(
  Schema.Array(Schema.Struct({ until: Timestamp, now: Timestamp }))
)

/** `BackgroundLeaseStore` on PostgreSQL. */
export const layer: Layer.Layer<BackgroundLeaseStore, never, SqlClient.SqlClient> = Layer.effect(
  BackgroundLeaseStore,
  Effect.map(SqlClient.SqlClient, (sql) =>
    BackgroundLeaseStore.of({
      acquire: (name, forMillis) =>
        sql<{
          readonly token: number
        }>`select background_lease_acquire(${name}, ${forMillis}) as token`.pipe(
          Effect.map(([row]) =>
            Option.map(Option.fromNullable(row), ({ token }) => ({ name, token }))
          ),
          SqlFailure.toStoreError("BackgroundLeaseStore.acquire")
        ),
      heldUntil: (name) =>
        sql`select until, now from background_lease_until(${name})`.pipe(
          Effect.flatMap(decodeEnds),
          Effect.map(([end]) => Option.fromNullable(end)),
          SqlFailure.toStoreError("BackgroundLeaseStore.heldUntil")
        ),
      release: ({ name, token }, nextAfterMillis) =>
        sql`select background_lease_release(${name}, ${token}, ${nextAfterMillis})`.pipe(
          Effect.asVoid,
          SqlFailure.toStoreError("BackgroundLeaseStore.release")
        )
    })
  )
)

/** `BackgroundLeaseStore` on PostgreSQL, through the functions that open its table. */
import { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlFailure from "./SqlFailure.js"

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
      release: ({ name, token }, nextAfterMillis) =>
        sql`select background_lease_release(${name}, ${token}, ${nextAfterMillis})`.pipe(
          Effect.asVoid,
          SqlFailure.toStoreError("BackgroundLeaseStore.release")
        )
    })
  )
)

/** Sessions of `CredentialStore` on PostgreSQL, through the functions that open its table. */

import type { CredentialStore } from "@attestry/core/CredentialStore"
import { ApiKeyId, SessionId } from "@attestry/core/Identifier"
import type { Session } from "@attestry/core/Session"
import { StoreError } from "@attestry/core/StoreError"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"

const Row = Schema.Struct({
  session_id: SessionId,
  key_id: ApiKeyId,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp
})
const decode = Schema.decodeUnknown(Schema.Array(Row))

const toSession = ({ session_id, ...session }: typeof Row.Type): Session => ({
  id: session_id,
  ...session
})

const first = (operation: string, statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  statement.pipe(
    Effect.flatMap(decode),
    Effect.map(([row]) => Option.map(Option.fromNullable(row), toSession)),
    SqlFailure.toStoreError(operation)
  )

/** Sessions of `CredentialStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<CredentialStore["Type"], "insertSession" | "findSession" | "removeSession">,
  never,
  SqlClient.SqlClient
> = Effect.map(SqlClient.SqlClient, (sql) => ({
  insertSession: ({ id, key_id, digest, lifetimeSeconds }) => {
    const operation = "CredentialStore.insertSession"
    return Effect.flatMap(
      first(
        operation,
        sql`select * from session_insert(${id}, ${key_id}, ${digest}, ${lifetimeSeconds})`
      ),
      Option.match({
        onNone: () => new StoreError({ operation, cause: new Error("no session came back") }),
        onSome: Effect.succeed
      })
    )
  },
  findSession: (id) =>
    first("CredentialStore.findSession", sql`select * from session_by_id(${id})`),
  removeSession: (id) =>
    sql`select session_remove(${id})`.pipe(
      Effect.asVoid,
      SqlFailure.toStoreError("CredentialStore.removeSession")
    )
}))

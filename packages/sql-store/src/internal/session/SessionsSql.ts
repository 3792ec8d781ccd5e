/** Sessions of `CredentialStore` on PostgreSQL, through the functions that open its table. */

import type { CredentialStore } from "@attestry/core/CredentialStore"
import { ApiKeyId, SessionId, UserId } from "@attestry/core/Identifier"
import { ProviderId } from "@attestry/core/Provider"
import type { Session } from "@attestry/core/Session"
import { StoreError } from "@attestry/core/StoreError"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"

const common = {
  session_id: SessionId,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp
}
/** The table's checks make a session either a key's or a person's. */
const Row = Schema.Union(
  Schema.Struct({ ...common, key_id: ApiKeyId }),
  Schema.Struct({
    ...common,
    user_id: UserId,
    provider_id: ProviderId,
    auth_time: Schema.NullOr(Timestamp),
    acr: Schema.NullOr(Schema.String)
  })
)
const decode = Schema.decodeUnknown(Schema.Array(Row))

/** The columns of a row of either kind. */
const COLUMNS =
  "session_id, key_id, digest, created_at, expires_at, user_id, provider_id, auth_time, acr"

const toSession = (row: typeof Row.Type): Session => {
  const { session_id: id, digest, created_at, expires_at } = row
  const session = { id, digest, created_at, expires_at }
  if ("key_id" in row) return { ...session, key_id: row.key_id }
  const { user_id, provider_id: provider, auth_time, acr } = row
  return { ...session, user_id, provider, auth_time, acr }
}

const first = (operation: string, statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  statement.pipe(
    Effect.flatMap(decode),
    Effect.map(([row]) => Option.map(Option.fromNullable(row), toSession)),
    SqlFailure.toStoreError(operation)
  )

/** Sessions of `CredentialStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    CredentialStore["Type"],
    "insertSession" | "findSession" | "removeSession" | "offerSession" | "claimSession"
  >,
  never,
  SqlClient.SqlClient
> = Effect.map(SqlClient.SqlClient, (sql) => ({
  insertSession: (draft) => {
    const operation = "CredentialStore.insertSession"
    const { id, digest, lifetimeSeconds } = draft
    const [key, person, provider, askedAt, acr] =
      "key_id" in draft
        ? [draft.key_id, null, null, null, null]
        : [null, draft.user_id, draft.provider, draft.auth_time, draft.acr]
    return Effect.flatMap(
      first(
        operation,
        sql`select ${sql.literal(COLUMNS)} from session_insert(${id}, ${key}, ${digest}, ${lifetimeSeconds}, ${person},
          ${provider}, ${askedAt}::int8, ${acr})`
      ),
      Option.match({
        onNone: () => new StoreError({ operation, cause: new Error("no session came back") }),
        onSome: Effect.succeed
      })
    )
  },
  findSession: (id) =>
    first(
      "CredentialStore.findSession",
      sql`select ${sql.literal(COLUMNS)} from session_by_id(${id})`
    ),
  offerSession: ({ id, source, digest, challenge, claimSeconds }) =>
    first(
      "CredentialStore.offerSession",
      sql`select ${sql.literal(COLUMNS)} from
        session_offer(${id}, ${source}, ${digest}, ${challenge}, ${claimSeconds})`
    ),
  claimSession: ({ id, digest, challenge, newDigest }) =>
    first(
      "CredentialStore.claimSession",
      sql`select ${sql.literal(COLUMNS)} from
        session_claim(${id}, ${digest}, ${challenge}, ${newDigest})`
    ),
  removeSession: (id) =>
    sql`select session_remove(${id})`.pipe(
      Effect.asVoid,
      SqlFailure.toStoreError("CredentialStore.removeSession")
    )
}))

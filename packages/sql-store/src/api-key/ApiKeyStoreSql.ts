/** `ApiKeyStore` on PostgreSQL, through the functions that open the global tables. */
import { ActorMembership } from "@attestry/core/Actor"
import { ApiKeyStore, type Credential } from "@attestry/core/ApiKeyStore"
import { ApiKeyId, UserId } from "@attestry/core/Identifier"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"

const Row = Schema.Struct({
  key_id: ApiKeyId,
  user_id: UserId,
  description: Schema.String,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp),
  name: Schema.String,
  memberships: Schema.Array(ActorMembership),
  now: Timestamp
})
const decode = Schema.decodeUnknown(Schema.Array(Row))

const toCredential = ({ key_id, name, memberships, now, ...key }: typeof Row.Type): Credential => ({
  key: { id: key_id, ...key },
  actor: { kind: "user", id: key.user_id, name, key_id, memberships },
  now
})

/** `ApiKeyStore` on PostgreSQL. */
export const layer: Layer.Layer<ApiKeyStore, never, SqlClient.SqlClient> = Layer.effect(
  ApiKeyStore,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    findCredential: (id) =>
      sql`select * from credential_by_id(${id})`.pipe(
        Effect.flatMap(decode),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), toCredential)),
        SqlFailure.toStoreError("ApiKeyStore.findCredential")
      ),
    insert: (key) =>
      sql`select api_key_insert(${key.id}, ${key.user_id}, ${key.description}, ${key.digest},
        ${key.created_at}, ${key.expires_at})`.pipe(
        Effect.asVoid,
        SqlFailure.toStoreError("ApiKeyStore.insert")
      )
  }))
)

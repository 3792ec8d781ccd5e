/** API keys of `CredentialStore` on PostgreSQL, through the functions that open the global tables. */
import { ActorMembership } from "@attestry/core/Actor"
import type { ApiKey, ApiKeyOwner } from "@attestry/core/ApiKey"
import type { Credential, CredentialStore, OwnedKey } from "@attestry/core/CredentialStore"
import { ApiKeyId, OrgId, ServiceAccountId, UserId } from "@attestry/core/Identifier"
import { KeyScope } from "@attestry/core/KeyScope"
import { offsetOf } from "@attestry/core/Page"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as KeyUses from "./KeyUses.js"

const Instant = Schema.NullOr(Timestamp)

const KeyRow = Schema.Struct({
  key_id: ApiKeyId,
  user_id: Schema.NullOr(UserId),
  account_org_id: Schema.NullOr(OrgId),
  service_account_id: Schema.NullOr(ServiceAccountId),
  description: Schema.String,
  digest: Schema.String,
  created_at: Timestamp,
  expires_at: Instant,
  revoked_at: Instant,
  grace_period_expires_at: Instant,
  last_used_at: Instant,
  scope: Schema.optionalWith(KeyScope, { nullable: true, exact: true }),
  emergency: Schema.Boolean
})
const decodeKeys: (
  rows: ReadonlyArray<unknown>
) => Effect.Effect<ReadonlyArray<typeof KeyRow.Type>, ParseResult.ParseError> =
  Schema.decodeUnknown(Schema.Array(KeyRow))

/** The columns of `KeyRow`. */
const KEY_COLUMNS = Object.keys(KeyRow.fields).join(", ")

const OrgKeyRow = Schema.Struct({ key: KeyRow, owner_name: Schema.String })
const Total = Schema.Struct({ total: Schema.Int })

const CredentialRow = Schema.Struct({
  key: KeyRow,
  name: Schema.String,
  memberships: Schema.Array(
    Schema.Struct({
      ...ActorMembership.fields,
      sessions_after: Schema.optionalWith(Timestamp, { nullable: true })
    })
  ),
  now: Timestamp
})
const decodeCredentials = Schema.decodeUnknown(Schema.Array(CredentialRow))

/** INVARIANT: the table's checks make a key either a user's or a service account's. */
const ownerOf = (row: typeof KeyRow.Type): ApiKeyOwner =>
  row.account_org_id !== null && row.service_account_id !== null
    ? {
        kind: "service-account",
        org_id: row.account_org_id,
        service_account_id: row.service_account_id
      }
    : { kind: "user", user_id: row.user_id ?? UserId.make("") }

const toKey = (row: typeof KeyRow.Type): ApiKey => {
  const {
    key_id,
    user_id: _user,
    account_org_id: _org,
    service_account_id: _account,
    emergency,
    ...key
  } = row
  return { id: key_id, owner: ownerOf(row), ...key, ...(emergency ? { emergency } : {}) }
}

const toCredential = ({
  key: row,
  name,
  memberships,
  now
}: typeof CredentialRow.Type): Credential => {
  const key = toKey(row)
  const { owner } = key
  const id = owner.kind === "user" ? owner.user_id : owner.service_account_id
  const actor = {
    kind: owner.kind,
    id,
    name,
    key_id: key.id,
    memberships: memberships.map(({ sessions_after: _ended, ...membership }) => membership)
  }
  const sessionsAfter = new Map(
    memberships.flatMap(({ org_id, sessions_after: ended }) =>
      ended === undefined ? [] : [[org_id, ended] as const]
    )
  )
  return { key, actor, now, sessionsAfter }
}

/** The owner as the functions take it: a person, or an org and an account. */
const ownerArguments = (owner: ApiKeyOwner) =>
  owner.kind === "user"
    ? ([owner.user_id, null, null] as const)
    : ([null, owner.org_id, owner.service_account_id] as const)

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** API keys of `CredentialStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    CredentialStore["Type"],
    | "findCredential"
    | "insertKey"
    | "listKeys"
    | "listOrgKeys"
    | "findKey"
    | "updateKey"
    | "removeKey"
    | "markKeyUsed"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction | Scope.Scope
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const within = yield* TenantQueries.make
  const uses = yield* KeyUses.make

  const withUse = (row: typeof KeyRow.Type): ApiKey => {
    const key = toKey(row)
    return { ...key, last_used_at: uses.latest(key.id, key.last_used_at) }
  }

  /** The rows of a statement about an owner's keys; those of an account are reached within its org. */
  const about = (operation: string, owner: ApiKeyOwner, statement: Rows) =>
    owner.kind === "user"
      ? SqlFailure.toStoreError(operation)(statement)
      : within.all(Schema.Unknown, { operation, org: owner.org_id, statement })
  const call = (operation: string, owner: ApiKeyOwner, statement: Rows) =>
    Effect.asVoid(about(operation, owner, statement))
  const first = (operation: string, owner: ApiKeyOwner, statement: Rows) =>
    about(operation, owner, statement).pipe(
      Effect.flatMap(decodeKeys),
      Effect.map(([row]) => Option.map(Option.fromNullable(row), withUse)),
      SqlFailure.toStoreError(operation)
    )

  /** A call of a function about one key. */
  const calling = (name: "api_key_of" | "api_key_lock" | "api_key_remove", key: OwnedKey) => {
    const [person, org, account] = ownerArguments(key.owner)
    return sql`${sql.literal(name)}(${person}, ${org}, ${account}, ${key.id})`
  }
  const selecting = (name: "api_key_of" | "api_key_lock", key: OwnedKey) =>
    sql`select ${sql.literal(KEY_COLUMNS)} from ${calling(name, key)}`

  return {
    findCredential: (id) =>
      sql`select to_jsonb(c.key) as key, c.name, c.memberships, c.now
          from credential_by_id(${id}) c`.pipe(
        Effect.flatMap(decodeCredentials),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), toCredential)),
        SqlFailure.toStoreError("CredentialStore.findCredential")
      ),
    insertKey: (key) => {
      const [person, org, account] = ownerArguments(key.owner)
      return call(
        "CredentialStore.insertKey",
        key.owner,
        sql`select api_key_insert(${key.id}, ${person}, ${org}, ${account}, ${key.description},
            ${key.digest}, ${key.created_at}, ${key.expires_at},
            ${key.scope === undefined ? null : JSON.stringify(key.scope)}::jsonb,
            ${key.emergency === true})`
      )
    },
    listKeys: (org, owner, at) => {
      const [person, accountOrg, account] = ownerArguments(owner)
      return Effect.map(
        within.list(KeyRow, {
          operation: "CredentialStore.listKeys",
          from: "list",
          org,
          statement: sql`select ${sql.literal(KEY_COLUMNS)} from
            api_key_list(${person}, ${accountOrg}, ${account}, ${at})`
        }),
        Arr.map(withUse)
      )
    },
    listOrgKeys: (org, { at, unusedSince = null, endsUntil = null, ...kind }, page) =>
      Effect.gen(function* () {
        const { accounts, isScoped = null, isEmergency = null } = kind
        const operation = "CredentialStore.listOrgKeys"
        yield* uses.flush
        const ofAccounts =
          accounts === undefined
            ? sql.literal("")
            : sql`where (f.key).service_account_id = any(${[...accounts]}::text[])`
        const all = sql`api_key_of_org(${org}, ${at}, ${unusedSince}, ${endsUntil}, ${isScoped},
          ${isEmergency}) f ${ofAccounts}`
        const items = yield* within.list(OrgKeyRow, {
          operation,
          from: "page",
          org,
          statement: sql`select to_jsonb(f.key) as key, f.owner_name from ${all}
            order by (f.key).created_at, (f.key).key_id
            limit ${page.perPage} offset ${offsetOf(page)}`
        })
        const total = yield* within.first(Total, {
          operation,
          org,
          statement: sql`select count(*)::int4 as total from ${all}`
        })
        return {
          items: items.map(({ key, owner_name: ownerName }) => ({ key: withUse(key), ownerName })),
          total: Option.match(total, { onNone: () => 0, onSome: ({ total: count }) => count })
        }
      }),
    findKey: (key, { lock = false } = {}) =>
      first(
        "CredentialStore.findKey",
        key.owner,
        selecting(lock ? "api_key_lock" : "api_key_of", key)
      ),
    updateKey: ({ id, owner, revoked_at, grace_period_expires_at }) =>
      call(
        "CredentialStore.updateKey",
        owner,
        sql`select api_key_end(${id}, ${revoked_at}, ${grace_period_expires_at})`
      ),
    removeKey: (key) =>
      call("CredentialStore.removeKey", key.owner, sql`select ${calling("api_key_remove", key)}`),
    markKeyUsed: (id, at) => Effect.sync(() => uses.mark(id, at))
  }
})

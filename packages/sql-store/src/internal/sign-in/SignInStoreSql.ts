/** `SignInStore` on PostgreSQL: identities and attempts through functions, settings in their org's table. */
import { ActorMembership } from "@attestry/core/Actor"
import { Login, OrgId, OrgName, UserId } from "@attestry/core/Identifier"
import { Subject, type UserIdentity } from "@attestry/core/Identity"
import type { OrgSettings } from "@attestry/core/Joining"
import { ProviderId } from "@attestry/core/Provider"
import { type ListedSignIn, Outcome, RETENTION_SECONDS } from "@attestry/core/SignIn"
import { SignInSettings } from "@attestry/core/SignInSettings"
import { type Person, SignInStore } from "@attestry/core/SignInStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const IdentityRow = Schema.Struct({
  provider_id: ProviderId,
  subject: Subject,
  issuer: Schema.String,
  user_id: UserId,
  linked_at: Timestamp
})
/** The columns of `IdentityRow`. */
const IDENTITY_COLUMNS = Object.keys(IdentityRow.fields).join(", ")

const PersonRow = Schema.Struct({
  user_id: UserId,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  memberships: Schema.Array(
    Schema.Struct({ ...ActorMembership.fields, sessions_after: Schema.NullOr(Timestamp) })
  )
})
const AddressRow = Schema.Struct({
  user_id: UserId,
  is_linked: Schema.Boolean,
  is_admin: Schema.Boolean
})
const SettingsRow = Schema.Struct({ org_id: OrgId, settings: SignInSettings })
const JoiningRow = Schema.Struct({
  org_id: OrgId,
  name: OrgName,
  created_at: Timestamp,
  settings: SignInSettings
})
const SignInRow = Schema.Struct({
  provider_id: ProviderId,
  outcome: Outcome,
  user_id: Schema.NullOr(UserId),
  subject: Schema.NullOr(Subject),
  at: Timestamp,
  login: Schema.NullOr(Schema.String)
})

const toIdentity = ({ provider_id, ...row }: typeof IdentityRow.Type): UserIdentity => ({
  provider: provider_id,
  ...row
})

const toPerson = ({ user_id, memberships, ...user }: typeof PersonRow.Type): Person => ({
  user: { id: user_id, ...user },
  memberships: memberships.map(({ sessions_after: _ended, ...membership }) => membership),
  sessionsAfter: new Map(
    memberships.flatMap(({ org_id, sessions_after: ended }) =>
      ended === null ? [] : [[org_id, ended] as const]
    )
  )
})

const toSettings = ({
  settings,
  org_id,
  name,
  created_at
}: typeof JoiningRow.Type): OrgSettings => ({
  org: { id: org_id, name, created_at },
  settings
})

const toSignIn = ({ provider_id, ...row }: typeof SignInRow.Type): ListedSignIn => ({
  provider: provider_id,
  ...row
})

type Rows = Effect.Effect<ReadonlyArray<unknown>, SqlError>

const read = <A, I>(schema: Schema.Schema<A, I>, operation: string, statement: Rows) =>
  statement.pipe(
    Effect.flatMap(Schema.decodeUnknown(Schema.Array(schema))),
    SqlFailure.toStoreError(operation)
  )

const first = <A, I>(schema: Schema.Schema<A, I>, operation: string, statement: Rows) =>
  Effect.map(read(schema, operation, statement), ([row]) => Option.fromNullable(row))

/** Identities and users, across orgs. */
const people = (
  sql: SqlClient.SqlClient
): Pick<
  SignInStore["Type"],
  | "findIdentity"
  | "listIdentities"
  | "insertIdentity"
  | "removeIdentity"
  | "findByAddress"
  | "findPerson"
> => ({
  findIdentity: ({ provider, subject }) =>
    Effect.map(
      first(
        IdentityRow,
        "SignInStore.findIdentity",
        sql`select ${sql.literal(IDENTITY_COLUMNS)} from user_identity_get(${provider}, ${subject})`
      ),
      Option.map(toIdentity)
    ),
  listIdentities: (user) =>
    Effect.map(
      read(
        IdentityRow,
        "SignInStore.listIdentities",
        sql`select ${sql.literal(IDENTITY_COLUMNS)} from user_identity_list(${user})`
      ),
      (rows) => rows.map(toIdentity)
    ),
  insertIdentity: ({ provider, subject, issuer, user_id }) =>
    Effect.map(
      first(
        IdentityRow,
        "SignInStore.insertIdentity",
        sql`select ${sql.literal(IDENTITY_COLUMNS)} from
          user_identity_insert(${provider}, ${subject}, ${issuer}, ${user_id})`
      ),
      Option.map(toIdentity)
    ),
  removeIdentity: (user, provider) =>
    sql`select user_identity_remove(${user}, ${provider})`.pipe(
      Effect.map((rows) => rows.length > 0),
      SqlFailure.toStoreError("SignInStore.removeIdentity")
    ),
  findByAddress: (email) =>
    Effect.map(
      read(AddressRow, "SignInStore.findByAddress", sql`select * from user_by_address(${email})`),
      (rows) =>
        rows.map(({ user_id: user, is_linked: isLinked, is_admin: isAdmin }) => ({
          user,
          isLinked,
          isAdmin
        }))
    ),
  findPerson: (id) =>
    Effect.map(
      first(PersonRow, "SignInStore.findPerson", sql`select * from person_by_id(${id})`),
      Option.map(toPerson)
    )
})

/** `SignInStore` on PostgreSQL. */
export const layer: Layer.Layer<SignInStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    SignInStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      /** An array of texts, as one parameter. */
      const texts = (values: ReadonlyArray<string>) =>
        sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`
      return SignInStore.of({
        ...people(sql),
        findSettings: (orgs) =>
          orgs.length === 0
            ? Effect.succeed(new Map())
            : Effect.map(
                read(
                  SettingsRow,
                  "SignInStore.findSettings",
                  sql`select org_id, settings from sign_in_settings(${texts(orgs)})`
                ),
                (found) => new Map(found.map(({ org_id, settings }) => [org_id, settings]))
              ),
        putSettings: (org, settings) =>
          rows.run({
            operation: "SignInStore.putSettings",
            org,
            statement: sql`insert into sign_in_setting (org_id, settings)
              values (${org}, ${JSON.stringify(settings)}::jsonb)
              on conflict (org_id) do update set settings = excluded.settings`
          }),
        listJoining: (provider) =>
          Effect.map(
            read(
              JoiningRow,
              "SignInStore.listJoining",
              sql`select * from sign_in_joining(${provider})`
            ),
            (found) => found.map(toSettings)
          ),
        insertSignIn: ({ provider, outcome, user_id, subject }) =>
          sql`select sign_in_insert(${provider}, ${outcome}, ${user_id}, ${subject},
            ${RETENTION_SECONDS})`.pipe(
            Effect.map((found) => found.length > 0),
            SqlFailure.toStoreError("SignInStore.insertSignIn")
          ),
        listSignIns: (org, { providers }, { offset, limit }) =>
          Effect.gen(function* () {
            const page = (skipped: number, most: number) =>
              rows.page(SignInRow, {
                operation: "SignInStore.listSignIns",
                from: "page",
                org,
                statement: sql`select * from
                  sign_in_list(${org}, ${texts(providers)}, ${skipped}::int8, ${most}::int8)`
              })
            const { items, total } = yield* page(offset, limit)
            // WHY: a page without rows has no total.
            const counted = Option.isSome(total) || offset === 0 ? total : (yield* page(0, 1)).total
            return { items: items.map(toSignIn), total: Option.getOrElse(counted, () => 0) }
          })
      })
    })
  )

/** `MembershipStore` on PostgreSQL: users through functions, the rest in its org's tables. */
import { ActorMembership } from "@attestry/core/Actor"
import { Login, type OrgId, UserId } from "@attestry/core/Identifier"
import {
  Member,
  MemberAtInstant,
  Membership,
  type MembershipKey,
  type NewMembership,
  type User
} from "@attestry/core/Membership"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { MembershipStore, type Slice } from "@attestry/core/MembershipStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as MembershipHistorySql from "./MembershipHistorySql.js"

const UserRow = Schema.Struct({
  user_id: UserId,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
const decodeUsers = Schema.decodeUnknown(Schema.Array(UserRow))
const decodeOrgs = Schema.decodeUnknown(Schema.Array(ActorMembership))

const toUser = ({ user_id, ...user }: typeof UserRow.Type): User => ({ id: user_id, ...user })

const Total = Schema.Struct({ total: Schema.Int })

const COLUMNS = "org_id, user_id, role, created_at, suspended_at, sessions_after"

const UserIdRow = Schema.Struct({ user_id: UserId })

/** Queries about users, across orgs. */
const people = (sql: SqlClient.SqlClient) => ({
  findUser: (login: Login) =>
    sql`select user_id, login, display_name, email, created_at from user_by_login(${login})`.pipe(
      Effect.flatMap(decodeUsers),
      Effect.map(([row]) => Option.map(Option.fromNullable(row), toUser)),
      SqlFailure.toStoreError("MembershipStore.findUser")
    ),
  findUserById: (id: UserId) =>
    sql`select user_id, login, display_name, email, created_at from user_by_id(${id})`.pipe(
      Effect.flatMap(decodeUsers),
      Effect.map(([row]) => Option.map(Option.fromNullable(row), toUser)),
      SqlFailure.toStoreError("MembershipStore.findUserById")
    ),
  insertUser: (user: User) =>
    sql`select user_insert(${user.id}, ${user.login}, ${user.display_name}, ${user.email},
      ${user.created_at})`.pipe(
      Effect.map((found) => found.length > 0),
      SqlFailure.toStoreError("MembershipStore.insertUser")
    ),
  listOrgs: (user: UserId) =>
    sql`select * from user_orgs(${user})`.pipe(
      Effect.flatMap(decodeOrgs),
      SqlFailure.toStoreError("MembershipStore.listOrgs")
    ),
  findDefaultOrg: (user: UserId) =>
    sql<{ readonly org_id: OrgId }>`select user_default_org(${user}) as org_id`.pipe(
      Effect.map(([row]) => Option.fromNullable(row?.org_id)),
      SqlFailure.toStoreError("MembershipStore.findDefaultOrg")
    ),
  setDefaultOrg: (user: UserId, org: OrgId) =>
    sql`select user_set_default_org(${user}, ${org})`.pipe(
      Effect.map((rows) => rows.length > 0),
      SqlFailure.toStoreError("MembershipStore.setDefaultOrg")
    )
})

/** Queries about the members of one org. */
const members = (sql: SqlClient.SqlClient, rows: TenantQueries.TenantQueries) => ({
  listMembers: (org: OrgId, { offset, limit }: Slice) =>
    Effect.gen(function* () {
      const operation = "MembershipStore.listMembers"
      const items = yield* rows.list(Member, {
        operation,
        from: "page",
        org,
        statement: sql`with m as materialized (select ${sql.literal(COLUMNS)} from membership
            where org_id = ${org} order by created_at, user_id
            limit ${limit} offset ${offset})
          select m.*, u.login, u.display_name
          from m join org_members(${org}, array(select user_id from m)) u on u.user_id = m.user_id
          order by m.created_at, m.user_id`
      })
      const counted = yield* rows.first(Total, {
        operation,
        org,
        statement: sql`select count(*)::int4 as total from membership where org_id = ${org}`
      })
      return {
        items,
        total: Option.match(counted, { onNone: () => 0, onSome: (one) => one.total })
      }
    }),
  listMembersAt: (org: OrgId, at: Timestamp) =>
    rows.all(MemberAtInstant, {
      operation: "MembershipStore.listMembersAt",
      org,
      statement: sql`select * from org_members_at(${org}, ${at})`
    }),
  find: ({ org, user }: MembershipKey) =>
    rows.first(Membership, {
      operation: "MembershipStore.find",
      org,
      statement: sql`select ${sql.literal(COLUMNS)} from membership
        where org_id = ${org} and user_id = ${user}`
    }),
  lock: ({ org, user }: MembershipKey) =>
    rows.first(Membership, {
      operation: "MembershipStore.lock",
      org,
      statement: sql`select ${sql.literal(COLUMNS)} from membership
        where org_id = ${org} and user_id = ${user} for update`
    }),
  lockAdmins: (org: OrgId) =>
    Effect.map(
      rows.all(UserIdRow, {
        operation: "MembershipStore.lockAdmins",
        org,
        statement: sql`select user_id from membership
          where org_id = ${org} and role = 'admin' and suspended_at is null
          order by user_id for update`
      }),
      (found) => found.map(({ user_id }) => user_id)
    ),
  insert: ({ org_id, user_id, role, created_at }: NewMembership) =>
    rows.wrote({
      operation: "MembershipStore.insert",
      org: org_id,
      statement: sql`insert into membership (org_id, user_id, role, created_at)
          values (${org_id}, ${user_id}, ${role}, ${created_at})
          on conflict do nothing returning user_id`
    }),
  update: ({ org_id, user_id, role, suspended_at, sessions_after }: Membership) =>
    rows.run({
      operation: "MembershipStore.update",
      org: org_id,
      statement: sql`update membership set role = ${role}, suspended_at = ${suspended_at},
          sessions_after = ${sessions_after}
          where org_id = ${org_id} and user_id = ${user_id}`
    }),
  remove: ({ org, user }: MembershipKey) =>
    rows.run({
      operation: "MembershipStore.remove",
      org,
      statement: sql`delete from membership where org_id = ${org} and user_id = ${user}`
    }),
  appendEvent: (event: MembershipEvent.MembershipEvent) =>
    rows.run({
      operation: "MembershipStore.appendEvent",
      org: event.org_id,
      statement: sql`insert into membership_event (org_id, event_id, user_id, user_name, changed_by,
            role, previous_role, suspended, source, created_at, user_folded, changed_by_folded)
          values (${event.org_id}, ${event.id}, ${event.user_id}, ${event.user},
            ${event.changed_by}, ${event.role}, ${event.previous_role}, ${event.suspended},
            ${event.source}, ${event.created_at}, ${MembershipEvent.fold(event.user)},
            ${MembershipEvent.fold(event.changed_by)})`
    })
})

/** `MembershipStore` on PostgreSQL. */
export const layer: Layer.Layer<MembershipStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    MembershipStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const listEvents = yield* MembershipHistorySql.make
      return MembershipStore.of({ ...people(sql), ...members(sql, rows), listEvents })
    })
  )

/** `MembershipStore` on PostgreSQL: users through functions, memberships in their org's table. */
import { Login, UserId } from "@attestry/core/Identifier"
import type { User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"

const Row = Schema.Struct({
  user_id: UserId,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  created_at: Timestamp
})
const decode = Schema.decodeUnknown(Schema.Array(Row))

const toUser = ({ user_id, ...user }: typeof Row.Type): User => ({ id: user_id, ...user })

/** `MembershipStore` on PostgreSQL. */
export const layer: Layer.Layer<MembershipStore, never, SqlClient.SqlClient | SqlOrg> =
  Layer.effect(
    MembershipStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* SqlRows.make
      return MembershipStore.of({
        findUser: (login) =>
          sql`select * from user_by_login(${login})`.pipe(
            Effect.flatMap(decode),
            Effect.map(([row]) => Option.map(Option.fromNullable(row), toUser)),
            SqlFailure.toStoreError("MembershipStore.findUser")
          ),
        insertUser: (user) =>
          sql`select user_insert(${user.id}, ${user.login}, ${user.display_name}, ${user.email},
            ${user.created_at})`.pipe(
            Effect.map((found) => found.length > 0),
            SqlFailure.toStoreError("MembershipStore.insertUser")
          ),
        insert: ({ org_id, user_id, role, created_at }) =>
          Effect.map(
            rows.count({
              operation: "MembershipStore.insert",
              org: org_id,
              statement: sql`insert into membership (org_id, user_id, role, created_at)
                values (${org_id}, ${user_id}, ${role}, ${created_at})
                on conflict do nothing returning user_id`
            }),
            (count) => count > 0
          )
      })
    })
  )

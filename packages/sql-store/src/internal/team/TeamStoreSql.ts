/** `TeamStore` on PostgreSQL. */
import { Login, type OrgId, UserId } from "@attestry/core/Identifier"
import { Team } from "@attestry/core/Team"
import { TeamMember } from "@attestry/core/TeamMember"
import { TeamStore } from "@attestry/core/TeamStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const TEAM = `t.org_id, t.team_id as id, t.name, t.kind, t.description, t.group_name, t.external_id,
  t.created_at, t.deleted_at`
const TIME = "m.org_id, m.team_id, m.user_id, m.source, m.from_at, m.to_at"

const Counted = Schema.Struct({ ...Team.fields, members: Schema.Int })
const Named = Schema.Struct({
  ...TeamMember.fields,
  login: Login,
  display_name: Schema.NullOr(Schema.String),
  suspended: Schema.Boolean
})
const Among = Schema.Struct({ user_id: UserId, login: Login })
const Count = Schema.Struct({ count: Schema.Int })

const countOf = Option.match({
  onNone: () => 0,
  onSome: ({ count }: typeof Count.Type) => count
})

/** `TeamStore` on PostgreSQL. */
export const layer: Layer.Layer<TeamStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    TeamStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const [team, time] = [sql.literal(TEAM), sql.literal(TIME)]
      const texts = (values: ReadonlyArray<string>) => sql`${[...values]}::text[]`

      /**
       * Keeps others from adding and renaming teams until the transaction ends.
       *
       * WHY a statement of its own: the next one must see the teams that it has waited for.
       */
      const turn = (operation: string, org: OrgId) =>
        rows.run({
          operation,
          org,
          statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' team', 0))`
        })

      /** The times of a team that last, of people who are not suspended. */
      const counting = (org: OrgId, id: Fragment) =>
        sql`from team_member c where c.team_id = ${id} and c.to_at is null
          and c.org_id = ${org}
          and exists (select from membership s where s.org_id = c.org_id
            and s.user_id = c.user_id and s.suspended_at is null)`

      const given = (times: ReadonlyArray<TeamMember>) =>
        sql`jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as g (team_id text, user_id text,
          source text, from_at int8, to_at int8)`

      return TeamStore.of({
        find: (wanted, locking) =>
          rows.first(Team, {
            operation: "TeamStore.find",
            org: wanted.org,
            statement: sql`select ${team} from team t where t.org_id = ${wanted.org}
              and ${"id" in wanted ? sql`t.team_id = ${wanted.id}` : sql`t.name = ${wanted.name}`}
              and t.deleted_at is null ${forUpdate(sql, locking)}`
          }),
        list: (org, { user }, page) => {
          const all =
            user === undefined
              ? sql`team t where t.org_id = ${org} and t.deleted_at is null`
              : sql`team t where t.org_id = ${org} and t.deleted_at is null
                  and t.team_id = any(array(select o.team_id from team_member o
                    where o.org_id = ${org} and o.user_id = ${user} and o.to_at is null))`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Counted, {
            operation: "TeamStore.list",
            org,
            page,
            items: sql`select ${team}, (select count(*)::int4 ${counting(org, sql`t.team_id`)}) as members,
                ${total}
              from ${all} order by t.name ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listOfKind: (org, kind) =>
          rows.all(Team, {
            operation: "TeamStore.listOfKind",
            org,
            statement: sql`select ${team} from team t where t.org_id = ${org} and t.kind = ${kind}
              and t.deleted_at is null order by t.created_at, t.team_id`
          }),
        countToAdd: (org) =>
          Effect.zipRight(
            turn("TeamStore.countToAdd", org),
            Effect.map(
              rows.first(Count, {
                operation: "TeamStore.countToAdd",
                org,
                statement: sql`select count(*)::int4 as count from team
                  where org_id = ${org} and deleted_at is null`
              }),
              countOf
            )
          ),
        insert: (made) =>
          rows.wrote({
            operation: "TeamStore.insert",
            org: made.org_id,
            statement: sql`insert into team (org_id, team_id, name, kind, description, group_name,
                external_id, created_at, deleted_at)
              values (${made.org_id}, ${made.id}, ${made.name}, ${made.kind}, ${made.description},
                ${made.group_name}, ${made.external_id}, ${made.created_at}, ${made.deleted_at})
              on conflict do nothing returning team_id`
          }),
        update: (changed) =>
          Effect.zipRight(
            turn("TeamStore.update", changed.org_id),
            rows.wrote({
              operation: "TeamStore.update",
              org: changed.org_id,
              statement: sql`update team t set name = ${changed.name}, kind = ${changed.kind},
                  description = ${changed.description}, group_name = ${changed.group_name},
                  external_id = ${changed.external_id}, deleted_at = ${changed.deleted_at}
                where t.org_id = ${changed.org_id} and t.team_id = ${changed.id}
                  and (${changed.deleted_at}::int8 is not null or not exists (select from team o
                    where o.org_id = ${changed.org_id} and o.name = ${changed.name}
                      and o.team_id <> ${changed.id} and o.deleted_at is null))
                returning t.team_id`
            })
          ),
        listAmong: (org, users, locking) =>
          rows.all(Among, {
            operation: "TeamStore.listAmong",
            org,
            statement: sql`select m.user_id, u.login
              from (select org_id, user_id from membership
                where org_id = ${org} and user_id = any(${texts(users)})
                order by user_id ${sql.literal(locking?.lock === true ? "for key share" : "")}) m
              cross join lateral org_member(m.org_id, m.user_id) u order by m.user_id`
          }),
        countMembers: ({ id, org }) =>
          Effect.map(
            rows.first(Count, {
              operation: "TeamStore.countMembers",
              org,
              statement: sql`select count(*)::int4 as count ${counting(org, sql`${id}`)}`
            }),
            countOf
          ),
        listMembers: ({ id, org }, page) => {
          const all = sql`team_member m where m.org_id = ${org} and m.team_id = ${id}
            and m.to_at is null`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Named, {
            operation: "TeamStore.listMembers",
            org,
            page,
            items: sql`select ${time}, u.login, u.display_name, exists (select from membership s
                where s.org_id = m.org_id and s.user_id = m.user_id
                  and s.suspended_at is not null) as suspended, ${total}
              from (select * from ${all} order by m.from_at, m.user_id
                ${SqlPage.clause(sql, page)}) m
              cross join lateral org_member(m.org_id, m.user_id) u
              order by m.from_at, m.user_id`,
            count: sql`select ${total}`
          })
        },
        listOpen: (org, which) =>
          rows.all(TeamMember, {
            operation: "TeamStore.listOpen",
            org,
            statement: sql`select ${time} from team_member m where m.org_id = ${org}
              and ${
                "team" in which ? sql`m.team_id = ${which.team}` : sql`m.user_id = ${which.user}`
              } and m.to_at is null order by m.team_id, m.user_id`
          }),
        listLast: ({ id, org }, users) =>
          rows.all(TeamMember, {
            operation: "TeamStore.listLast",
            org,
            statement: sql`select distinct on (m.user_id) ${time} from team_member m
              where m.org_id = ${org} and m.team_id = ${id} and m.user_id = any(${texts(users)})
              order by m.user_id, m.from_at desc`
          }),
        listAt: (org, at) =>
          rows.all(TeamMember, {
            operation: "TeamStore.listAt",
            org,
            statement: sql`select ${time} from team_member m where m.org_id = ${org}
              and m.from_at <= ${at}::int8 and (m.to_at is null or ${at}::int8 < m.to_at)
              order by m.team_id, m.user_id`
          }),
        begin: (org, begun) =>
          rows.run({
            operation: "TeamStore.begin",
            org,
            statement: sql`insert into team_member (org_id, team_id, user_id, source, from_at, to_at)
              select ${org}, g.team_id, g.user_id, g.source, g.from_at, g.to_at from ${given(begun)}`
          }),
        end: (org, over) =>
          rows.run({
            operation: "TeamStore.end",
            org,
            statement: sql`update team_member m set to_at = g.to_at from ${given(over)}
              where m.org_id = ${org} and m.team_id = g.team_id and m.user_id = g.user_id
                and m.from_at = g.from_at`
          })
      })
    })
  )

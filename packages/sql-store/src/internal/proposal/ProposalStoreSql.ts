/** `ProposalStore` on PostgreSQL. States are conditions on the columns of a proposal. */
import type { OrgId, SpaceId } from "@attestry/core/Identifier"
import { Proposal, type ProposalState } from "@attestry/core/Proposal"
import { type ProposalQuery, ProposalStore } from "@attestry/core/ProposalStore"
import { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
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

const COLUMNS = `org_id, number, request, digest, changes, state_digest, kinds, spaces, reason, proposer, barred,
  made_at, expires_at, approvals, ended`

const Numbered = Schema.Struct({ number: Schema.Int })
const Counted = Schema.Struct({ total: Schema.Int })

/** The condition that a proposal is in a state at an instant. */
const isIn = (sql: SqlClient.SqlClient, state: ProposalState, now: Timestamp): Fragment => {
  switch (state) {
    case "made":
      return sql`(ended is null and ${now}::int8 < expires_at and approvals = '[]'::jsonb)`
    case "approved":
      return sql`(ended is null and ${now}::int8 < expires_at and approvals <> '[]'::jsonb)`
    case "expired":
      return sql`(ended ->> 'state' = 'expired' or (ended is null and ${now}::int8 >= expires_at))`
    default:
      return sql`ended ->> 'state' = ${state}`
  }
}

/** The condition that every space of a proposal is one of some. */
const areIn = (sql: SqlClient.SqlClient, spaces: ReadonlyArray<SpaceId>): Fragment =>
  sql`spaces <@ ${JSON.stringify(spaces)}::jsonb`

const conditions = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { now, own, states, within }: ProposalQuery
): Fragment =>
  sql.and([
    sql`org_id = ${org}`,
    ...(within === undefined ? [] : [areIn(sql, within)]),
    ...(own === undefined
      ? []
      : [sql`(proposer ->> 'id' = ${own.proposer} or ${areIn(sql, own.spaces)})`]),
    ...(states === undefined
      ? []
      : [sql`(${sql.or([sql`false`, ...states.map((state) => isIn(sql, state, now))])})`])
  ])

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** `ProposalStore` on PostgreSQL. */
export const layer: Layer.Layer<ProposalStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ProposalStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      const lockNumbers = (operation: string, org: OrgId) =>
        rows.run({
          operation,
          org,
          statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' proposal', 0))`
        })

      return ProposalStore.of({
        countToAdd: (org, now) =>
          Effect.zipRight(
            // WHY a statement of its own: the next one must see the proposals that it has waited for.
            lockNumbers("ProposalStore.countToAdd", org),
            Effect.map(
              rows.first(Counted, {
                operation: "ProposalStore.countToAdd",
                org,
                statement: sql`select count(*)::int4 as total from proposal
                  where org_id = ${org} and ended is null and expires_at > ${now}::int8`
              }),
              Option.match({ onNone: () => 0, onSome: ({ total }) => total })
            )
          ),
        append: (draft) => {
          const operation = "ProposalStore.append"
          const { org_id: org } = draft
          return Effect.zipRight(
            lockNumbers(operation, org),
            Effect.flatMap(
              rows.first(Proposal, {
                operation,
                org,
                statement: sql`insert into proposal (${columns})
                  select ${org}, coalesce(max(number), 0) + 1, ${json(draft.request)}::jsonb, ${draft.digest},
                    ${json(draft.changes)}::jsonb, ${draft.state_digest}, ${json(draft.kinds)}::jsonb,
                    ${json(draft.spaces)}::jsonb, ${draft.reason}, ${json(draft.proposer)}::jsonb,
                    ${json(draft.barred)}::jsonb,
                    ${draft.made_at}::int8, ${draft.expires_at}::int8, ${json(draft.approvals)}::jsonb,
                    ${json(draft.ended)}::jsonb
                  from proposal where org_id = ${org}
                  returning ${columns}`
              }),
              Option.match({
                onNone: () => new StoreError({ operation, cause: new Error("no row came back") }),
                onSome: Effect.succeed
              })
            )
          )
        },
        find: ({ number, org }, locking) =>
          rows.first(Proposal, {
            operation: "ProposalStore.find",
            org,
            statement: sql`select ${columns} from proposal
              where org_id = ${org} and number = ${number}::int4 ${forUpdate(sql, locking)}`
          }),
        decide: ({ approvals, ended, number, org_id: org }) =>
          rows.run({
            operation: "ProposalStore.decide",
            org,
            statement: sql`update proposal set approvals = ${json(approvals)}::jsonb,
                ended = ${json(ended)}::jsonb
              where org_id = ${org} and number = ${number}::int4`
          }),
        list: (org, query, page) => {
          const all = sql`proposal where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Proposal, {
            operation: "ProposalStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by number desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listExpired: (org, now) =>
          Effect.map(
            rows.all(Numbered, {
              operation: "ProposalStore.listExpired",
              org,
              statement: sql`select number from proposal
                where org_id = ${org} and ended is null and expires_at <= ${now}::int8 order by number`
            }),
            (found) => found.map(({ number }) => number)
          )
      })
    })
  )

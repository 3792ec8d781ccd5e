/** The status of logs of `LogStore` on PostgreSQL. */
import { OrgId } from "@attestry/core/Identifier"
import type { LogStore } from "@attestry/core/LogStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Scrub = Schema.Struct({
  through: Schema.Int,
  finished_at: Timestamp,
  findings: Schema.Int
})

const ScrubbedLog = Schema.Struct({
  org_id: OrgId,
  size: Schema.Int,
  through: Schema.NullOr(Schema.Int),
  finished_at: Schema.NullOr(Timestamp)
})

const scrubOf = ({ through, finished_at }: typeof ScrubbedLog.Type) =>
  through === null || finished_at === null ? Option.none() : Option.some({ through, finished_at })

const Counted = Schema.Struct({ n: Schema.Int })

const PublicLog = Schema.Struct({ org_id: OrgId })

/** The status of logs of `LogStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    LogStore["Type"],
    | "countPending"
    | "findScrub"
    | "listScrubs"
    | "putScrub"
    | "isPublic"
    | "putPublic"
    | "listPublic"
    | "thinCheckpoints"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  return {
    countPending: ({ org_id: org, horizon, done }, most) =>
      Effect.map(
        rows.first(Counted, {
          operation: "LogStore.countPending",
          org,
          statement: sql`select count(*)::int4 as n from (select from journal
                where org_id = ${org} and sequence > ${horizon}
                  and sequence <> all(${[...done]}::int8[]) limit ${most}) p`
        }),
        Option.match({ onNone: () => 0, onSome: ({ n }) => n })
      ),
    findScrub: (org) =>
      rows.first(Scrub, {
        operation: "LogStore.findScrub",
        org,
        statement: sql`select through, finished_at, findings from log_scrub
              where org_id = ${org}`
      }),
    listScrubs: sql`select org_id, size, through, finished_at from log_scrub_list()`.pipe(
      Effect.flatMap(TenantQueries.decoderOf(ScrubbedLog)),
      Effect.map((found) =>
        found.map((row) => ({ org_id: row.org_id, size: row.size, scrub: scrubOf(row) }))
      ),
      SqlFailure.toStoreError("LogStore.listScrubs")
    ),
    putScrub: (org, { through, finished_at, findings }) =>
      rows.run({
        operation: "LogStore.putScrub",
        org,
        statement: sql`insert into log_scrub (org_id, through, finished_at, findings)
              values (${org}, ${through}, ${finished_at}, ${findings})
              on conflict (org_id) do update set through = excluded.through,
                finished_at = excluded.finished_at, findings = excluded.findings`
      }),
    isPublic: (org) =>
      sql`select public_log_has(${org})`.pipe(
        Effect.map((found) => found.length > 0),
        SqlFailure.toStoreError("LogStore.isPublic")
      ),
    putPublic: (org, isPublic) =>
      rows.run({
        operation: "LogStore.putPublic",
        org,
        statement: sql`select public_log_put(${isPublic})`
      }),
    listPublic: sql`select org_id from public_log_list()`.pipe(
      Effect.flatMap(TenantQueries.decoderOf(PublicLog)),
      Effect.map((found) => found.map(({ org_id }) => org_id)),
      SqlFailure.toStoreError("LogStore.listPublic")
    ),
    thinCheckpoints: (org, { wholeAfter, minutesAfter }) =>
      Effect.map(
        rows.first(Counted, {
          operation: "LogStore.thinCheckpoints",
          org,
          statement: sql`select t::int4 as n from log_thin(${wholeAfter}, ${minutesAfter}) t`
        }),
        Option.match({ onNone: () => 0, onSome: ({ n }) => n })
      )
  }
})

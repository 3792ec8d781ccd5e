/** Rows of snapshots of `HistoryStore` on PostgreSQL: a part is a bucket of rows. */

import { ReportedFingerprint } from "@attestry/core/Fingerprint"
import type { HistoryStore } from "@attestry/core/HistoryStore"
import { RowDecision } from "@attestry/core/RowDecision"
import { SnapshotMember } from "@attestry/core/Snapshot"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Part = Schema.Struct({ first: Schema.Int, last: Schema.Int })

const Row = Schema.Struct({
  name: Schema.String,
  fingerprint: ReportedFingerprint,
  firstIndex: Schema.Int,
  lastIndex: Schema.Int,
  startedIndex: Schema.Int,
  verdict: Verdict,
  digest: Schema.NullOr(Schema.String)
})

const Decided = Schema.Struct({
  digest: Schema.String,
  decisions: Schema.Array(RowDecision)
})

const Members = Schema.Struct({
  index: Schema.Int,
  members: Schema.NullOr(Schema.Array(SnapshotMember))
})

/** Rows of snapshots of `HistoryStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<HistoryStore["Type"], "rowParts" | "recordedRows" | "memberIndexes">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  return {
    rowParts: ({ environment, org }, { first, last }) =>
      rows.all(Part, {
        operation: "HistoryStore.rowParts",
        org,
        statement: sql`select min(s.index) as first, max(s.index) as last from snapshot s
              where s.org_id = ${org} and s.environment_id = ${environment}
                and s.index between ${first} and ${last}
              group by s.bucket order by s.bucket`
      }),
    recordedRows: ({ environment, org }, { first, last }) =>
      Effect.gen(function* () {
        const found = yield* rows.all(Row, {
          operation: "HistoryStore.recordedRows",
          org,
          // WHY the end of the bucket: a row that is carried into the next stays open in its own.
          statement: sql`select r.name, r.fingerprint,
                  greatest(r.first_index, ${first}) as "firstIndex",
                  least(r.last_index, b.last) as "lastIndex", r.started_index as "startedIndex",
                  r.verdict, encode(r.decisions_digest, 'hex') as digest
                from (select s.bucket, max(s.index) as last from snapshot s
                  where s.org_id = ${org} and s.environment_id = ${environment}
                    and s.index between ${first} and ${last}
                  group by s.bucket) b
                cross join lateral (select * from snapshot_row r where r.org_id = ${org}
                  and r.environment_id = ${environment} and r.bucket = b.bucket
                  and r.first_index <= b.last and r.last_index >= ${first} offset 0) r
                order by r.name, r.fingerprint, 3`
        })
        const digests = [...new Set(found.flatMap(({ digest }) => digest ?? []))]
        const decided =
          digests.length === 0
            ? []
            : yield* rows.all(Decided, {
                operation: "HistoryStore.recordedRows",
                org,
                statement: sql`select encode(d.digest, 'hex') as digest, d.decisions
                      from snapshot_decisions d where d.org_id = ${org}
                        and d.digest = any(array(select decode(h, 'hex')
                          from unnest(${digests}::text[]) h))`
              })
        const decisions = new Map(decided.map((each) => [each.digest, each.decisions]))
        return found.map(({ digest, ...row }) => ({
          ...row,
          decisions: decisions.get(digest ?? "") ?? []
        }))
      }),
    memberIndexes: ({ environment, org }, { first, last }) =>
      Effect.map(
        rows.all(Members, {
          operation: "HistoryStore.memberIndexes",
          org,
          statement: sql`select s.index, s.members from snapshot s
                where s.org_id = ${org} and s.environment_id = ${environment}
                  and s.index between ${first} and ${last} order by s.index`
        }),
        (found) =>
          found.map(({ index, members }) => ({
            index,
            members: new Map(members?.map((member) => [member.environment_id, member.index]))
          }))
      )
  }
})

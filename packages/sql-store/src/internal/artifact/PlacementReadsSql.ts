/** Placements of `ReadModels` on PostgreSQL. Runs are the view `fingerprint_run` of exposures. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { EnvironmentId, EnvironmentName } from "@attestry/core/Identifier"
import type { Placement, PlacementKey, Run } from "@attestry/core/Placement"
import type { ReadModels } from "@attestry/core/ReadModels"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

const Content = Schema.Struct({ fingerprint: Fingerprint })

const RunRow = Schema.Struct({
  fingerprint: Fingerprint,
  environment_id: EnvironmentId,
  name: EnvironmentName,
  is_archived: Schema.Boolean,
  current_index: Schema.Int,
  started_index: Schema.Int,
  started_at: Timestamp,
  exited_index: Schema.NullOr(Schema.Int),
  exited_at: Schema.NullOr(Timestamp)
})
type RunRow = typeof RunRow.Type

const PlacedRow = Schema.Struct({
  environment: EnvironmentId,
  index: Schema.Int,
  fingerprint: Fingerprint,
  name: Schema.String,
  verdict: Verdict
})

const toRun = ({ exited_at, exited_index, started_at, started_index }: RunRow): Run => ({
  started: { index: started_index, at: started_at },
  exited:
    exited_index === null || exited_at === null ? null : { index: exited_index, at: exited_at }
})

/** Rows of one content in one environment are next to each other. */
const toPlacements = (rows: ReadonlyArray<RunRow>): ReadonlyArray<Placement> =>
  Arr.isNonEmptyReadonlyArray(rows)
    ? Arr.groupWith(
        rows,
        (left, right) =>
          left.fingerprint === right.fingerprint && left.environment_id === right.environment_id
      ).map((runs) => {
        const [{ current_index, environment_id, fingerprint, is_archived, name }] = runs
        return {
          fingerprint,
          environment: environment_id,
          environmentName: name,
          isArchived: is_archived,
          currentIndex: current_index,
          runs: Arr.map(runs, toRun)
        }
      })
    : []

/** The keys of one snapshot together: its rows are looked through once. */
const bySnapshot = (keys: ReadonlyArray<PlacementKey>) =>
  Object.values(Arr.groupBy(keys, ({ environment, index }) => `${environment} ${index}`)).map(
    (together) => {
      const [{ environment, index }] = together
      return { environment, index, fingerprints: together.map(({ fingerprint }) => fingerprint) }
    }
  )

/** Placements of `ReadModels` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "placements" | "placedFingerprints" | "placedRows">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  return {
    placements: (org, fingerprints) =>
      fingerprints.length === 0
        ? Effect.succeed([])
        : Effect.map(
            rows.all(RunRow, {
              operation: "ReadModels.placements",
              org,
              // WHY scalar selects: each is a lookup by the key of its table, whatever statistics say.
              statement: sql`select r.fingerprint, r.environment_id, e.name,
                    e.archived_at is not null as is_archived, r.started_index, r.exited_index,
                    (select s.index from snapshot s where s.org_id = r.org_id
                      and s.environment_id = r.environment_id
                      order by s.index desc limit 1) as current_index,
                    (select s.timestamp from snapshot s where s.org_id = r.org_id
                      and s.environment_id = r.environment_id
                      and s.index = r.started_index) as started_at,
                    (select s.timestamp from snapshot s where s.org_id = r.org_id
                      and s.environment_id = r.environment_id
                      and s.index = r.exited_index) as exited_at
                  from fingerprint_run r
                  cross join lateral (select e.name, e.archived_at from environment e
                    where e.org_id = r.org_id and e.environment_id = r.environment_id offset 0) e
                  where r.org_id = ${org} and r.fingerprint = any(${[...new Set(fingerprints)]})
                  order by r.fingerprint, e.name, r.environment_id, r.started_index`
            }),
            toPlacements
          ),
    placedFingerprints: ({ environments, org, prefix, limit }) =>
      Effect.map(
        rows.all(Content, {
          operation: "ReadModels.placedFingerprints",
          org,
          statement: sql`select distinct r.fingerprint from fingerprint_run r
              where r.org_id = ${org} and r.fingerprint >= ${prefix}
                and r.fingerprint < ${`${prefix}g`}
                ${environments === undefined ? sql.literal("") : sql`and r.environment_id = any(${[...environments]})`}
                and (select e.archived_at is null from environment e
                  where e.org_id = r.org_id and e.environment_id = r.environment_id)
              order by r.fingerprint limit ${limit}`
        }),
        Arr.map(({ fingerprint }) => fingerprint)
      ),
    placedRows: (org, keys) =>
      keys.length === 0
        ? Effect.succeed([])
        : rows.list(PlacedRow, {
            operation: "ReadModels.placedRows",
            from: "list",
            org,
            statement: sql`select k.environment, k.index, r.fingerprint, r.name, r.verdict
                from jsonb_to_recordset(${JSON.stringify(bySnapshot(keys))}::jsonb)
                  as k (environment text, index int4, fingerprints jsonb)
                cross join lateral (select s.bucket from snapshot s where s.org_id = ${org}
                  and s.environment_id = k.environment and s.index = k.index offset 0) s
                cross join lateral (select r.fingerprint, r.name, r.verdict from snapshot_row r
                  where r.org_id = ${org} and r.environment_id = k.environment
                    and r.bucket = s.bucket and r.first_index <= k.index
                    and r.last_index >= k.index
                    and r.fingerprint = any(array(select jsonb_array_elements_text(k.fingerprints)))
                  offset 0) r`
          })
  }
})

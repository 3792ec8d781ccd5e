/** `ArtifactStore` on PostgreSQL. The report is one JSON value; what lookups need is in columns. */
import { Artifact, ArtifactFact, commitOf, factOf } from "@attestry/core/Artifact"
import { type ArtifactQuery, ArtifactStore, EARLIER_SCANNED } from "@attestry/core/ArtifactStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { CommitSha, type OrgId } from "@attestry/core/Identifier"
import type { Page } from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import * as LockedTrail from "../trail/LockedTrail.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

const Commit = Schema.Struct({ git_commit: CommitSha })
const Content = Schema.Struct({ fingerprint: Fingerprint })

/** The row of an artifact. */
const rowOf = (artifact: Artifact) => ({
  org_id: artifact.org_id,
  artifact_id: artifact.id,
  flow_id: artifact.flow_id,
  trail_id: artifact.trail_id,
  sequence: artifact.sequence,
  slot: artifact.slot,
  fingerprint: artifact.fingerprint,
  report: artifact.report,
  git_commit: commitOf(artifact.report),
  repo_id: artifact.repo_id,
  created_by: artifact.created_by,
  created_at: artifact.created_at
})

const COLUMNS = `org_id, artifact_id as id, flow_id, trail_id, sequence, slot,
  fingerprint, report, repo_id, created_by, created_at`

const conditions = (
  sql: SqlClient.SqlClient,
  { commit, flow, org, repos, search, trail, within }: ArtifactQuery
) => {
  const isFound = [commit, flow, repos, trail].some((filter) => filter !== undefined)
  const wanted = within === undefined ? undefined : { org, kind: "flow" as const, spaces: within }
  return sql.and([
    sql`org_id = ${org}`,
    ...(commit === undefined
      ? []
      : [sql`git_commit >= ${commit} and git_commit < ${`${commit}g`}`]),
    ...(flow === undefined ? [] : [sql`flow_id = ${flow}`]),
    ...(trail === undefined ? [] : [sql`trail_id = ${trail}`]),
    ...(repos === undefined ? [] : [sql`repo_id = any(${[...repos]})`]),
    ...(search === undefined
      ? []
      : [sql`strpos(lower(report ->> 'filename'), lower(${search})) > 0`]),
    ...(wanted === undefined
      ? []
      : [
          isFound
            ? PlacedThings.isOne(sql, sql`flow_id`, wanted)
            : sql`flow_id = any(${PlacedThings.idsOf(sql, wanted)})`
        ])
  ])
}

/** One page of all records in some spaces; undefined for another query. */
const newest = (
  sql: SqlClient.SqlClient,
  { org, within, ...filters }: ArtifactQuery,
  page: Page | undefined
) => {
  const isWhole = Object.values(filters).every((filter) => filter === undefined)
  if (!isWhole || within === undefined || page === undefined) return undefined
  const list = { table: "artifact", place: "sequence" } as const
  return sql`select ${sql.literal(COLUMNS)} from
    ${PlacedThings.pageOf(sql, { ...list, org, spaces: within }, page)} order by sequence desc`
}

/** `ArtifactStore` on PostgreSQL. */
export const layer: Layer.Layer<ArtifactStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ArtifactStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const artifacts: WriteBuffer.Kind = {
        statement: (_, values) => sql`insert into artifact
        select * from json_populate_recordset(null::artifact, ${values}::json)`
      }
      const columns = sql.literal(COLUMNS)
      const within = (place: {
        readonly flow?: string | undefined
        readonly trail?: string | undefined
      }) =>
        sql`${place.flow === undefined ? sql.literal("") : sql`and flow_id = ${place.flow}`}
        ${place.trail === undefined ? sql.literal("") : sql`and trail_id = ${place.trail}`}`
      const none = sql.literal("")
      /** Rows that other conditions find, of flows that are in some spaces. */
      const inSpaces = (org: OrgId, spaces: ReadonlyArray<PlaceId> | undefined) =>
        spaces === undefined
          ? none
          : sql`and ${PlacedThings.isOne(sql, sql`flow_id`, { org, kind: "flow", spaces })}`
      return ArtifactStore.of({
        isAgeLimited: (org) =>
          rows.wrote({
            operation: "ArtifactStore.isAgeLimited",
            org,
            statement: sql`select from policy where org_id = ${org} and reads @> '["evidence.age"]' limit 1`
          }),
        findNewest: ({ org, trail, slot }) =>
          rows.first(Artifact, {
            operation: "ArtifactStore.findNewest",
            org,
            statement: sql`select ${columns} from artifact
            where org_id = ${org} and trail_id = ${trail} and slot = ${slot}
            order by sequence desc limit 1`
          }),
        listByIds: (org, ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : rows.list(Artifact, {
                operation: "ArtifactStore.listByIds",
                from: "list",
                org,
                statement: sql`select ${columns} from artifact
                where org_id = ${org} and artifact_id = any(${[...ids]})`
              }),
        listFacts: (org, trail) =>
          LockedTrail.use(trail, (locked) =>
            locked === undefined
              ? rows.all(ArtifactFact, {
                  operation: "ArtifactStore.listFacts",
                  org,
                  statement: sql`select sequence, artifact_id as id, slot, fingerprint, git_commit as commit
                  from artifact where org_id = ${org} and trail_id = ${trail} order by sequence`
                })
              : Effect.succeed([...locked.artifacts])
          ),
        matchFingerprints: ({ org, flow, prefix, limit, within: spaces }) =>
          Effect.map(
            rows.all(Content, {
              operation: "ArtifactStore.matchFingerprints",
              org,
              statement: sql`select distinct fingerprint from artifact
              where org_id = ${org} and fingerprint >= ${prefix} and fingerprint < ${`${prefix}g`}
                ${within({ flow })} ${inSpaces(org, spaces)}
              order by fingerprint limit ${limit}`
            }),
            Arr.map(({ fingerprint }) => fingerprint)
          ),
        listByContent: ({ org, flow, fingerprint, trail, within: spaces }) =>
          rows.all(Artifact, {
            operation: "ArtifactStore.listByContent",
            org,
            statement: sql`select ${columns} from artifact
            where org_id = ${org} and fingerprint = ${fingerprint} ${within({ flow, trail })}
              ${inSpaces(org, spaces)}
            order by sequence desc`
          }),
        matchCommits: ({ org, prefix, limit, within: spaces }) =>
          Effect.map(
            rows.all(Commit, {
              operation: "ArtifactStore.matchCommits",
              org,
              statement: sql`select distinct git_commit from artifact
              where org_id = ${org} and git_commit >= ${prefix} and git_commit < ${`${prefix}g`}
                ${inSpaces(org, spaces)}
              order by git_commit limit ${limit}`
            }),
            Arr.map(({ git_commit }) => git_commit)
          ),
        list: (query, page) =>
          rows.list(Artifact, {
            operation: "ArtifactStore.list",
            from: page === undefined ? "list" : "page",
            org: query.org,
            statement:
              newest(sql, query, page) ??
              sql`select ${columns} from artifact where ${conditions(sql, query)}
                order by sequence desc ${page === undefined ? none : SqlPage.clause(sql, page)}`
          }),
        findPrevious: ({ org, flow, fingerprint, branch }) =>
          rows.first(Artifact, {
            operation: "ArtifactStore.findPrevious",
            org,
            statement: sql`select ${columns} from artifact
            where org_id = ${org} and flow_id = ${flow} and fingerprint <> ${fingerprint}
              and git_commit is not null
              and sequence < coalesce((select max(sequence) from artifact where org_id = ${org}
                and flow_id = ${flow} and fingerprint = ${fingerprint}), 9223372036854775807)
              ${
                branch === undefined
                  ? sql.literal("")
                  : sql`and report #>> '{git_commit_info,branch}' = ${branch}`
              }
            order by sequence desc limit 1`
          }),
        listEarlier: ({ org, flow, slot, before, limit }) =>
          rows.all(Artifact, {
            operation: "ArtifactStore.listEarlier",
            org,
            statement: sql`select ${columns} from (select * from artifact
                where org_id = ${org} and flow_id = ${flow} and sequence < ${before}
                order by sequence desc limit ${EARLIER_SCANNED}) artifact
              where slot = ${slot} order by sequence desc limit ${limit}`
          }),
        append: (artifact) =>
          LockedTrail.use(artifact.trail_id, (locked, buffer) => {
            locked?.artifacts.push(factOf(artifact))
            return rows.addTo(buffer, {
              operation: "ArtifactStore.append",
              org: artifact.org_id,
              row: `artifact ${artifact.id}`,
              kind: artifacts,
              value: rowOf(artifact)
            })
          })
      })
    })
  )

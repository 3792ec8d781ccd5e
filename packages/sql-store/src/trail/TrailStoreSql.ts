/** `TrailStore` on PostgreSQL. What a client said about a trail is one JSON value. */
import { ArtifactFact } from "@attestry/core/Artifact"
import { AttestationFact } from "@attestry/core/Attestation"
import { Flow } from "@attestry/core/Flow"
import {
  FlowId,
  FlowName,
  OrgId,
  RepoId,
  TemplateId,
  TrailId,
  TrailName
} from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import { Timestamp } from "@attestry/core/Timestamp"
import { type Trail, TrailDetails, type TrailKey } from "@attestry/core/Trail"
import { type TrailQuery, TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as SqlRows from "../shared/SqlRows.js"
import * as HeldTrail from "./HeldTrail.js"

const Row = Schema.Struct({
  org_id: OrgId,
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  details: TrailDetails,
  template: Schema.NullOr(Schema.String),
  template_id: Schema.NullOr(TemplateId),
  repo_ids: Schema.Array(RepoId),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})

const { id: _flowId, ...flowFields } = Flow.fields
const { id: _trailId, ...rowFields } = Row.fields

const toTrail = ({ details, ...row }: typeof Row.Type): Trail => ({ ...row, ...details })

const detailsOf = (trail: Trail): string =>
  JSON.stringify({
    description: trail.description,
    git_commit_info: trail.git_commit_info,
    repo_info: trail.repo_info,
    external_urls: trail.external_urls,
    origin_url: trail.origin_url,
    user_data: trail.user_data
  } satisfies TrailDetails)

/** What `lock_trail` answers; nothing when there is no such trail. */
const Locked = Schema.Struct({
  document: Schema.NullOr(
    Schema.Struct({
      sequence: Schema.Int,
      flow: Schema.Struct({ ...flowFields, flow_id: FlowId }),
      trail: Schema.Struct({ ...rowFields, trail_id: TrailId }),
      artifacts: Schema.Array(ArtifactFact),
      attestations: Schema.Array(AttestationFact)
    })
  )
})

/** Remembers what a lock has read, and gives the trail and its flow. */
const hold = ({ document }: typeof Locked.Type) => {
  if (document === null) return Effect.succeedNone
  const { flow_id, ...flow } = document.flow
  const { trail_id, ...row } = document.trail
  return Effect.as(
    HeldTrail.remember(trail_id, {
      artifacts: [...document.artifacts],
      attestations: [...document.attestations],
      sequence: document.sequence
    }),
    Option.some({ flow: { ...flow, id: flow_id }, trail: toTrail({ ...row, id: trail_id }) })
  )
}

const CommitRow = Schema.Struct({ flow: FlowName, trail: TrailName, branch: Schema.String })

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: TrailQuery) =>
  sql.and([
    sql`t.org_id = ${org}`,
    ...(query.flow === undefined ? [] : [sql`t.flow_id = ${query.flow}`]),
    ...(query.fingerprint === undefined
      ? []
      : [
          sql`exists (select from artifact a where a.org_id = t.org_id
            and a.trail_id = t.trail_id and a.fingerprint = ${query.fingerprint})`
        ]),
    ...(query.flowTag === undefined
      ? []
      : [
          sql`exists (select from flow f where f.org_id = t.org_id and f.flow_id = t.flow_id
            and f.tags @> ${JSON.stringify(
              Object.fromEntries([[query.flowTag.key, query.flowTag.value]])
            )}::jsonb)`
        ])
  ])

/** `TrailStore` on PostgreSQL. */
export const layer: Layer.Layer<TrailStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  TrailStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const columns = sql.literal(`org_id, trail_id as id, flow_id, name, details, template,
      template_id, repo_ids, created_by, created_at, last_modified_at`)
    const find = (operation: string, { org, flow, name }: TrailKey, lock: "" | "for update") =>
      Effect.map(
        rows.first(Row, {
          operation,
          org,
          statement: sql`select ${columns} from trail
            where org_id = ${org} and flow_id = ${flow} and name = ${name}
            ${sql.literal(lock)}`
        }),
        Option.map(toTrail)
      )
    return TrailStore.of({
      findByName: (key) => find("TrailStore.findByName", key, ""),
      listByIds: (org, ids) =>
        Effect.map(
          rows.list(Row, {
            operation: "TrailStore.listByIds",
            from: "list",
            org,
            statement: sql`select ${columns} from trail
              where org_id = ${org} and trail_id = any(${[...ids]})`
          }),
          Arr.map(toTrail)
        ),
      lockByName: (key) => find("TrailStore.lockByName", key, "for update"),
      lockWithFlow: ({ org, flow, name }) =>
        Effect.flatMap(
          rows.first(Locked, {
            operation: "TrailStore.lockWithFlow",
            org,
            statement: sql`select document from lock_trail(${org}, ${flow}, ${name})`
          }),
          Option.match({ onNone: () => Effect.succeedNone, onSome: hold })
        ),
      insert: (trail) =>
        rows.wrote({
          operation: "TrailStore.insert",
          org: trail.org_id,
          statement: sql`insert into trail (org_id, trail_id, flow_id, name, details, template,
                template_id, repo_ids, created_by, created_at, last_modified_at)
              values (${trail.org_id}, ${trail.id}, ${trail.flow_id}, ${trail.name},
                ${detailsOf(trail)}::jsonb, ${trail.template}, ${trail.template_id},
                ${[...trail.repo_ids]}, ${trail.created_by}, ${trail.created_at},
                ${trail.last_modified_at})
              on conflict (org_id, flow_id, name) do nothing returning trail_id`
        }),
      update: (trail) =>
        rows.run({
          operation: "TrailStore.update",
          org: trail.org_id,
          statement: sql`update trail set details = ${detailsOf(trail)}::jsonb,
                template = ${trail.template}, template_id = ${trail.template_id}, repo_ids = ${[...trail.repo_ids]},
                last_modified_at = ${trail.last_modified_at}
              where org_id = ${trail.org_id} and trail_id = ${trail.id}`
        }),
      list: (org, query, page) => {
        const all = sql`trail t where ${conditions(sql, org, query)}`
        const total = SqlPage.total(sql, all)
        return Effect.map(
          SqlPage.read(rows, Row, {
            operation: "TrailStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by ordinal desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          }),
          (found) => Page.map(found, toTrail)
        )
      },
      linkCommit: ({ org, trail, sha, branch }) =>
        rows.write({
          operation: "TrailStore.linkCommit",
          org,
          row: `trail_commit ${trail} ${sha}`,
          statement: sql`insert into trail_commit (org_id, sha, ordinal, trail_id, branch)
              select org_id, ${sha}, ordinal, trail_id, ${branch}
              from trail where org_id = ${org} and trail_id = ${trail}
              on conflict (org_id, sha, ordinal) do update set branch = excluded.branch
              where trail_commit.branch = '' and excluded.branch <> ''`
        }),
      listByCommit: (org, sha, page) => {
        // WHY the org as row-level security says it: saying it twice would cost a tenth for every link.
        const total = SqlPage.total(
          sql,
          sql`trail_commit where org_id = current_setting('attestry.org_id', true) and sha = ${sha}`
        )
        return SqlPage.read(rows, CommitRow, {
          operation: "TrailStore.listByCommit",
          org,
          page,
          items: sql`select f.name as flow, t.name as trail, c.branch, ${total}
            from trail_commit c
              join trail t on t.org_id = c.org_id and t.trail_id = c.trail_id
              join flow f on f.org_id = t.org_id and f.flow_id = t.flow_id
            where c.org_id = ${org} and c.sha = ${sha}
            order by c.ordinal desc ${SqlPage.clause(sql, page)}`,
          count: sql`select ${total}`
        })
      }
    })
  })
)

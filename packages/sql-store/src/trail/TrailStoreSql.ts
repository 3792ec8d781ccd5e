/** `TrailStore` on PostgreSQL. What a client said about a trail is one JSON value. */
import { ArtifactFact } from "@attestry/core/Artifact"
import { AttestationFact } from "@attestry/core/Attestation"
import { Flow } from "@attestry/core/Flow"
import {
  FlowId,
  type FlowName,
  OrgId,
  RepoId,
  TemplateId,
  TrailId,
  TrailName
} from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import { Timestamp } from "@attestry/core/Timestamp"
import { type Trail, TrailDetails, type TrailKey } from "@attestry/core/Trail"
import { type TrailOfFlow, type TrailQuery, TrailStore } from "@attestry/core/TrailStore"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as PendingWrites from "../shared/PendingWrites.js"
import { SqlOrg } from "../shared/SqlOrg.js"
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

/** What `lock_trails` answers about each; the flow only where it is another than before. */
const Locked = Schema.Struct({
  document: Schema.NullOr(
    Schema.Struct({
      sequence: Schema.Int,
      flow: Schema.NullOr(Schema.Struct({ ...flowFields, flow_id: FlowId })),
      trail: Schema.Struct({ ...rowFields, trail_id: TrailId, ordinal: Schema.Int }),
      artifacts: Schema.Array(ArtifactFact),
      attestations: Schema.Array(AttestationFact)
    })
  )
})

/** A trail that is locked, and what was read with it. */
interface LockedTrail extends TrailOfFlow {
  readonly held: HeldTrail.HeldTrail
}

/** The locked trails in the order in which they were asked for. */
const lockedTrails = (
  rows: ReadonlyArray<typeof Locked.Type>
): ReadonlyArray<Option.Option<LockedTrail>> => {
  let flow: Flow | undefined
  return rows.map(({ document }) => {
    if (document === null) return Option.none()
    if (document.flow !== null) {
      const { flow_id, ...told } = document.flow
      flow = { ...told, id: flow_id }
    }
    if (flow === undefined) return Option.none()
    const { trail_id, ordinal, ...row } = document.trail
    const { artifacts, attestations, sequence } = document
    const held = {
      artifacts: [...artifacts],
      attestations: [...attestations],
      ordinal,
      sequence
    }
    return Option.some({ flow, trail: toTrail({ ...row, id: trail_id }), held })
  })
}

const CommitRow = Schema.Struct({ ...Row.fields, branch: Schema.String })

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
    const { question } = yield* SqlOrg
    const lock = yield* question({
      operation: "TrailStore.lockWithFlow",
      keyOf: ({ flow, name }: { readonly flow: FlowName; readonly name: TrailName }) =>
        `${flow}/${name}`,
      statement: (org, asked, { waits }) =>
        sql`select document from lock_trails(${org}, ${JSON.stringify(asked)}::json, ${waits})`,
      read: (found) => Effect.map(SqlRows.decode(Locked, found), lockedTrails)
    })
    const ifBranchIsNew = sql`on conflict (org_id, sha, ordinal) do update
      set branch = excluded.branch where trail_commit.branch = '' and excluded.branch <> ''`
    const links: PendingWrites.Kind = {
      statement: (_, values) => sql`insert into trail_commit
        select * from json_populate_recordset(null::trail_commit, ${values}::json) ${ifBranchIsNew}`
    }
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
          lock(org, { flow, name }),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: ({ held, ...found }) =>
              Effect.as(HeldTrail.remember(found.trail.id, held), Option.some(found))
          })
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
        const where = conditions(sql, org, query)
        return Effect.map(
          SqlPage.read(rows, Row, {
            operation: "TrailStore.list",
            org,
            items: sql`select ${columns} from trail t where ${where}
              order by ordinal desc ${SqlPage.clause(sql, page)}`,
            count: sql`select count(*) as total from trail t where ${where}`
          }),
          (found) => Page.map(found, toTrail)
        )
      },
      linkCommit: ({ org, trail, sha, branch }) =>
        Effect.flatMap(HeldTrail.find(trail), (held) => {
          const written = { operation: "TrailStore.linkCommit", org, row: `link ${trail} ${sha}` }
          return held === undefined
            ? rows.write({
                ...written,
                statement: sql`insert into trail_commit
                  select org_id, ${sha}, ordinal, trail_id, ${branch}
                  from trail where org_id = ${org} and trail_id = ${trail} ${ifBranchIsNew}`
              })
            : rows.add({
                ...written,
                kind: links,
                value: { org_id: org, sha, ordinal: held.ordinal, trail_id: trail, branch }
              })
        }),
      listByCommit: (org, sha, page) =>
        Effect.map(
          SqlPage.read(rows, CommitRow, {
            operation: "TrailStore.listByCommit",
            org,
            items: sql`select ${columns}, (select c.branch from trail_commit c
                where c.org_id = ${org} and c.sha = ${sha} and c.ordinal = found.ordinal)
              from (
                select t.* from trail_commit c join trail t using (org_id, trail_id)
                where c.org_id = ${org} and c.sha = ${sha}
                order by c.ordinal desc ${SqlPage.clause(sql, page)}) found
              order by ordinal desc`,
            count: sql`select count(*) as total from trail_commit
              where org_id = ${org} and sha = ${sha}`
          }),
          (found) => Page.map(found, ({ branch, ...row }) => ({ trail: toTrail(row), branch }))
        )
    })
  })
)

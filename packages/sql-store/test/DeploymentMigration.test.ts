/** Deployments of snapshots that were made before deployments had rows of their own are listed as before. */
import { BuildStore } from "@attestry/core/BuildStore"
import { DeploymentStore } from "@attestry/core/DeploymentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowId, OrgId, RepoId } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Migrations from "../src/Migrations.js"
import { OPEN } from "../src/migrations/0030_snapshot_append.js"
import { APPLICATION_ROLE } from "../src/migrations/internal/TenantTable.js"
import * as PgStore from "../src/pg/PgStore.js"
import * as PgLayer from "./shared/PgLayer.js"

const REPO = RepoId.make("repo-1")

const LAST = "0063_key_lookups"

/** Migrates as far as databases had come before deployments had rows. */
const migrateBefore = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  yield* query("create schema attestry")
  yield* query(`grant usage on schema attestry to ${APPLICATION_ROLE}`)
  const loader = Migrator.fromRecord(
    Object.fromEntries(Object.entries(Migrations.migrations).filter(([name]) => name <= LAST))
  )
  const run = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`set search_path to attestry, pg_temp`
    yield* Migrator.make({})({ loader, table: Migrations.TABLE })
  })
  yield* Effect.provide(run, PgClient.layer({ url, maxConnections: 1 }))
})

const VIEW = `[{"flow_id":"flow-1","trail_id":"t","trail_name":"run","slot":"backend","artifact_id":"a",
  "status":"COMPLIANT","reasons":[],"git_commit":null,"commit_url":null,"git_commit_info":null,"repo":null,
  "first_reported_at":0,"previous":null}]`

const DIGIT = "repeat(i::text, 64)"

const REPORT = `{"fingerprint":"${"1".repeat(64)}","filename":"shop","build_url":"b","commit_url":"c"}`

/** The record that the flow view is of, which names a repository, and a later one of the same fingerprint. */
const EVIDENCE = [
  `insert into attestry.flow (org_id, flow_id, name, description, visibility, template, template_id, tags,
      created_at, last_modified_at)
    select org_id, 'flow-1', 'build', '', 'private', '', 't', '{}', 0, 0 from attestry.org`,
  `insert into attestry.trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
      last_modified_at)
    select org_id, 't', 'flow-1', 'run', '{}', '{}', 'test', 0, 0 from attestry.org`,
  `insert into attestry.artifact (org_id, artifact_id, flow_id, trail_id, sequence, slot, fingerprint, report,
      repo_id, created_by, created_at)
    select org_id, n.id, 'flow-1', 't', n.sequence, 'backend', repeat('1', 64), '${REPORT}', 'repo-1', 'test',
      n.sequence
    from attestry.org, (values ('later', 2), ('a', 1)) n (id, sequence)`
]

/** Two orgs, each with one snapshot in which two artifacts arrived, the first of them known to a flow. */
const WRITTEN = [
  "insert into attestry.org (org_id, name, created_at) select o, o, 0 from unnest(array['one', 'two']) o",
  `insert into attestry.environment (org_id, environment_id, name, type, description, include_scaling, policies,
      require_provenance, tags, created_at, last_modified_at)
    select org_id, 'env-' || org_id, 'prod', 'K8S', '', false, '[]', false, '{}', 0, 0 from attestry.org`,
  `insert into attestry.snapshot select org_id, 'env-' || org_id, 1, 5, 'Unknown', 0, 0, 3, 0, 3, 3
    from attestry.org`,
  `insert into attestry.snapshot_flows select org_id, '\\x01', '${VIEW}' from attestry.org`,
  `insert into attestry.snapshot_row (org_id, environment_id, bucket, row_no, first_index, last_index,
      started_index, name, fingerprint, verdict, flows_digest, doc)
    select org_id, 'env-' || org_id, 0, i, 1, ${OPEN}, 1, 'name-' || i, ${DIGIT}, 'Unknown',
      case when i = 1 then '\\x01'::bytea end, '[[1]]'
    from attestry.org, generate_series(1, 3) i`,
  `insert into attestry.snapshot_event (org_id, environment_id, index, position, bucket, row_no, type, was, now,
      arrived)
    select org_id, 'env-' || org_id, 1, i, 0, i, 'started-compliant', 0, 1, i < 3
    from attestry.org, generate_series(1, 3) i`
]

it.live("lists the deployments and builds of what was reported before", () =>
  Effect.gen(function* () {
    const { query, url } = yield* PgLayer.TestDatabase
    yield* migrateBefore
    for (const text of [...WRITTEN, ...EVIDENCE]) yield* query(text)
    yield* PgStore.migrate({ url })
    const { listed, series, builds } = yield* Effect.gen(function* () {
      const store = yield* DeploymentStore
      const page = { page: 1, perPage: 20 }
      const org = OrgId.make("two")
      const filters = [
        {},
        { flow: FlowId.make("flow-1") },
        { fingerprint: Fingerprint.make("2".repeat(64)) },
        { repos: [REPO] },
        { to: Timestamp.fromMicros(4) }
      ]
      const all = { from: Timestamp.fromMicros(0), to: Timestamp.fromMicros(9) }
      const series = yield* store.series(org, REPO, all)
      const builds = yield* Effect.flatMap(BuildStore, (each) => each.list(org, all, page))
      const listed = yield* Effect.forEach(filters, (filter) =>
        Effect.map(store.list(org, filter, page), ({ items, total }) => ({
          total,
          names: items.map(({ event }) => event.row.name)
        }))
      )
      return { listed, series, builds }
    }).pipe(Effect.provide(PgLayer.layerOn({ url })))
    assert.deepStrictEqual(listed, [
      { total: 2, names: ["name-1", "name-2"] },
      { total: 1, names: ["name-1"] },
      { total: 1, names: ["name-2"] },
      { total: 1, names: ["name-1"] },
      { total: 0, names: [] }
    ])
    assert.deepStrictEqual(
      series.map(({ environmentName, deployments }) => ({
        environment: String(environmentName),
        deployments
      })),
      [
        {
          environment: "prod",
          deployments: [
            { deployedAt: Timestamp.fromMicros(5), firstReportedAt: Timestamp.fromMicros(0) }
          ]
        }
      ]
    )
    assert.deepStrictEqual([builds.total, builds.items.map(({ id }) => id)], [1, ["a"]])
  }).pipe(Effect.provide(PgLayer.layerEmpty))
)

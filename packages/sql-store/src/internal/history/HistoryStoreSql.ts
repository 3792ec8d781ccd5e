/** `HistoryStore` on PostgreSQL: the tables of `schema/tables/07_history.sql`. */
import { ArtifactFact } from "@attestry/core/Artifact"
import { Environment, type EnvironmentRef } from "@attestry/core/Environment"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { FlowVersion, StoredTrailEvent, TrailHistory } from "@attestry/core/FingerprintHistory"
import { HistoryStore } from "@attestry/core/HistoryStore"
import {
  EnvironmentId,
  FlowId,
  FlowName,
  type OrgId,
  PolicyId,
  TemplateId,
  TrailId,
  TrailName
} from "@attestry/core/Identifier"
import { PolicyMode } from "@attestry/core/PolicyMode"
import { StoreError } from "@attestry/core/StoreError"
import { Tags } from "@attestry/core/Tags"
import { Timestamp } from "@attestry/core/Timestamp"
import type { ValidityPeriod } from "@attestry/core/ValidityPeriod"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as CadenceRow from "../environment/CadenceRow.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import { ASKED, ATTESTATION, AttestationRow } from "../snapshot/ProvenanceStoreSql.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as SnapshotRowHistorySql from "./SnapshotRowHistorySql.js"

const position = { position: Schema.Int, at: Timestamp }

const HorizonRow = Schema.Struct(position)

const EvaluationRow = Schema.Struct({ ...position, index: Schema.Int, is_decay: Schema.Boolean })

const SnapshotRow = Schema.Struct({ ...EvaluationRow.fields, semantics: Schema.Int })

const FlowVersionRow = Schema.Struct({
  ...position,
  flow_id: FlowId,
  name: FlowName,
  tags: Tags,
  template_id: TemplateId,
  archived_at: Schema.NullOr(Timestamp)
})

const EventRow = Schema.Struct({
  ...position,
  trail_id: TrailId,
  sequence: Schema.Int,
  template_id: TemplateId,
  status: Schema.String
})

const RecordRow = Schema.Struct({ ...ArtifactFact.fields, trail_id: TrailId, at: Timestamp })

const TrailRow = Schema.Struct({
  id: TrailId,
  flow_id: FlowId,
  name: TrailName,
  template_id: TemplateId,
  status: Schema.String
})

const TemplateRow = Schema.Struct({ id: TemplateId, content: Schema.String })

const EnvironmentVersionRow = Schema.Struct({
  ...position,
  ...Struct.pick(Environment.fields, "name", "include_scaling", "require_provenance"),
  ...Struct.pick(Environment.fields, "included", "tags", "archived_at"),
  ...CadenceRow.fields
})

const FlowIdRow = Schema.Struct({ id: FlowId })
const EnvironmentIdRow = Schema.Struct({ id: EnvironmentId })

const period = {
  from_position: Schema.Int,
  from_at: Timestamp,
  to_position: Schema.NullOr(Schema.Int),
  to_at: Schema.NullOr(Timestamp)
}

const AllowedPeriodRow = Schema.Struct({
  ...period,
  fingerprint: Fingerprint,
  name: Schema.String,
  reason: Schema.String,
  created_by: Schema.String,
  expires_at: Schema.NullOr(Timestamp)
})

const AttachmentRow = Schema.Struct({ ...period, policy_id: PolicyId, mode: PolicyMode })

interface PeriodRow {
  readonly from_position: number
  readonly from_at: Timestamp
  readonly to_position: number | null
  readonly to_at: Timestamp | null
}

const periodOf = ({ from_position, from_at, to_position, to_at }: PeriodRow): ValidityPeriod => ({
  from: { position: from_position, at: from_at },
  to: to_position === null || to_at === null ? null : { position: to_position, at: to_at }
})

const groupBy = <A>(rows: ReadonlyArray<A>, keyOf: (row: A) => string) => {
  const groups = new Map<string, Array<A>>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), [row])
    else group.push(row)
  }
  return (key: string): ReadonlyArray<A> => groups.get(key) ?? []
}

/** The parts of trails, each list in order. */
interface TrailParts {
  readonly trails: ReadonlyArray<typeof TrailRow.Type>
  readonly events: ReadonlyArray<typeof EventRow.Type>
  readonly artifacts: ReadonlyArray<typeof RecordRow.Type>
  readonly attestations: ReadonlyArray<typeof AttestationRow.Type>
}

const historiesOf = ({
  trails,
  events,
  artifacts,
  attestations
}: TrailParts): ReadonlyArray<TrailHistory> => {
  const ofTrail = <A extends { readonly trail_id: string }>(rows: ReadonlyArray<A>) =>
    groupBy(rows, ({ trail_id }) => trail_id)
  const [eventsOf, artifactsOf, attestationsOf] = [
    ofTrail(events),
    ofTrail(artifacts),
    ofTrail(attestations)
  ]
  return trails.map(({ id, flow_id, name, template_id, status }) => ({
    id,
    flow_id,
    name,
    evaluated: { template_id, status },
    events: eventsOf(id).map(({ trail_id: _, ...event }): StoredTrailEvent => event),
    artifacts: artifactsOf(id).map(({ trail_id: _, ...record }) => record),
    attestations: attestationsOf(id)
  }))
}

const templatesOf = (
  { trails, events }: TrailParts,
  versions: ReadonlyArray<FlowVersion>
): ReadonlyArray<TemplateId> => [
  ...new Set([...trails, ...events, ...versions].map(({ template_id }) => template_id))
]

/** Statements about trails and flows, each by key. */
const makeEvidence = (sql: SqlClient.SqlClient, rows: TenantQueries.TenantQueries) => {
  /** WHY, with `offset` beside it: each id is looked up by its key, however many there are. */
  const listed = (ids: ReadonlyArray<string>) =>
    sql`(select distinct unnest(${[...ids]}::text[]) as id) l`
  const read = <A, I>(schema: Schema.Schema<A, I>, org: OrgId, statement: Statement<object>) =>
    rows.all(schema, { operation: "HistoryStore.evidence", org, statement })

  const havingRecords = (org: OrgId, fingerprints: ReadonlyArray<Fingerprint>) =>
    sql`(select distinct a.trail_id as id from ${listed(fingerprints)} cross join lateral
      (select trail_id from artifact where org_id = ${org} and fingerprint = l.id offset 0) a) w`

  const named = (trails: ReadonlyArray<TrailId>) =>
    sql`(select distinct unnest(${[...trails]}::text[]) as id) w`

  const trailsOf = (org: OrgId, wanted: Fragment) =>
    read(
      TrailRow,
      org,
      sql`select t.* from ${wanted} cross join lateral (select t.trail_id as id, t.flow_id, t.name,
            v.template_id, v.status
          from trail t join trail_evaluation v on v.org_id = ${org} and v.trail_id = t.trail_id
          where t.org_id = ${org} and t.trail_id = w.id offset 0) t`
    )

  const eventsOf = (org: OrgId, trails: ReadonlyArray<string>) =>
    read(
      EventRow,
      org,
      sql`select m.* from ${listed(trails)} cross join lateral
        (select trail_id, sequence, commit_position as position, at, template_id, status from trail_event
          where org_id = ${org} and trail_id = l.id order by sequence offset 0) m`
    )

  const recordsOf = (org: OrgId, trails: ReadonlyArray<string>) =>
    read(
      RecordRow,
      org,
      sql`select a.* from ${listed(trails)} cross join lateral
        (select trail_id, sequence, artifact_id as id, slot, fingerprint, git_commit as commit,
            created_at as at from artifact
          where org_id = ${org} and trail_id = l.id order by sequence offset 0) a`
    )

  const attestationsOf = (org: OrgId, trails: ReadonlyArray<string>) =>
    read(
      AttestationRow,
      org,
      sql`select a.* from ${listed(trails)} cross join lateral
        (select ${sql.literal(`${ATTESTATION}${ASKED}`)} from attestation
          where org_id = ${org} and trail_id = l.id order by sequence offset 0) a`
    )

  const versionsOf = (org: OrgId, flows: ReadonlyArray<string>) =>
    read(
      FlowVersionRow,
      org,
      sql`select v.* from ${listed(flows)} cross join lateral
        (select flow_id, commit_position as position, at, name, tags, template_id, archived_at from flow_version
          where org_id = ${org} and flow_id = l.id order by commit_position offset 0) v`
    )

  const textsOf = (org: OrgId, templates: ReadonlyArray<string>) =>
    read(
      TemplateRow,
      org,
      sql`select t.* from ${listed(templates)} cross join lateral
        (select template_id as id, content from template_version
          where org_id = ${org} and template_id = l.id offset 0) t`
    )

  return {
    havingRecords,
    named,
    trailsOf,
    eventsOf,
    recordsOf,
    attestationsOf,
    versionsOf,
    textsOf
  }
}

const byFlow = (versions: ReadonlyArray<FlowVersion>) => {
  const found = groupBy(versions, ({ flow_id }) => flow_id)
  return new Map(versions.map(({ flow_id }) => [flow_id, found(flow_id)]))
}

/** `HistoryStore` on PostgreSQL. */
export const layer: Layer.Layer<HistoryStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    HistoryStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const parts = makeEvidence(sql, rows)

      const evidence = (org: OrgId, wanted: Fragment) =>
        Effect.gen(function* () {
          const trails = yield* parts.trailsOf(org, wanted)
          const ids = trails.map(({ id }) => id)
          const found: TrailParts = {
            trails,
            events: yield* parts.eventsOf(org, ids),
            artifacts: yield* parts.recordsOf(org, ids),
            attestations: yield* parts.attestationsOf(org, ids)
          }
          const versions = yield* parts.versionsOf(
            org,
            trails.map(({ flow_id }) => flow_id)
          )
          const texts = yield* parts.textsOf(org, templatesOf(found, versions))
          return {
            trails: historiesOf(found),
            flows: byFlow(versions),
            templates: new Map(texts.map(({ id, content }) => [id, content]))
          }
        })

      const inEnvironment = (name: string, { org, environment }: EnvironmentRef) => ({
        operation: `HistoryStore.${name}`,
        org,
        where: sql`org_id = ${org} and environment_id = ${environment}`
      })

      return HistoryStore.of({
        ...(yield* SnapshotRowHistorySql.make),
        horizon: (org) => {
          const operation = "HistoryStore.horizon"
          return Effect.flatMap(
            rows.first(HorizonRow, {
              operation,
              org,
              statement: sql`select coalesce(pg_sequence_last_value('commit_position_sequence'), 0)::int8
                as position, (extract(epoch from clock_timestamp()) * 1000000)::int8 as at`
            }),
            Option.match({
              onNone: () => new StoreError({ operation, cause: new Error("no row came back") }),
              onSome: Effect.succeed
            })
          )
        },
        evaluations: (ref) => {
          const { where, ...call } = inEnvironment("evaluations", ref)
          return rows.all(EvaluationRow, {
            ...call,
            statement: sql`select commit_position as position, at, index, is_decay
              from environment_evaluation where ${where} order by commit_position`
          })
        },
        snapshots: (ref, indexes) => {
          const { where, ...call } = inEnvironment("snapshots", ref)
          // WHY lateral: each is looked up by its key, whatever statistics say.
          return rows.all(SnapshotRow, {
            ...call,
            statement: sql`select s.* from unnest(${[...indexes]}::int4[]) as asked (number)
              cross join lateral (select commit_position as position, timestamp as at, index, semantics, is_decay
                from snapshot
                where ${where} and index = asked.number offset 0) s`
          })
        },
        evidence: (org, of) =>
          evidence(
            org,
            "trails" in of ? parts.named(of.trails) : parts.havingRecords(org, of.fingerprints)
          ),
        flowVersions: (org, flows) => Effect.map(parts.versionsOf(org, flows), byFlow),
        flowsNamed: (org, name) =>
          Effect.map(
            rows.all(FlowIdRow, {
              operation: "HistoryStore.flowsNamed",
              org,
              statement: sql`select distinct flow_id as id from flow_version
                where org_id = ${org} and name = ${name}`
            }),
            (found) => found.map(({ id }) => id)
          ),
        environmentsNamed: (org, name) =>
          Effect.map(
            rows.all(EnvironmentIdRow, {
              operation: "HistoryStore.environmentsNamed",
              org,
              statement: sql`select distinct environment_id as id from environment_version
                where org_id = ${org} and name = ${name}`
            }),
            (found) => found.map(({ id }) => id)
          ),
        environmentVersions: (ref) => {
          const { where, ...call } = inEnvironment("environmentVersions", ref)
          return Effect.map(
            rows.all(EnvironmentVersionRow, {
              ...call,
              statement: sql`select commit_position as position, at, name, include_scaling, require_provenance,
                included, tags, archived_at, report_every, when_silent
                from environment_version where ${where} order by commit_position`
            }),
            (found) => found.map(CadenceRow.withCadence)
          )
        },
        allowedPeriods: (ref) => {
          const { where, ...call } = inEnvironment("allowedPeriods", ref)
          return Effect.map(
            rows.all(AllowedPeriodRow, {
              ...call,
              statement: sql`select fingerprint, name, reason, created_by, expires_at, from_position, from_at,
                to_position, to_at from allow_list_period where ${where} order by from_position, fingerprint`
            }),
            (found) =>
              found.map((row) => ({
                fingerprint: row.fingerprint,
                name: row.name,
                reason: row.reason,
                created_by: row.created_by,
                expires_at: row.expires_at,
                ...periodOf(row)
              }))
          )
        },
        attachments: (ref) => {
          const { where, ...call } = inEnvironment("attachments", ref)
          return Effect.map(
            rows.all(AttachmentRow, {
              ...call,
              statement: sql`select policy_id, mode, from_position, from_at, to_position, to_at
                from policy_attachment where ${where} order by from_position, policy_id`
            }),
            (found) =>
              found.map((row) => ({ policy_id: row.policy_id, mode: row.mode, ...periodOf(row) }))
          )
        }
      })
    })
  )

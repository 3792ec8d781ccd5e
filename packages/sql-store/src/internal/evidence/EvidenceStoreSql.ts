/** `EvidenceStore` on PostgreSQL. Files and fingerprints of subjects are advisory locks of the transaction. */

import { EvidenceLink, EvidenceRecord, EvidenceSubject } from "@attestry/core/EvidenceRecord"
import { type EvidenceQuery, EvidenceStore } from "@attestry/core/EvidenceStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowId, type OrgId, TrailId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as AwaitedArtifacts from "./AwaitedArtifacts.js"

const COLUMNS = `d.org_id, d.digest, d.position, d.kind, d.predicate_type, d.state, d.verification, d.flows, d.facts,
  d.subjects, d.reader, d.size, d.filename, d.accepted_by, d.accepted_at, d.sequence`

/** The columns of `EvidenceSubject`. */
const SUBJECT_COLUMNS = Object.keys(EvidenceSubject.fields).join(", ")

const Target = Schema.Struct({ fingerprint: Fingerprint, flow_id: FlowId, trail_id: TrailId })

const LinkedId = Schema.Struct({ attestation_id: EvidenceLink.fields.attestation_id })

/** The condition, with `and`, that a column is one of some flows; nothing for all flows. */
const inFlows = (sql: SqlClient.SqlClient, column: Fragment, { flows }: EvidenceQuery): Fragment =>
  flows === undefined ? sql.literal("") : sql`and ${column} = any (${[...flows]}::text[])`

const waits = (sql: SqlClient.SqlClient, query: EvidenceQuery): Fragment =>
  sql`exists (select from evidence_subject s
    where s.org_id = d.org_id and s.digest = d.digest and s.position = d.position
      and not exists (select from artifact a
        where a.org_id = s.org_id and a.fingerprint = s.fingerprint
          ${inFlows(sql, sql`a.flow_id`, query)}))`

const isLinked = (sql: SqlClient.SqlClient, query: EvidenceQuery): Fragment =>
  sql`exists (select from evidence_link l
    join attestation t on t.org_id = l.org_id and t.attestation_id = l.attestation_id
    where l.org_id = d.org_id and l.digest = d.digest and l.position = d.position
      ${inFlows(sql, sql`t.flow_id`, query)})`

const isAbout = (
  sql: SqlClient.SqlClient,
  fingerprint: Fingerprint,
  query: EvidenceQuery
): Fragment =>
  sql`(exists (select from evidence_subject s
      where s.org_id = d.org_id and s.fingerprint = ${fingerprint}
        and s.digest = d.digest and s.position = d.position)
    or exists (select from evidence_link l
      join attestation t on t.org_id = l.org_id and t.attestation_id = l.attestation_id
      where l.org_id = d.org_id and l.digest = d.digest and l.position = d.position
        and t.fingerprint = ${fingerprint} ${inFlows(sql, sql`t.flow_id`, query)}))`

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: EvidenceQuery): Fragment =>
  sql.and([
    sql`d.org_id = ${org}`,
    ...(query.kind === undefined ? [] : [sql`d.kind = ${query.kind}`]),
    ...(query.state === undefined ? [] : [sql`d.state = ${query.state}`]),
    ...(query.predicateType === undefined ? [] : [sql`d.predicate_type = ${query.predicateType}`]),
    ...(query.fingerprint === undefined ? [] : [isAbout(sql, query.fingerprint, query)]),
    ...(query.isWaiting === undefined
      ? []
      : [query.isWaiting ? waits(sql, query) : sql`not ${waits(sql, query)}`]),
    ...(query.flows === undefined ? [] : [isLinked(sql, query)])
  ])

/** `EvidenceStore` on PostgreSQL. */
export const layer: Layer.Layer<EvidenceStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    EvidenceStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      const lockTargets = (org: OrgId, wanted: string) =>
        rows.run({
          operation: "EvidenceStore.listTargets",
          org,
          statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' subject ' || value, 0))
            from (select value from jsonb_array_elements_text(${wanted}::jsonb) as value
              order by value) wanted`
        })

      return EvidenceStore.of({
        listByDigest: (org, digest) =>
          rows.all(EvidenceRecord, {
            operation: "EvidenceStore.listByDigest",
            org,
            statement: sql`select ${columns} from evidence_document d
              where d.org_id = ${org} and d.digest = ${digest} order by d.position`
          }),
        find: ({ digest, org, position }) =>
          rows.first(EvidenceRecord, {
            operation: "EvidenceStore.find",
            org,
            statement: sql`select ${columns} from evidence_document d
              where d.org_id = ${org} and d.digest = ${digest} and d.position = ${position}::int4`
          }),
        list: (org, query, page) => {
          const all = sql`evidence_document d where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, EvidenceRecord, {
            operation: "EvidenceStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by d.sequence desc ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        lockFile: (org, digest) =>
          rows.run({
            operation: "EvidenceStore.lockFile",
            org,
            statement: sql`select pg_advisory_xact_lock(hashtextextended(${org} || ' evidence ' || ${digest}, 0))`
          }),
        append: (record) =>
          rows.run({
            operation: "EvidenceStore.append",
            org: record.org_id,
            statement: sql`insert into evidence_document
              select * from json_populate_record(null::evidence_document, ${JSON.stringify(record)}::json)`
          }),
        addSubjects: (org, subjects) =>
          rows
            .all(EvidenceSubject, {
              operation: "EvidenceStore.addSubjects",
              org,
              statement: sql`insert into evidence_subject
              select * from json_populate_recordset(null::evidence_subject, ${JSON.stringify(subjects)}::json)
              on conflict do nothing returning ${sql.literal(SUBJECT_COLUMNS)}`
            })
            .pipe(
              Effect.zipLeft(
                Effect.forEach(subjects, (added) => AwaitedArtifacts.forget(added.fingerprint))
              )
            ),
        holdSubjects: (org, fingerprint) =>
          Effect.flatMap(AwaitedArtifacts.get(fingerprint), (isAwaited) =>
            isAwaited === false
              ? Effect.succeed([])
              : rows.all(EvidenceSubject, {
                  operation: "EvidenceStore.holdSubjects",
                  org,
                  statement: sql`select ${sql.literal(SUBJECT_COLUMNS)} from
                    evidence_subjects_hold(${org}, ${fingerprint})`
                })
          ),
        listTargets: (org, fingerprints, locking) => {
          if (fingerprints.length === 0) return Effect.succeed([])
          const wanted = JSON.stringify(fingerprints)
          const read = rows.all(Target, {
            operation: "EvidenceStore.listTargets",
            org,
            statement: sql`select a.fingerprint, a.flow_id, a.trail_id
              from jsonb_array_elements_text(${wanted}::jsonb) w (value)
              cross join lateral (
                select distinct on (flow_id) fingerprint, flow_id, trail_id from artifact
                where org_id = ${org} and fingerprint = w.value
                order by flow_id, sequence desc) a
              order by a.trail_id, a.fingerprint`
          })
          // WHY a statement of its own: the read must see the reports that the lock has waited for.
          return locking?.lock === true ? Effect.zipRight(lockTargets(org, wanted), read) : read
        },
        appendLink: ({ attestation_id, digest, org_id: org, position }) =>
          rows.run({
            operation: "EvidenceStore.appendLink",
            org,
            statement: sql`insert into evidence_link (org_id, digest, position, attestation_id)
              values (${org}, ${digest}, ${position}::int4, ${attestation_id})
              on conflict do nothing`
          }),
        listLinks: ({ digest, org, position }) =>
          Effect.map(
            rows.all(LinkedId, {
              operation: "EvidenceStore.listLinks",
              org,
              statement: sql`select l.attestation_id from evidence_link l
                join attestation t on t.org_id = l.org_id and t.attestation_id = l.attestation_id
                where l.org_id = ${org} and l.digest = ${digest} and l.position = ${position}::int4
                order by t.sequence`
            }),
            (found) => found.map(({ attestation_id }) => attestation_id)
          )
      })
    })
  )

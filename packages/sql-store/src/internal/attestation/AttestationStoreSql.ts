/** `AttestationStore` on PostgreSQL. The body is one JSON value; what decisions need is in columns. */
import { Attestation, AttestationFact, factOf } from "@attestry/core/Attestation"
import { type AttestationFilter, AttestationStore } from "@attestry/core/AttestationStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as LockedTrail from "../trail/LockedTrail.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

const FACTS = `sequence, attestation_id as id, name, type, is_compliant as "isCompliant",
  is_override as "isOverride", fingerprint, slots, git_commit as commit, digest`
const COLUMNS = `org_id, flow_id, trail_id, ${FACTS}, body, attachments, created_by, created_at`

const conditions = (sql: SqlClient.SqlClient, org: OrgId, filter: AttestationFilter) =>
  sql.and([
    sql`org_id = ${org}`,
    ...(filter.id === undefined ? [] : [sql`attestation_id = ${filter.id}`]),
    ...(filter.flows === undefined ? [] : [sql`flow_id = any(${[...filter.flows]})`]),
    ...(filter.trail === undefined ? [] : [sql`trail_id = ${filter.trail}`]),
    ...(filter.trailName === undefined
      ? []
      : [
          sql`trail_id in (select trail_id from trail
            where org_id = ${org} and name = ${filter.trailName})`
        ]),
    ...(filter.name === undefined ? [] : [sql`name = ${filter.name}`]),
    ...(filter.isCompliant === undefined ? [] : [sql`is_compliant = ${filter.isCompliant}`]),
    ...(filter.control === undefined
      ? []
      : [sql`type = 'decision'`, sql`body ->> 'control' = ${filter.control}`]),
    ...(filter.from === undefined ? [] : [sql`created_at >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`created_at <= ${filter.to}`]),
    ...(filter.type === undefined
      ? []
      : filter.type === "custom"
        ? [sql`type like 'custom:%'`]
        : [sql`type = ${filter.type}`])
  ])

/** The row of an attestation. */
const rowOf = (attestation: Attestation) => ({
  org_id: attestation.org_id,
  attestation_id: attestation.id,
  flow_id: attestation.flow_id,
  trail_id: attestation.trail_id,
  sequence: attestation.sequence,
  name: attestation.name,
  type: attestation.type,
  is_compliant: attestation.isCompliant,
  is_override: attestation.isOverride,
  fingerprint: attestation.fingerprint,
  slots: attestation.slots,
  git_commit: attestation.commit,
  digest: attestation.digest,
  body: attestation.body,
  attachments: attestation.attachments,
  created_by: attestation.created_by,
  created_at: attestation.created_at
})

/** `AttestationStore` on PostgreSQL. */
export const layer: Layer.Layer<AttestationStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    AttestationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const attestations: WriteBuffer.Kind = {
        statement: (_, values) => sql`insert into attestation
          select * from json_populate_recordset(null::attestation, ${values}::json)`
      }
      const facts = sql.literal(FACTS)
      const columns = sql.literal(COLUMNS)
      return AttestationStore.of({
        append: (attestation) =>
          LockedTrail.use(attestation.trail_id, (locked, buffer) => {
            locked?.attestations.push(factOf(attestation))
            return rows.addTo(buffer, {
              operation: "AttestationStore.append",
              org: attestation.org_id,
              row: `attestation ${attestation.id}`,
              kind: attestations,
              value: rowOf(attestation)
            })
          }),
        listFacts: (org, trail) =>
          LockedTrail.use(trail, (locked) =>
            locked === undefined
              ? rows.all(AttestationFact, {
                  operation: "AttestationStore.listFacts",
                  org,
                  statement: sql`select ${facts} from attestation
                    where org_id = ${org} and trail_id = ${trail} order by sequence`
                })
              : Effect.succeed([...locked.attestations])
          ),
        find: (org, id) =>
          rows.first(Attestation, {
            operation: "AttestationStore.find",
            org,
            statement: sql`select ${columns} from attestation
              where org_id = ${org} and attestation_id = ${id}`
          }),
        list: (org, filter, page) => {
          const all = sql`attestation where ${conditions(sql, org, filter)}`
          const total = SqlPage.total(sql, all)
          return SqlPage.read(rows, Attestation, {
            operation: "AttestationStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
              order by sequence ${SqlPage.direction(sql, filter.direction ?? "desc")}
              ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        listByName: ({ org, trail, name }) =>
          rows.list(Attestation, {
            operation: "AttestationStore.listByName",
            from: "list",
            org,
            statement: sql`select ${columns} from attestation
              where org_id = ${org} and trail_id = ${trail} and name = ${name} order by sequence`
          }),
        listByIds: (org, ids) =>
          rows.all(Attestation, {
            operation: "AttestationStore.listByIds",
            org,
            statement: sql`select ${columns} from attestation
              where org_id = ${org} and attestation_id = any(${[...ids]})`
          })
      })
    })
  )

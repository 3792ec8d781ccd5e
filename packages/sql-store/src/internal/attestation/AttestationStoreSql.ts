/** `AttestationStore` on PostgreSQL. The body is one JSON value; what decisions need is in columns. */

import { Attestation, AttestationFact, factOf } from "@attestry/core/Attestation"
import { type AttestationFilter, AttestationStore } from "@attestry/core/AttestationStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AttestationTypesSql from "../attestation-type/AttestationTypesSql.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as PlacedThings from "../space/PlacedThings.js"
import * as LockedTrail from "../trail/LockedTrail.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import type * as WriteBuffer from "../transaction/WriteBuffer.js"

const FACTS = `sequence, attestation_id as id, name, type, is_compliant as "isCompliant",
  is_override as "isOverride", fingerprint, slots, git_commit as commit, digest`
const Named = Schema.Struct({ name: Schema.String })
const COLUMNS = `org_id, flow_id, trail_id, ${FACTS}, body, policy_facts, attachments, created_by, created_at`

const ofTypes = (sql: SqlClient.SqlClient, types: ReadonlyArray<string>) =>
  types.includes("custom")
    ? sql`(type = any(${[...types]}) or type like 'custom:%')`
    : sql`type = any(${[...types]})`

/** Attestations of flows that are in some spaces. */
const inSpaces = (sql: SqlClient.SqlClient, org: OrgId, spaces: ReadonlyArray<PlaceId>): Fragment =>
  sql`flow_id = any(${PlacedThings.idsOf(sql, { org, kind: "flow", spaces })})`

/** The flows whose attestations are counted together, or the whole org. */
const subjectsOf = (
  sql: SqlClient.SqlClient,
  org: OrgId,
  { flows, within }: AttestationFilter
): ReadonlyArray<string> | Fragment =>
  within === undefined
    ? (flows ?? SqlPage.WHOLE)
    : PlacedThings.idsOf(sql, { org, kind: "flow", spaces: within }, flows)

const conditions = (sql: SqlClient.SqlClient, org: OrgId, filter: AttestationFilter) =>
  sql.and([
    sql`org_id = ${org}`,
    ...(filter.id === undefined ? [] : [sql`attestation_id = ${filter.id}`]),
    ...(filter.flows === undefined ? [] : [sql`flow_id = any(${[...filter.flows]})`]),
    ...(filter.within === undefined ? [] : [inSpaces(sql, org, filter.within)]),
    ...(filter.trail === undefined ? [] : [sql`trail_id = ${filter.trail}`]),
    ...(filter.trailName === undefined
      ? []
      : [
          sql`trail_id in (select trail_id from trail
            where org_id = ${org} and name = ${filter.trailName})`
        ]),
    ...(filter.commits === undefined
      ? []
      : [
          sql`trail_id in (select trail_id from trail_commit
            where org_id = ${org} and sha = any(${[...filter.commits]}))`
        ]),
    ...(filter.names === undefined ? [] : [sql`name = any(${[...filter.names]})`]),
    ...(filter.isCompliant === undefined ? [] : [sql`is_compliant = ${filter.isCompliant}`]),
    ...(filter.control === undefined
      ? []
      : [sql`type = 'decision'`, sql`body ->> 'control' = ${filter.control}`]),
    ...(filter.from === undefined ? [] : [sql`created_at >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`created_at <= ${filter.to}`]),
    ...(filter.types === undefined ? [] : [ofTypes(sql, filter.types)])
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
  policy_facts: attestation.policy_facts,
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
        ...(yield* AttestationTypesSql.make),
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
          const { flows: _flows, within: _within, direction: _, ...filters } = filter
          const total = Object.values(filters).every((one) => one === undefined)
            ? SqlPage.keptTotal(sql, {
                list: "attestation",
                org,
                subjects: subjectsOf(sql, org, filter),
                // WHY inside: outside of the query `coalesce` would keep the condition from the index.
                uncounted: sql`${all} and sequence > (select coalesce(max(f.upto), 0)
                  from attestation_fold f where f.org_id = ${org})`
              })
            : SqlPage.total(sql, all)
          return Effect.map(
            SqlPage.readPlaced(rows, Attestation, {
              operation: "AttestationStore.list",
              org,
              page,
              items: sql`select ${columns}, sequence as place, ${total} from ${all}
                order by sequence ${SqlPage.direction(sql, filter.direction ?? "desc")}
                ${SqlPage.clause(sql, page)}`,
              count: sql`select ${total}`
            }),
            ({ items, total, last }) => ({
              items,
              total,
              next: total > Page.offsetOf(page) + page.perPage ? last : Option.none()
            })
          )
        },
        listAfter: (org, filter, { after, limit }) => {
          const direction = filter.direction ?? "desc"
          const beyond = direction === "asc" ? sql`sequence > ${after}` : sql`sequence < ${after}`
          const all = sql`attestation where ${conditions(sql, org, filter)} and ${beyond}`
          // WHY: one more row than asked for says that there are more, and is not read in full.
          const few = sql`(select from ${all} limit ${limit + 1}) as few`
          return Effect.map(
            rows.page(Attestation, {
              operation: "AttestationStore.listAfter",
              from: "page",
              org,
              statement: sql`select ${columns}, sequence as place, ${SqlPage.total(sql, few)}
                from ${all} order by sequence ${SqlPage.direction(sql, direction)} limit ${limit}`
            }),
            ({ items, total, last }) => ({
              items,
              next: Option.exists(total, (count) => count > limit) ? last : Option.none()
            })
          )
        },
        listNames: (org, limit, within) =>
          Effect.map(
            rows.all(Named, {
              operation: "AttestationStore.listNames",
              org,
              statement: sql`select distinct name from attestation
                where org_id = ${org}
                  ${within === undefined ? sql.literal("") : sql`and ${inSpaces(sql, org, within)}`}
                limit ${limit}`
            }),
            Arr.map(({ name }) => name)
          ),
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

/** `ComponentStore` on PostgreSQL. Long lists are given as JSON, and read again in slices. */

import {
  ComponentId,
  ComponentUse,
  StoredComponent,
  VulnerableComponent
} from "@attestry/core/Component"
import { type ComponentQuery, ComponentStore } from "@attestry/core/ComponentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { OrgId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as ListedComponents from "./ListedComponents.js"

/** The rows of `component_use` that one statement adds. */
const USES_MAX = 10_000

const Id = Schema.Struct({ id: ComponentId })

const SetId = Schema.Struct({ set_id: Schema.Int, size: Schema.Int })

/** The columns of `VulnerableComponent`. */
const VULNERABLE_COLUMNS = Object.keys(VulnerableComponent.fields).join(", ")

const Contained = Schema.Struct({ fingerprint: Fingerprint, purls: Schema.Array(Schema.String) })

/** The character that no name has and that comes after all others. */
const LAST = "\u{10ffff}"

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: ComponentQuery): Fragment => {
  const { fingerprint, flows, purl, search } = query
  return sql.and([
    sql`c.org_id = ${org}`,
    ...(purl === undefined ? [] : [sql`c.name = ${purl.name} and c.type = ${purl.type}`]),
    ...(purl?.version == null ? [] : [sql`c.version = ${purl.version}`]),
    ...(search === undefined ? [] : [sql`c.name >= ${search} and c.name < ${search + LAST}`]),
    ...(fingerprint === undefined
      ? []
      : [
          sql`c.component_id = any (array(select unnest(t.components) from component_set t
            where t.org_id = ${org} and t.set_id = any (array(select s.set_id from component_listing s
              where s.org_id = ${org} and s.fingerprint = ${fingerprint}
                ${ListedComponents.ofFlows(sql, org, flows)}))))`
        ]),
    ...(flows === undefined
      ? []
      : [
          sql`exists (select from component_use u
            join component_listing s on s.org_id = u.org_id and s.set_id = u.set_id
            where u.org_id = c.org_id and u.component_id = c.component_id
              ${ListedComponents.ofFlows(sql, org, flows)})`
        ])
  ])
}

/** The contents with a component `f`. */
const USED = `select distinct s.fingerprint from component_use u
  join component_listing s on s.org_id = u.org_id and s.set_id = u.set_id
  where u.org_id = f.org_id and u.component_id = f.component_id`

/** `ComponentStore` on PostgreSQL. */
export const layer: Layer.Layer<ComponentStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    ComponentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      /** WHY only absent ones: a row that conflicts draws a number of the sequence too. */
      const addAbsent = (org: OrgId, given: string) =>
        rows.run({
          operation: "ComponentStore.put",
          org,
          statement: sql`insert into component (org_id, type, name, version, purl)
            select ${org}, g.type, g.name, g.version, g.purl
            from json_to_recordset(${given}::json) g (type text, name text, version text, purl text)
            left join lateral (select c.component_id from component c
              where c.org_id = ${org} and c.purl = g.purl offset 0) c on true
            where c.component_id is null order by g.purl collate "C"
            on conflict do nothing`
        })

      const idsOf = (org: OrgId, purls: string) =>
        rows.all(Id, {
          operation: "ComponentStore.put",
          org,
          statement: sql`select c.component_id as id
            from jsonb_array_elements_text(${purls}::jsonb) with ordinality g (purl, n)
            cross join lateral (select c.component_id from component c
              where c.org_id = ${org} and c.purl = g.purl offset 0) c
            order by g.n`
        })

      const addUses = (org: OrgId, set: number, from: number) =>
        rows.run({
          operation: "ComponentStore.putSet",
          org,
          statement: sql`insert into component_use (org_id, component_id, set_id)
            select ${org}, unnest(t.components[${from}::int4:${from + USES_MAX - 1}::int4]), t.set_id
            from component_set t where t.org_id = ${org} and t.set_id = ${set}::int4`
        })

      return ComponentStore.of({
        put: (org, components) =>
          components.length === 0
            ? Effect.succeed([])
            : addAbsent(org, JSON.stringify(components)).pipe(
                Effect.zipRight(idsOf(org, JSON.stringify(components.map(({ purl }) => purl)))),
                Effect.map((found) => found.map(({ id }) => id))
              ),
        hasSet: (org, digest) =>
          rows.wrote({
            operation: "ComponentStore.hasSet",
            org,
            statement: sql`select set_id from component_set
              where org_id = ${org} and digest = ${digest}`
          }),
        putSet: (org, { components, digest }) =>
          Effect.gen(function* () {
            const added = yield* rows.first(SetId, {
              operation: "ComponentStore.putSet",
              org,
              statement: sql`insert into component_set (org_id, digest, components)
                select ${org}, ${digest}, ${`{${components.join(",")}}`}::int4[]
                on conflict do nothing returning set_id, cardinality(components) as size`
            })
            if (Option.isNone(added)) return
            const { set_id, size } = added.value
            for (let from = 1; from <= size; from += USES_MAX) yield* addUses(org, set_id, from)
          }),
        appendListing: ({ attestation_id, fingerprint, kind, org_id: org, sequence, set_digest }) =>
          rows.run({
            operation: "ComponentStore.appendListing",
            org,
            statement: sql`insert into component_listing
                (org_id, kind, set_id, fingerprint, attestation_id, sequence)
              select t.org_id, ${kind}::text, t.set_id, ${fingerprint}, ${attestation_id},
                ${sequence}::int8
              from component_set t where t.org_id = ${org} and t.digest = ${set_digest}
              on conflict do nothing`
          }),
        addVulnerable: (named) => {
          const [first] = named
          return first === undefined
            ? Effect.void
            : rows.run({
                operation: "ComponentStore.addVulnerable",
                org: first.org_id,
                statement: sql`insert into vulnerable_component
                  select * from json_populate_recordset(null::vulnerable_component, ${JSON.stringify(named)}::json)
                  on conflict do nothing`
              })
        },
        list: (org, query, page) => {
          const all = sql`component c where ${conditions(sql, org, query)}`
          const total = SqlPage.total(sql, all)
          const used = sql`${sql.literal(USED)} ${ListedComponents.ofFlows(sql, org, query.flows)}`
          const { environments } = query
          const named =
            environments === undefined
              ? sql.literal("")
              : sql`and e.environment_id = any (${[...environments]}::text[])`
          return SqlPage.read(rows, ComponentUse, {
            operation: "ComponentStore.list",
            org,
            page,
            // WHY the inner select: the page is cut before uses are looked up for it.
            items: sql`select f.component_id as id, f.purl, f.type, f.name, f.version, f.total,
                (select count(*) from (${used}) u) as artifacts,
                array(select distinct e.name from (${used}) u
                  join exposure x on x.org_id = f.org_id and x.fingerprint = u.fingerprint
                    and x.to_at is null
                  join environment e on e.org_id = x.org_id
                    and e.environment_id = x.environment_id and e.archived_at is null
                    ${named}
                  order by e.name) as running_in
              from (select c.*, ${total} from ${all}
                order by c.name, c.type, c.purl ${SqlPage.clause(sql, page)}) f
              order by f.name, f.type, f.purl`,
            count: sql`select ${total}`
          })
        },
        listVersions: (org, { name, type }) =>
          rows.all(StoredComponent, {
            operation: "ComponentStore.listVersions",
            org,
            statement: sql`select c.component_id as id, c.purl, c.type, c.name, c.version
              from component c where c.org_id = ${org} and c.name = ${name} and c.type = ${type}
              order by c.purl`
          }),
        listVulnerable: (org, vulnerability) =>
          rows.all(VulnerableComponent, {
            operation: "ComponentStore.listVulnerable",
            org,
            statement: sql`select ${sql.literal(VULNERABLE_COLUMNS)} from vulnerable_component
              where org_id = ${org} and vulnerability = ${vulnerability} order by component_id`
          }),
        listContained: (org, { components, fingerprints, flows, limit }) =>
          rows.all(Contained, {
            operation: "ComponentStore.listContained",
            org,
            statement: sql`select g.fingerprint, p.purls
              from unnest(${[...fingerprints]}::text[]) g (fingerprint)
              cross join lateral (select array(select distinct c.purl from component_listing s
                join component_use u on u.org_id = s.org_id and u.set_id = s.set_id
                  and u.component_id = any (${[...components]}::int4[])
                join component c on c.org_id = u.org_id and c.component_id = u.component_id
                where s.org_id = ${org} and s.fingerprint = g.fingerprint
                  ${ListedComponents.ofFlows(sql, org, flows)}
                order by c.purl limit ${limit}) as purls) p
              where p.purls <> '{}'`
          })
      })
    })
  )

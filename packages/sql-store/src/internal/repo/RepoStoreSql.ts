/** `RepoStore` on PostgreSQL. */
import type { OrgId } from "@attestry/core/Identifier"
import { Repo, type RepoKey } from "@attestry/core/Repo"
import {
  type NamedByFlows,
  type RepoFilter,
  type RepoQuery,
  type RepoRef,
  RepoStore
} from "@attestry/core/RepoStore"
import type { Locking } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { forUpdate } from "../shared/ForUpdate.js"
import * as RequestBatcher from "../shared/RequestBatcher.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TagsSql from "../shared/TagsSql.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import { withCurrent } from "../transaction/TransactionHandle.js"

const COLUMNS = `org_id, internal_id as id, repo_id, name, url, provider, provider_alias, description,
  namespace_path, additional_info, tags, latest_activity_at, created_at, last_modified_at`

const FilterOptions = Schema.Struct({
  providers: Schema.Array(Schema.String),
  vcsInstances: Schema.Array(Schema.String),
  namespaceValues: Schema.Array(Schema.String)
})

const RepoTag = Schema.Struct({ key: Schema.String, value: Schema.String })

/** The tags of a repository `r`; one row without a key where they are damaged, which the list shows. */
const TAGS = `(select t.key, t.value from jsonb_each_text(
    case when jsonb_typeof(r.tags) = 'object' then r.tags else '{}' end) t
  union all select null, null where jsonb_typeof(r.tags) <> 'object')`

/** The condition that a trail of one of the flows names the repository. */
const namedBy = (sql: SqlClient.SqlClient, org: OrgId, { flows }: NamedByFlows) =>
  flows === undefined
    ? []
    : [
        // WHY an array: the repositories of few flows are looked up first, and each by its key.
        sql`internal_id = any(array(select f.repo_id from repo_flow f
          where f.org_id = ${org} and f.flow_id = any(${[...flows]}::text[])))`
      ]

const alsoNamedBy = (sql: SqlClient.SqlClient, org: OrgId, filter: NamedByFlows) => {
  const [condition] = namedBy(sql, org, filter)
  return condition === undefined ? sql.literal("") : sql`and ${condition}`
}

const filters = (sql: SqlClient.SqlClient, org: OrgId, filter: RepoFilter) => [
  sql`org_id = ${org}`,
  ...namedBy(sql, org, filter),
  ...(filter.provider === undefined ? [] : [sql`provider = ${filter.provider}`]),
  ...(filter.vcsInstance === undefined ? [] : [sql`vcs_instance = ${filter.vcsInstance}`]),
  ...(filter.namespace ?? []).map((segment, at) =>
    at === 0
      ? sql`left(namespace_path ->> 0, 128) collate "C" = left(${segment}, 128)
          and namespace_path ->> 0 = ${segment}`
      : sql`namespace_path ->> ${at}::int4 = ${segment}`
  ),
  ...filter.tags.map((each) => TagsSql.has(sql, sql`tags`, each))
]

const conditions = (sql: SqlClient.SqlClient, org: OrgId, query: RepoQuery) =>
  sql.and([
    ...filters(sql, org, query),
    ...(query.name === undefined ? [] : [sql`name = ${query.name}`]),
    ...(query.search === undefined ? [] : [sql`strpos(lower(name), lower(${query.search})) > 0`]),
    ...(query.repoId === undefined ? [] : [sql`repo_id = ${query.repoId}`])
  ])

/** The values of each facet; `collate` is that of the columns, and so the order is that of code points. */
const filterOptions = (sql: SqlClient.SqlClient, org: OrgId, filter: RepoFilter) => {
  const { provider: _, ...anyProvider } = filter
  const { vcsInstance: __, ...anyHost } = filter
  const depth = filter.namespace?.length ?? 0
  return sql`select
    array(select distinct provider from repo
      where ${sql.and(filters(sql, org, anyProvider))} and provider <> '' order by 1) as providers,
    array(select distinct vcs_instance from repo
      where ${sql.and(filters(sql, org, anyHost))} and vcs_instance is not null
      order by 1) as "vcsInstances",
    array(select distinct (namespace_path ->> ${depth}::int4) collate "C" from repo
      where ${sql.and(filters(sql, org, filter))} and namespace_path ->> ${depth}::int4 is not null
      order by 1) as "namespaceValues"`
}

const jsonOrNull = (value: unknown): string | null =>
  value === null ? null : JSON.stringify(value)

const insert = (sql: SqlClient.SqlClient, repo: Repo) =>
  sql`insert into repo (org_id, internal_id, repo_id, name, url, provider, provider_alias,
      description, namespace_path, additional_info, tags, latest_activity_at, created_at, last_modified_at)
    values (${repo.org_id}, ${repo.id}, ${repo.repo_id}, ${repo.name}, ${repo.url},
      ${repo.provider}, ${repo.provider_alias}, ${repo.description}, ${jsonOrNull(repo.namespace_path)}::jsonb,
      ${jsonOrNull(repo.additional_info)}::jsonb, ${JSON.stringify(repo.tags)}::jsonb,
      ${repo.latest_activity_at}, ${repo.created_at}, ${repo.last_modified_at})
    on conflict do nothing returning internal_id`

const update = (sql: SqlClient.SqlClient, repo: Repo) =>
  sql`update repo set name = ${repo.name}, url = ${repo.url}, description = ${repo.description},
      namespace_path = ${jsonOrNull(repo.namespace_path)}::jsonb,
      additional_info = ${jsonOrNull(repo.additional_info)}::jsonb,
      tags = ${JSON.stringify(repo.tags)}::jsonb,
      latest_activity_at = greatest(latest_activity_at, ${repo.latest_activity_at}),
      last_modified_at = ${repo.last_modified_at}
    where org_id = ${repo.org_id} and internal_id = ${repo.id}`

/** `RepoStore` on PostgreSQL. */
export const layer: Layer.Layer<RepoStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    RepoStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const columns = sql.literal(COLUMNS)

      const keyOf = ({ provider, repoId }: Pick<RepoKey, "provider" | "repoId">) =>
        JSON.stringify([provider, repoId])

      /** WHY lateral and `offset`: each repository is looked up by its key, whatever the planner expects. */
      const batched = yield* RequestBatcher.make((org, keys) =>
        Effect.map(
          rows.all(Repo, {
            operation: "RepoStore.find",
            org,
            statement: sql`select r.* from json_array_elements(${`[${keys}]`}::json) k
              cross join lateral (select ${columns} from repo where org_id = ${org}
                and provider = k ->> 0 and repo_id = k ->> 1 offset 0) r`
          }),
          (found) =>
            new Map(
              found.map((repo) => [keyOf({ provider: repo.provider, repoId: repo.repo_id }), repo])
            )
        )
      )

      const find = (key: RepoKey, locking: Locking | undefined) =>
        rows.first(Repo, {
          operation: "RepoStore.find",
          org: key.org,
          statement: sql`select ${columns} from repo where org_id = ${key.org}
          and provider = ${key.provider} and ${
            key.repoId === null
              ? sql`name = ${key.name} order by created_at desc, internal_id desc limit 1`
              : sql`repo_id = ${key.repoId}`
          } ${forUpdate(sql, locking)}`
        })

      const findById = ({ org, id }: RepoRef, locking: Locking | undefined) =>
        rows.first(Repo, {
          operation: "RepoStore.find",
          org,
          statement: sql`select ${columns} from repo where org_id = ${org} and internal_id = ${id}
          ${forUpdate(sql, locking)}`
        })

      return RepoStore.of({
        find: (key, locking) => {
          if ("id" in key) return findById(key, locking)
          return withCurrent((handle) =>
            handle === undefined && key.repoId !== null && locking?.lock !== true
              ? batched(key.org, keyOf(key))
              : find(key, locking)
          )
        },
        listByIds: (org, ids, filter = {}) =>
          ids.length === 0
            ? Effect.succeed([])
            : rows.list(Repo, {
                operation: "RepoStore.listByIds",
                from: "list",
                org,
                statement: sql`select ${columns} from repo
                  where org_id = ${org} and internal_id = any(${[...ids]})
                    ${alsoNamedBy(sql, org, filter)}`
              }),
        filterOptions: (org, filter) =>
          Effect.map(
            rows.first(FilterOptions, {
              operation: "RepoStore.filterOptions",
              org,
              statement: filterOptions(sql, org, filter)
            }),
            Option.getOrElse(() => ({ providers: [], vcsInstances: [], namespaceValues: [] }))
          ),
        listTags: (org, filter = {}) =>
          rows.list(RepoTag, {
            operation: "RepoStore.listTags",
            from: "list",
            org,
            statement: sql`select distinct t.key collate "C" as key, t.value collate "C" as value
              from repo r cross join lateral ${sql.literal(TAGS)} t
              where r.org_id = ${org} ${alsoNamedBy(sql, org, filter)} order by 1, 2`
          }),
        listByName: (org, name, filter = {}) =>
          rows.all(Repo, {
            operation: "RepoStore.listByName",
            org,
            statement: sql`select ${columns} from repo where org_id = ${org} and name = ${name}
            ${alsoNamedBy(sql, org, filter)} order by created_at, internal_id`
          }),
        list: (org, query, page) => {
          const all = sql`repo where ${conditions(sql, org, query)}`
          const { tags, direction: way, ...filters } = query
          const isWhole =
            tags.length === 0 && Object.values(filters).every((one) => one === undefined)
          const total = isWhole
            ? SqlPage.keptTotal(sql, { list: "repo", org, subjects: SqlPage.WHOLE })
            : SqlPage.total(sql, all)
          const direction = SqlPage.direction(sql, way)
          return SqlPage.read(rows, Repo, {
            operation: "RepoStore.list",
            org,
            page,
            items: sql`select ${columns}, ${total} from ${all}
            order by name ${direction}, internal_id ${direction} ${SqlPage.clause(sql, page)}`,
            count: sql`select ${total}`
          })
        },
        insert: (repo) =>
          rows.wrote({
            operation: "RepoStore.insert",
            org: repo.org_id,
            statement: insert(sql, repo)
          }),
        update: (repo) =>
          rows.run({
            operation: "RepoStore.update",
            org: repo.org_id,
            statement: update(sql, repo)
          }),
        touch: ({ org_id: org, id }, at) =>
          rows.write({
            operation: "RepoStore.touch",
            org,
            row: `repo ${id}`,
            statement: sql`update repo set latest_activity_at = ${at}
            where org_id = ${org} and internal_id = ${id} and latest_activity_at < ${at}`
          })
      })
    })
  )

/** Exposures of `ReadModels` on PostgreSQL: the table `exposure`, by fingerprint. */

import type {
  Exposure,
  ExposureFilter,
  ExposureQuery,
  ExposureSubject
} from "@attestry/core/Exposure"
import { Fingerprint } from "@attestry/core/Fingerprint"
import {
  CommitSha,
  EnvironmentId,
  EnvironmentName,
  FlowName,
  type OrgId,
  TrailName
} from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { ReadModels } from "@attestry/core/ReadModels"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ListedComponents from "../component/ListedComponents.js"
import * as SqlPage from "../shared/SqlPage.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** `builderOf` of core, as `schema/functions/artifact_trait_added.sql` has it. */
const BUILDER_PATTERN = "^[A-Za-z][A-Za-z0-9+.-]*://[^/?#]+"

const Row = Schema.Struct({
  fingerprint: Fingerprint,
  environmentId: EnvironmentId,
  environmentName: EnvironmentName,
  name: Schema.String,
  firstIndex: Schema.Int,
  lastIndex: Schema.NullOr(Schema.Int),
  from: Timestamp,
  to: Schema.NullOr(Timestamp),
  startedVerdict: Verdict,
  verdict: Verdict,
  nonCompliantMicros: Schema.Int,
  flow_name: Schema.NullOr(FlowName),
  trail_name: Schema.NullOr(TrailName),
  git_commit: Schema.NullOr(CommitSha),
  /** Asked for with flows alone. */
  is_hidden: Schema.optionalWith(Schema.Boolean, { exact: true })
})

const toExposure = ({
  flow_name,
  git_commit,
  is_hidden,
  trail_name,
  ...exposure
}: typeof Row.Type): Exposure => ({
  ...exposure,
  ...(is_hidden === true ? { hidden: true } : {}),
  record:
    flow_name === null || trail_name === null
      ? null
      : { flowName: flow_name, trailName: trail_name, commit: git_commit }
})

const SummaryRow = Schema.Struct({
  environments: Schema.Int,
  runningNow: Schema.Int,
  first: Schema.NullOr(Timestamp),
  totalMicros: Schema.Int
})

const Counted = Schema.Struct({ counted: Schema.Int })

/** The conditions that a record `a` fits the subject, beside its fingerprint. */
const recordFits = (
  sql: SqlClient.SqlClient,
  subject: ExposureSubject
): ReadonlyArray<Fragment> => {
  switch (subject._tag) {
    case "Content":
      return []
    case "Commit":
      return [sql`a.git_commit = ${subject.commit}`]
    case "Flow":
      return [
        sql`a.flow_id = ${subject.flow}`,
        ...(subject.slot === undefined ? [] : [sql`a.slot = ${subject.slot}`])
      ]
    case "Repo":
      return [sql`a.repo_id collate "POSIX" = any(${[...subject.repos]})`]
    case "Author":
      return [sql`a.report #>> '{git_commit_info,author}' = ${subject.author}`]
    case "Builder":
      return [sql`substring(a.report ->> 'build_url' from ${BUILDER_PATTERN}) = ${subject.builder}`]
    case "Component":
      return []
  }
}

/** The condition that a record `a` is of one of some flows. */
const ofFlows = (
  sql: SqlClient.SqlClient,
  flows: ExposureFilter["flows"]
): ReadonlyArray<Fragment> =>
  flows === undefined ? [] : [sql`a.flow_id = any (${[...flows]}::text[])`]

/**
 * The contents of an author or a builder. They are found by a digest, which has one length and keeps no name after an
 * erasure.
 */
const traitFits = (
  sql: SqlClient.SqlClient,
  { flows, org, subject }: ExposureQuery & { readonly org: OrgId },
  { kind, value }: { readonly kind: "author" | "builder"; readonly value: string }
): Fragment =>
  sql`x.fingerprint = any (array(select t.fingerprint from artifact_trait t
    where t.org_id = ${org} and t.kind = ${kind}
      and t.digest = sha256(convert_to(${value}::text, 'UTF8'))
      ${
        flows === undefined
          ? sql.literal("")
          : sql`and exists (select from artifact a where ${sql.and([
              sql`a.org_id = ${org}`,
              sql`a.fingerprint = t.fingerprint`,
              ...ofFlows(sql, flows),
              ...recordFits(sql, subject)
            ])})`
      }))`

/** WHY an array of fingerprints: each is then looked up by the key of exposures, whatever statistics say. */
const contentFits = (sql: SqlClient.SqlClient, org: OrgId, query: ExposureQuery): Fragment => {
  const { flows, subject } = query
  switch (subject._tag) {
    case "Content":
      return sql`x.fingerprint >= ${subject.prefix} and x.fingerprint < ${`${subject.prefix}g`}`
    case "Author":
      return traitFits(sql, { ...query, org }, { kind: "author", value: subject.author })
    case "Builder":
      return traitFits(sql, { ...query, org }, { kind: "builder", value: subject.builder })
    case "Component":
      return sql`x.fingerprint = any (array(select distinct s.fingerprint from component_use u
        join component_listing s on s.org_id = u.org_id and s.set_id = u.set_id
        where u.org_id = ${org} and u.component_id = any (${[...subject.components]}::int4[])
          ${ListedComponents.ofFlows(sql, org, flows)}))`
    default:
      return sql`x.fingerprint = any (array(select distinct a.fingerprint from artifact a
        where ${sql.and([
          sql`a.org_id = ${org}`,
          ...recordFits(sql, subject),
          ...ofFlows(sql, flows)
        ])}))`
  }
}

/** The conditions that an exposure `x` in an environment `e` passes a filter. */
const passes = (
  sql: SqlClient.SqlClient,
  { environments, from, running, to }: ExposureFilter
): ReadonlyArray<Fragment> => [
  ...(environments === undefined ? [] : [sql`x.environment_id = any(${[...environments]})`]),
  ...(running === undefined ? [] : [sql`(x.to_at is null and e.archived_at is null) = ${running}`]),
  ...(to === undefined ? [] : [sql`x.from_at <= ${to}`]),
  ...(from === undefined
    ? []
    : [sql`coalesce(x.to_at, e.archived_at, 9223372036854775807) > ${from}`])
]

/** The exposures that a question means, as a common table `found`; what was archived has ended. */
const found = (sql: SqlClient.SqlClient, org: OrgId, query: ExposureQuery): Fragment =>
  sql`found as materialized (
    select x.fingerprint, x.environment_id, e.name as environment_name, x.name, x.first_index,
      coalesce(x.last_index, case when e.archived_at is not null then (select s.index from snapshot s
        where s.org_id = x.org_id and s.environment_id = x.environment_id
        order by s.index desc limit 1) end) as last_index,
      x.from_at, coalesce(x.to_at, e.archived_at) as to_at, x.started_verdict, x.verdict,
      x.non_compliant + case when x.to_at is null and x.verdict = 'NonCompliant'
        then coalesce(e.archived_at, 0) else 0 end as non_compliant
    from exposure x
    cross join lateral (select e.name, e.archived_at from environment e
      where e.org_id = x.org_id and e.environment_id = x.environment_id offset 0) e
    where ${sql.and([
      sql`x.org_id = ${org}`,
      contentFits(sql, org, query),
      ...passes(sql, query)
    ])})`

const COLUMNS = `f.fingerprint, f.environment_id as "environmentId",
  f.environment_name as "environmentName", f.name, f.first_index as "firstIndex",
  f.last_index as "lastIndex", f.from_at as "from", f.to_at as "to",
  f.started_verdict as "startedVerdict", f.verdict, f.non_compliant as "nonCompliantMicros",
  r.flow_name, r.trail_name, r.git_commit`

const ORDER = "f.from_at desc, f.fingerprint, f.environment_id, f.name"

const SUMMARY = `select count(distinct f.environment_id) as environments,
    count(*) filter (where f.to_at is null) as "runningNow", min(f.from_at) as first`

/** Exposures of `ReadModels` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<ReadModels["Type"], "exposures" | "exposureSummary" | "withoutSbom">,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make
  const order = sql.literal(ORDER)

  /** The newest record that fits, by the fingerprint of the exposure `f`. */
  const record = (org: OrgId, { flows, subject }: ExposureQuery) => sql`select
          (select w.name from flow w where w.org_id = a.org_id and w.flow_id = a.flow_id)
            as flow_name,
          (select t.name from trail t where t.org_id = a.org_id and t.trail_id = a.trail_id)
            as trail_name,
          a.git_commit
        from artifact a
        where ${sql.and([
          sql`a.org_id = ${org}`,
          sql`a.fingerprint = f.fingerprint`,
          ...recordFits(sql, subject),
          ...ofFlows(sql, flows)
        ])}
        order by a.sequence desc limit 1`

  /** Whether a record of a flow that is not asked for fits where none of the others does. */
  const hidden = (org: OrgId, { flows, subject }: ExposureQuery) =>
    flows === undefined
      ? sql.literal("")
      : sql`, r.flow_name is null and exists (select from artifact a where ${sql.and([
          sql`a.org_id = ${org}`,
          sql`a.fingerprint = f.fingerprint`,
          ...recordFits(sql, subject)
        ])}) as is_hidden`

  return {
    exposures: (org, query, page) => {
      const meant = found(sql, org, query)
      const read = SqlPage.read(rows, Row, {
        operation: "ReadModels.exposures",
        org,
        page,
        // WHY the inner select: the page is cut before records are looked up for it.
        items: sql`with ${meant}
              select ${sql.literal(COLUMNS)}, (select count(*) from found) as total
                ${hidden(org, query)}
              from (select f.* from found f order by ${order} ${SqlPage.clause(sql, page)}) f
              left join lateral (${record(org, query)}) r on true
              order by ${order}`,
        count: sql`with ${meant} select count(*) as total from found`
      })
      return Effect.map(read, (paged) => Page.map(paged, toExposure))
    },
    exposureSummary: (org, query, now) =>
      Effect.map(
        rows.first(SummaryRow, {
          operation: "ReadModels.exposureSummary",
          org,
          statement: sql`with ${found(sql, org, query)} ${sql.literal(SUMMARY)},
                  coalesce(sum(greatest(0, coalesce(f.to_at, ${now}) - f.from_at)), 0)::int8
                    as "totalMicros"
                from found f`
        }),
        Option.getOrElse(() => ({
          environments: 0,
          runningNow: 0,
          first: null,
          totalMicros: 0
        }))
      ),
    withoutSbom: (org, filter) =>
      Effect.map(
        rows.first(Counted, {
          operation: "ReadModels.withoutSbom",
          org,
          // WHY two sets: each is read once, where a look-up for each artifact costs ten times as much.
          statement: sql`select count(*) as counted from (
              select x.fingerprint from exposure x
                join environment e on e.org_id = x.org_id and e.environment_id = x.environment_id
                where ${sql.and([sql`x.org_id = ${org}`, ...passes(sql, filter)])}
              except select s.fingerprint from component_listing s
                where s.org_id = ${org} and s.kind = 'sbom'
                  ${ListedComponents.ofFlows(sql, org, filter.flows)}) f`
        }),
        Option.match({ onNone: () => 0, onSome: ({ counted }) => counted })
      )
  }
})

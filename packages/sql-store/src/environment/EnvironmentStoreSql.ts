/** `EnvironmentStore` on PostgreSQL. */
import { type Environment, type EnvironmentKey, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type NamedStatement, NamedStatements } from "../shared/NamedStatements.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import { isInside, SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"
import * as EnvironmentRow from "./EnvironmentRow.js"
import * as Heartbeats from "./Heartbeats.js"

const SELECT = `select row_to_json(e) as document,
    (extract(epoch from clock_timestamp()) * 1000000)::int8 as now
  from environment e`

/** Names the org and reads, in one round trip. */
const BY_NAME: NamedStatement = {
  name: "environment_by_name",
  text: "select document, now from environment_by_name($1, $2)"
}

const listOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** `EnvironmentStore` on PostgreSQL. */
export const layer: Layer.Layer<
  EnvironmentStore,
  never,
  SqlClient.SqlClient | SqlOrg | NamedStatements
> = Layer.scoped(
  EnvironmentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const { transaction } = yield* SqlOrg
    const named = yield* NamedStatements
    const heartbeats = yield* Heartbeats.make
    const marked = EnvironmentRow.toMarked(heartbeats)

    const all = (operation: string, org: OrgId, condition: Statement.Fragment) =>
      Effect.map(
        rows.all(EnvironmentRow.Found, {
          operation,
          org,
          statement: sql`${sql.literal(SELECT)} where e.org_id = ${org} and ${condition}`
        }),
        (found) => found.flatMap((row) => Option.toArray(marked(row)))
      )

    const write = (operation: string, org: OrgId, statement: Statement.Statement<object>) =>
      Effect.asVoid(rows.count({ operation, org, statement }))

    const lockByName = ({ org, name }: EnvironmentKey) =>
      Effect.gen(function* () {
        const operation = "EnvironmentStore.lockByName"
        const current = yield* all(
          operation,
          org,
          sql`e.name = ${name} and e.archived_at is null for update`
        )
        if (current[0] !== undefined) return Option.some(current[0])
        const former = yield* all(
          operation,
          org,
          sql`e.environment_id = (select f.environment_id from environment_former_name f
            where f.org_id = ${org} and f.name = ${name}) for update`
        )
        return Option.fromNullable(former[0])
      })

    const findByName = (key: EnvironmentKey) =>
      Effect.flatMap(isInside, (inside) =>
        // WHY: inside a transaction the same function runs on the transaction's own connection.
        inside
          ? sql`select document, now from environment_by_name(${key.org}, ${key.name})`
          : named.run(BY_NAME, [key.org, key.name])
      ).pipe(
        Effect.flatMap(EnvironmentRow.read),
        Effect.map(([found]) => (found === undefined ? Option.none() : marked(found))),
        SqlFailure.toStoreError("EnvironmentStore.findByName")
      )

    const forget = (org: OrgId, name: string) =>
      write(
        "EnvironmentStore.forget",
        org,
        sql`delete from environment_former_name where org_id = ${org} and name = ${name}`
      )

    const insert = (e: Environment) =>
      transaction(e.org_id, () =>
        Effect.gen(function* () {
          const count = yield* rows.count({
            operation: "EnvironmentStore.insert",
            org: e.org_id,
            statement: sql`insert into environment (org_id, environment_id, name, type, description,
                include_scaling, included, policies, require_provenance, tags, created_at,
                last_modified_at, last_reported_at, last_changed_at, verdict, archived_at)
              values (${e.org_id}, ${e.id}, ${e.name}, ${e.type}, ${e.description},
                ${e.include_scaling}, ${listOf(e.included)}::jsonb, ${listOf(e.policies)}::jsonb,
                ${e.require_provenance}, ${JSON.stringify(e.tags)}::jsonb,
                ${e.created_at}, ${e.last_modified_at}, ${e.last_reported_at}, ${e.last_changed_at},
                ${e.verdict}, ${e.archived_at})
              on conflict (org_id, name) where archived_at is null do nothing
              returning environment_id`
          })
          if (count > 0) yield* forget(e.org_id, e.name)
          return count > 0
        })
      )

    const rename = (e: Environment, from: Environment["name"]) =>
      transaction(e.org_id, () =>
        Effect.gen(function* () {
          const count = yield* rows.count({
            operation: "EnvironmentStore.rename",
            org: e.org_id,
            // INVARIANT: the caller has locked the row; a name that is being taken makes this wait.
            statement: sql`update environment e set name = ${e.name}, archived_at = ${e.archived_at},
                last_modified_at = ${e.last_modified_at}
              where e.org_id = ${e.org_id} and e.environment_id = ${e.id}
                and (${e.archived_at}::int8 is not null or not exists (select from environment other
                  where other.org_id = ${e.org_id} and other.name = ${e.name}
                    and other.archived_at is null and other.environment_id <> ${e.id}))
              returning e.environment_id`
          })
          if (count === 0) return false
          yield* forget(e.org_id, e.name)
          yield* write(
            "EnvironmentStore.rename",
            e.org_id,
            sql`insert into environment_former_name values (${e.org_id}, ${from}, ${e.id})
              on conflict (org_id, name) do update set environment_id = excluded.environment_id`
          )
          return true
        })
      )

    return EnvironmentStore.of({
      findByName,
      lockByName,
      insert,
      rename,
      list: (org) =>
        Effect.map(all("EnvironmentStore.list", org, sql`e.archived_at is null`), (found) =>
          found.map(({ environment }) => environment)
        ),
      lockById: ({ org, environment }) =>
        Effect.map(
          all("EnvironmentStore.lockById", org, sql`e.environment_id = ${environment} for update`),
          ([found]) => Option.fromNullable(found)
        ),
      listPending: (org) =>
        Effect.map(
          all(
            "EnvironmentStore.listPending",
            org,
            sql`e.is_pending and e.archived_at is null order by e.environment_id`
          ),
          (found) => found.map(({ environment }) => ref(environment))
        ),
      settle: ({ org, environment }) =>
        write(
          "EnvironmentStore.settle",
          org,
          sql`update environment set is_pending = false
            where org_id = ${org} and environment_id = ${environment}`
        ),
      lockGroupsOf: ({ org, environment }) =>
        Effect.map(
          all(
            "EnvironmentStore.lockGroupsOf",
            org,
            sql`e.type = 'logical' and e.archived_at is null
              and e.included @> ${JSON.stringify([environment])}::jsonb
              order by e.environment_id for update`
          ),
          (found) => found.map((group) => group.environment)
        ),
      update: (e) =>
        write(
          "EnvironmentStore.update",
          e.org_id,
          sql`update environment set description = ${e.description},
              include_scaling = ${e.include_scaling}, included = ${listOf(e.included)}::jsonb,
              policies = ${listOf(e.policies)}::jsonb, require_provenance = ${e.require_provenance},
              tags = ${JSON.stringify(e.tags)}::jsonb, last_modified_at = ${e.last_modified_at},
              body_digest = null, rows_digest = null
            where org_id = ${e.org_id} and environment_id = ${e.id}`
        ),
      mark: ({ org, environment }, { bodyDigest, rowsDigest }, change) => {
        const { at, verdict } = Option.getOrElse(change, () => ({ at: null, verdict: null }))
        return write(
          "EnvironmentStore.mark",
          org,
          sql`update environment
            set body_digest = ${bodyDigest}, rows_digest = ${rowsDigest}, is_pending = false,
              last_changed_at = coalesce(${at}::int8, last_changed_at),
              last_modified_at = coalesce(${at}::int8, last_modified_at),
              verdict = coalesce(${verdict}::text, verdict)
            where org_id = ${org} and environment_id = ${environment}`
        )
      },
      change: ({ org, environment }, { at, verdict }) =>
        write(
          "EnvironmentStore.change",
          org,
          sql`update environment set last_changed_at = ${at}, last_modified_at = ${at},
              verdict = ${verdict}
            where org_id = ${org} and environment_id = ${environment}`
        ),
      heartbeat: (at, instant) => Effect.sync(() => heartbeats.beat(at, instant))
    })
  })
)

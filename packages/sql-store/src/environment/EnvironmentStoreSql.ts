/** `EnvironmentStore` on PostgreSQL. */
import { Environment, type EnvironmentKey } from "@attestry/core/Environment"
import { EnvironmentStore, type MarkedEnvironment } from "@attestry/core/EnvironmentStore"
import { Timestamp } from "@attestry/core/Timestamp"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type NamedStatement, NamedStatements } from "../shared/NamedStatements.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import { isInside, type SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"
import * as Heartbeats from "./Heartbeats.js"

const { id: _, ...fields } = Environment.fields

const Row = Schema.Struct({
  ...fields,
  environment_id: Environment.fields.id,
  body_digest: Schema.NullOr(Schema.String),
  rows_digest: Schema.NullOr(Schema.String),
  now: Timestamp
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const toMarked =
  (heartbeats: Heartbeats.Heartbeats) =>
  ({
    environment_id,
    body_digest,
    rows_digest,
    now,
    ...row
  }: typeof Row.Type): MarkedEnvironment => ({
    environment: {
      ...row,
      id: environment_id,
      last_reported_at: heartbeats.latest(
        { org: row.org_id, environment: environment_id },
        row.last_reported_at
      )
    },
    mark:
      body_digest === null || rows_digest === null
        ? Option.none()
        : Option.some({ bodyDigest: body_digest, rowsDigest: rows_digest }),
    now
  })

const SELECT = `select e.*, (extract(epoch from clock_timestamp()) * 1000000)::int8 as now
  from environment e`

/** Names the org and reads, in one round trip. */
const BY_NAME: NamedStatement = {
  name: "environment_by_name",
  text: "select (found.environment).*, found.now from environment_by_name($1, $2) as found"
}

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
    const named = yield* NamedStatements
    const heartbeats = yield* Heartbeats.make
    const marked = toMarked(heartbeats)

    const lockByName = ({ org, name }: EnvironmentKey) =>
      Effect.map(
        rows.first(Row, {
          operation: "EnvironmentStore.lockByName",
          org,
          statement: sql`${sql.literal(SELECT)}
              where org_id = ${org} and name = ${name} for update`
        }),
        Option.map(marked)
      )

    const findByName = ({ org, name }: EnvironmentKey) =>
      Effect.flatMap(isInside, (inside) =>
        inside
          ? sql`${sql.literal(SELECT)} where org_id = ${org} and name = ${name}`
          : named.run(BY_NAME, [org, name])
      ).pipe(
        Effect.flatMap(decodeRows),
        Effect.map(([row]) => Option.map(Option.fromNullable(row), marked)),
        SqlFailure.toStoreError("EnvironmentStore.findByName")
      )

    return EnvironmentStore.of({
      findByName,
      lockByName,
      insert: (e) =>
        Effect.map(
          rows.count({
            operation: "EnvironmentStore.insert",
            org: e.org_id,
            statement: sql`insert into environment (org_id, environment_id, name, type, description,
                  include_scaling, created_at, last_modified_at, last_reported_at, last_changed_at)
                values (${e.org_id}, ${e.id}, ${e.name}, ${e.type}, ${e.description},
                  ${e.include_scaling}, ${e.created_at}, ${e.last_modified_at},
                  ${e.last_reported_at}, ${e.last_changed_at})
                on conflict (org_id, name) do nothing returning environment_id`
          }),
          (count) => count > 0
        ),
      update: (e) =>
        Effect.asVoid(
          rows.count({
            operation: "EnvironmentStore.update",
            org: e.org_id,
            statement: sql`update environment set description = ${e.description},
                  include_scaling = ${e.include_scaling}, last_modified_at = ${e.last_modified_at},
                  body_digest = null, rows_digest = null
                where org_id = ${e.org_id} and environment_id = ${e.id}`
          })
        ),
      mark: ({ org, environment }, { bodyDigest, rowsDigest }, changedAt) => {
        const at = Option.getOrNull(changedAt)
        return Effect.asVoid(
          rows.count({
            operation: "EnvironmentStore.mark",
            org,
            statement: sql`update environment
                set body_digest = ${bodyDigest}, rows_digest = ${rowsDigest},
                  last_changed_at = coalesce(${at}::int8, last_changed_at),
                  last_modified_at = coalesce(${at}::int8, last_modified_at)
                where org_id = ${org} and environment_id = ${environment}`
          })
        )
      },
      heartbeat: (ref, at) => Effect.sync(() => heartbeats.beat(ref, at))
    })
  })
)

/** `RecordStore` on PostgreSQL: whole rows, so that a column is verified as soon as there is one. */
import * as ErasedText from "@attestry/core/ErasedText"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import {
  type Columns,
  PERSONAL,
  RecordStore,
  type StoredRecord,
  type TableName
} from "@attestry/core/RecordStore"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

/** How the rows of a table are shown. */
interface Shape {
  /** What the rows come from, as `t`; the table of the name without it. */
  readonly from?: string
  /** The expression of the key within the org. */
  readonly key: string
  /** Columns with another name in the domain. */
  readonly renamed?: { readonly [column: string]: string }
  /** Columns that are a matter of the store: places, and what is derived for speed. */
  readonly own?: ReadonlyArray<string>
  /** Columns that have an expression of their own. */
  readonly computed?: { readonly [column: string]: string }
  /** A column whose members are columns of the domain. */
  readonly spread?: string
}

const SHAPES: { readonly [name in TableName]: Shape } = {
  allow_list: { key: "t.environment_id || ' ' || t.fingerprint" },
  api_key: { from: "record_api_keys()", key: "t.id" },
  approval: { key: "t.flow_id || ' ' || t.number", renamed: { approval_id: "id" } },
  artifact: { key: "t.artifact_id", renamed: { artifact_id: "id" } },
  attestation: {
    key: "t.attestation_id",
    renamed: {
      ...{ attestation_id: "id", is_compliant: "isCompliant" },
      ...{ is_override: "isOverride", git_commit: "commit" }
    }
  },
  attestation_type: { key: "t.name" },
  control: { key: "t.identifier" },
  control_version: {
    key: "t.identifier || ' ' || t.version",
    renamed: { created_by: "user", created_at: "timestamp" }
  },
  environment: {
    key: "t.environment_id",
    renamed: { environment_id: "id" },
    own: ["body_digest", "rows_digest", "is_pending", "flows_seen"],
    computed: { policy_modes: "nullif(t.policy_modes, '{}'::jsonb)" }
  },
  flow: { key: "t.flow_id", renamed: { flow_id: "id" } },
  identity_rule: { key: "t.service_account_id" },
  membership: { key: "t.user_id" },
  membership_event: {
    key: "t.user_id || ' ' || t.created_at",
    renamed: { event_id: "id", user_name: "user" },
    own: ["user_folded", "changed_by_folded"]
  },
  org: { from: "record_org()", key: "t.id" },
  policy: { key: "t.policy_id", renamed: { policy_id: "id" } },
  policy_version: { key: "t.policy_id || ' ' || t.version" },
  repo: { key: "t.internal_id", renamed: { internal_id: "id" }, own: ["vcs_instance"] },
  service_account: { key: "t.service_account_id", renamed: { service_account_id: "id" } },
  template_version: { key: "t.template_id", renamed: { template_id: "id" } },
  trail: { key: "t.trail_id", renamed: { trail_id: "id" }, own: ["ordinal"], spread: "details" }
}

/** The members of the details of a trail. */
const DETAILS = [
  ...["description", "git_commit_info", "repo_info", "external_urls", "origin_url", "user_data"]
]

/** Columns of type `json`, whose members have an order. */
const ORDERED: ReadonlySet<string> = new Set(["versions"])

/** The column of a table that has another name in the domain. */
const storedName = (table: TableName, name: string): string =>
  Object.entries(SHAPES[table].renamed ?? {}).find(([, domain]) => domain === name)?.[0] ?? name

/** The columns that are written, with their values, for columns of the domain. */
const writtenOf = (
  table: TableName,
  columns: Columns,
  changed: ReadonlyArray<string>
): ReadonlyArray<readonly [column: string, value: unknown]> => {
  const isDetail = (name: string) => table === "trail" && DETAILS.includes(name)
  const plain = changed
    .filter((name) => !isDetail(name))
    .map((name) => {
      const value = columns[name] ?? null
      return [storedName(table, name), value] as const
    })
  const details = Object.fromEntries(DETAILS.map((name) => [name, columns[name] ?? null]))
  return [
    ...plain,
    ...(changed.some(isDetail) ? [["details", details] as const] : []),
    ...(table === "membership_event" && changed.includes("changed_by")
      ? [["changed_by_folded", MembershipEvent.fold(String(columns.changed_by))] as const]
      : [])
  ]
}

/** The members of a column; one that was changed to no object is shown as it is. */
const membersOf = (column: string): string =>
  `case jsonb_typeof(t.${column}) when 'object' then t.${column}
    else jsonb_build_object('${column}', t.${column}) end`

/** The row as a value of the domain. */
const columnsOf = ({ renamed = {}, own = [], computed = {}, spread }: Shape): string => {
  const gone = [...Object.keys(renamed), ...own, ...(spread === undefined ? [] : [spread])]
  const without = gone.map((column) => ` - '${column}'`).join("")
  const named = [
    ...Object.entries(renamed).map(([column, name]) => `'${name}', t.${column}`),
    ...Object.entries(computed).map(([column, expression]) => `'${column}', ${expression}`)
  ]
  return [
    `to_jsonb(t)${without}`,
    ...(named.length === 0 ? [] : [`jsonb_build_object(${named.join(", ")})`]),
    ...(spread === undefined ? [] : [membersOf(spread)])
  ].join(" || ")
}

const Row = Schema.Struct({
  key: Schema.String,
  columns: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

const Ordered = Schema.Struct({ text: Schema.String })

/** A row. */
interface Place {
  readonly org: StoredOrg
  readonly table: TableName
  readonly key: string
}

/** `RecordStore` on PostgreSQL. */
export const layer: Layer.Layer<RecordStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    RecordStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make

      const read = (
        operation: string,
        { org, table }: { readonly org: StoredOrg; readonly table: TableName },
        condition: (key: Fragment) => Fragment
      ) => {
        const shape = SHAPES[table]
        const key = sql.literal(`(${shape.key}) collate "C"`)
        return Effect.map(
          rows.all(Row, {
            operation,
            org,
            statement: sql`select ${key} as key, ${sql.literal(columnsOf(shape))} as columns
              from ${sql.literal(shape.from ?? table)} t
              where ${shape.from === undefined ? sql`t.org_id = ${org}` : sql`true`}
                and ${condition(key)}`
          }),
          (found): ReadonlyArray<StoredRecord> => found
        )
      }

      /** A value as a text whose members have the order that they have in the row. */
      const ordered = ({ org, table, key }: Place, column: string, value: unknown) =>
        Effect.map(
          rows.first(Ordered, {
            operation: "RecordStore.erase",
            org,
            statement: sql`select t.${sql(column)}::text as text from ${sql(table)} t
              where t.org_id = ${org} and (${sql.literal(SHAPES[table].key)}) = ${key}`
          }),
          (found) => {
            const model = Option.map(found, ({ text }): unknown => JSON.parse(text))
            return JSON.stringify(ErasedText.inOrderOf(Option.getOrNull(model), value))
          }
        )

      /** Writes one column of the row with a key; one whose members have an order is given as a text. */
      const write = ({ org, table, key }: Place, column: string, value: unknown) =>
        rows.run({
          operation: "RecordStore.erase",
          org,
          statement: sql`select record_erase(${table}, t.ctid, ${column},
              ${JSON.stringify(value ?? null)}::jsonb)
            from ${sql(table)} t where t.org_id = ${org}
              and (${sql.literal(SHAPES[table].key)}) = ${key}`
        })

      return RecordStore.of({
        erase: (org, { table, key, columns, changed }) => {
          const personal = changed.filter((column) => PERSONAL[table]?.includes(column))
          const at = { org, table, key }
          return Effect.forEach(
            writtenOf(table, columns, personal),
            ([column, value]) =>
              ORDERED.has(column)
                ? Effect.flatMap(ordered(at, column, value), (text) => write(at, column, text))
                : write(at, column, value),
            { discard: true }
          )
        },
        list: (org, table, { after, limit }) =>
          read(
            "RecordStore.list",
            { org, table },
            (key) => sql`${key} > ${after} order by ${key} limit ${limit}`
          ),
        find: (org, table, keys) =>
          read("RecordStore.find", { org, table }, (key) => sql`${key} = any(${[...keys]}::text[])`)
      })
    })
  )

type StoredOrg = Parameters<RecordStore["Type"]["list"]>[0]

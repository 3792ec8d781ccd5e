/** Records of `AuditStore` on PostgreSQL: reads whole rows, so that a new column is verified without a change here. */

import {
  type AuditStore,
  type Columns,
  DERIVED,
  type DerivedKind,
  PERSONAL,
  type RecordKind,
  type StoredRecord
} from "@attestry/core/AuditStore"
import * as ErasedText from "@attestry/core/ErasedText"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as TenantQueries from "../shared/TenantQueries.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as ContentMisfits from "./ContentMisfits.js"
import { columnsOf, SHAPES, tableOf } from "./RecordShapes.js"

/** The members of the details of a trail. */
const DETAILS = [
  "description",
  "git_commit_info",
  "repo_info",
  "external_urls",
  "origin_url",
  "user_data"
]

/** Columns of type `json`, whose members have an order. */
const ORDERED: ReadonlySet<string> = new Set(["versions"])

/** The column of a table that has another name in the domain. */
const storedName = (kind: RecordKind, name: string): string =>
  Object.entries(SHAPES[kind].renamed ?? {}).find(([, domain]) => domain === name)?.[0] ?? name

/** The columns that are written, with their values, for columns of the domain. */
const writtenOf = (
  kind: RecordKind,
  columns: Columns,
  changed: ReadonlyArray<string>
): ReadonlyArray<readonly [column: string, value: unknown]> => {
  const isDetail = (name: string) => kind === "trail" && DETAILS.includes(name)
  const plain = changed
    .filter((name) => !isDetail(name))
    .map((name) => {
      const value = columns[name] ?? null
      return [storedName(kind, name), value] as const
    })
  const details = Object.fromEntries(DETAILS.map((name) => [name, columns[name] ?? null]))
  return [
    ...plain,
    ...(changed.some(isDetail) ? [["details", details] as const] : []),
    ...(kind === "membership_event" && changed.includes("changed_by")
      ? [["changed_by_folded", MembershipEvent.fold(String(columns.changed_by))] as const]
      : [])
  ]
}

const Row = Schema.Struct({
  key: Schema.String,
  columns: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

const Ordered = Schema.Struct({ text: Schema.String })

/** A row. */
interface Place {
  readonly org: StoredOrg
  readonly kind: RecordKind
  readonly key: string
}

/** Records of `AuditStore` on PostgreSQL. */
export const make: Effect.Effect<
  Pick<
    AuditStore["Type"],
    "listRecords" | "derivedKinds" | "tableOf" | "listMisfits" | "eraseRecord"
  >,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  const read = (
    operation: string,
    { org, kind }: { readonly org: StoredOrg; readonly kind: RecordKind | DerivedKind },
    condition: (key: Fragment) => Fragment
  ) => {
    const shape = SHAPES[kind]
    const key = sql.literal(`(${shape.key}) collate "C"`)
    return Effect.map(
      rows.all(Row, {
        operation,
        org,
        statement: sql`select ${key} as key, ${sql.literal(columnsOf(shape))} as columns
              from ${sql.literal(shape.from ?? tableOf(kind))} t
              where ${shape.from === undefined ? sql`t.org_id = ${org}` : sql`true`}
                and ${condition(key)}`
      }),
      (found): ReadonlyArray<StoredRecord> => found
    )
  }

  /** A value as a text whose members have the order that they have in the row. */
  const ordered = ({ org, kind, key }: Place, column: string, value: unknown) =>
    Effect.map(
      rows.first(Ordered, {
        operation: "AuditStore.eraseRecord",
        org,
        statement: sql`select t.${sql(column)}::text as text from ${sql(tableOf(kind))} t
              where t.org_id = ${org} and (${sql.literal(SHAPES[kind].key)}) = ${key}`
      }),
      (found) => {
        const model = Option.map(found, ({ text }): unknown => JSON.parse(text))
        return JSON.stringify(ErasedText.inOrderOf(Option.getOrNull(model), value))
      }
    )

  /** Writes one column of the row with a key; one whose members have an order is given as a text. */
  const write = ({ org, kind, key }: Place, column: string, value: unknown) =>
    rows.run({
      operation: "AuditStore.eraseRecord",
      org,
      statement: sql`select record_erase(${tableOf(kind)}, t.ctid, ${column},
              ${JSON.stringify(value ?? null)}::jsonb)
            from ${sql(tableOf(kind))} t where t.org_id = ${org}
              and (${sql.literal(SHAPES[kind].key)}) = ${key}`
    })

  return {
    derivedKinds: DERIVED,
    tableOf,
    listMisfits: (org) => ContentMisfits.list(rows, sql, org),
    eraseRecord: (org, { kind, key, columns, changed }) => {
      const personal = changed.filter((column) => PERSONAL[kind]?.includes(column))
      const at = { org, kind, key }
      return Effect.forEach(
        writtenOf(kind, columns, personal),
        ([column, value]) =>
          ORDERED.has(column)
            ? Effect.flatMap(ordered(at, column, value), (text) => write(at, column, text))
            : write(at, column, value),
        { discard: true }
      )
    },
    listRecords: (org, kind, which) =>
      read("AuditStore.listRecords", { org, kind }, (key) =>
        "keys" in which
          ? sql`${key} = any(${[...which.keys]}::text[])`
          : sql`${key} > ${which.after} order by ${key} limit ${which.limit}`
      )
  }
})

type StoredOrg = Parameters<AuditStore["Type"]["listRecords"]>[0]

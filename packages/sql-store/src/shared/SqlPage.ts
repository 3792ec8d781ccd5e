/** One page of rows, and how many there are in all. */
import type { Damage } from "@attestry/core/DamagedRecords"
import type { OrgId } from "@attestry/core/Identifier"
import { offsetOf, type Page, type Paged } from "@attestry/core/Page"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlRows } from "./SqlRows.js"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** The two statements that a page takes; the second answers one number, `total`. */
export interface PageCall {
  readonly operation: string
  readonly org: OrgId
  readonly items: Statement
  readonly count: Statement
  /** Where the items begin, unless with the page. */
  readonly from?: Damage["from"]
}

const Total = Schema.Struct({ total: Schema.Int })

/** The end of a statement that reads one page. */
export const clause = (sql: SqlClient, page: Page): Fragment =>
  sql`limit ${page.perPage} offset ${offsetOf(page)}`

/** The word of SQL for a direction. */
export const direction = (sql: SqlClient, given: "asc" | "desc"): Fragment =>
  given === "asc" ? sql.literal("asc") : sql.literal("desc")

/** Reads one page. */
export const read = <A, I>(
  rows: SqlRows,
  schema: Schema.Schema<A, I>,
  { operation, org, items, count, from = "page" }: PageCall
): Effect.Effect<Paged<A>, StoreError> =>
  Effect.gen(function* () {
    const found = yield* rows.list(schema, { operation, org, statement: items, from })
    const [counted] = yield* rows.all(Total, { operation, org, statement: count })
    return { items: found, total: counted?.total ?? 0 }
  })

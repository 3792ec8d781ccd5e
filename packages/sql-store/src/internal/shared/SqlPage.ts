/** One page of rows, and how many there are in all: one statement, so that both are of one moment. */
import type { Damage } from "@attestry/core/DamagedRecords"
import type { OrgId } from "@attestry/core/Identifier"
import { offsetOf, type Page, type Paged } from "@attestry/core/Page"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "./TenantQueries.js"

type Statement = Effect.Effect<ReadonlyArray<unknown>, SqlError>

/** The statement that reads a page, and the one for a page that is past the end. */
export interface PageCall {
  readonly operation: string
  readonly org: OrgId
  /** Undefined for all there are. */
  readonly page: Page | undefined
  /** Selects the page's rows, each with `total` as its last column. */
  readonly items: Statement
  /** Selects `total` alone. */
  readonly count: Statement
  /** Where the items begin, unless with the page. */
  readonly from?: Damage["from"]
}

const Total = Schema.Struct({ total: Schema.Int })

/** The end of a statement that reads one page. */
export const clause = (sql: SqlClient, page: Page): Fragment =>
  sql`limit ${page.perPage} offset ${offsetOf(page)}`

/**
 * The column that says how many rows there are on all pages; `rows` are tables with their conditions.
 *
 * WHY a query of its own and no window function: that would read every row in full to count it.
 */
export const total = (sql: SqlClient, rows: Fragment): Fragment =>
  sql`(select count(*) from ${rows}) as total`

/** A list whose total is kept: the table that it lists, and the subject that it is the list of. */
export interface Counted {
  readonly list: "flow" | "trail" | "attestation" | "control" | "repo" | "environment"
  readonly org: OrgId
  /** Several for the lists of several subjects as one; a fragment is an array of them. */
  readonly subjects: ReadonlyArray<string> | Fragment
  /** Rows that are not counted yet: tables with their conditions. */
  readonly uncounted?: Fragment
}

/** The subject of a list of all that an org has. */
export const WHOLE = [""]

/** The same column for a list whose total is kept. WHY a query: it is read once, not for every row. */
export const keptTotal = (
  sql: SqlClient,
  { list, org, subjects, uncounted }: Counted
): Fragment => {
  const of = "length" in subjects ? sql`${[...subjects]}` : subjects
  const kept = sql`list_total_of(${org}, ${list}, ${of})`
  return uncounted === undefined
    ? sql`(select ${kept}) as total`
    : sql`((select ${kept}) + (select count(*) from ${uncounted})) as total`
}

/** The word of SQL for a direction. */
export const direction = (sql: SqlClient, given: "asc" | "desc"): Fragment =>
  given === "asc" ? sql.literal("asc") : sql.literal("desc")

/** One page, and the place of its last row where rows have a column `place`. */
export interface PlacedPage<A> extends Paged<A> {
  readonly last: Option.Option<number>
}

/** Reads one page, with the place of its last row; a page past the end reads the total with a second statement. */
export const readPlaced = <A, I>(
  rows: TenantQueries,
  schema: Schema.Schema<A, I>,
  { operation, org, page, items, count, from = "page" }: PageCall
): Effect.Effect<PlacedPage<A>, StoreError> =>
  Effect.gen(function* () {
    const found = yield* rows.page(schema, { operation, org, statement: items, from })
    if (Option.isSome(found.total))
      return { items: found.items, total: found.total.value, last: found.last }
    const last = Option.none<number>()
    if (page === undefined || offsetOf(page) === 0) return { items: [], total: 0, last }
    const counted = yield* rows.first(Total, { operation, org, statement: count })
    return {
      items: [],
      total: Option.match(counted, { onNone: () => 0, onSome: (one) => one.total }),
      last
    }
  })

/** Reads one page. */
export const read = <A, I>(
  rows: TenantQueries,
  schema: Schema.Schema<A, I>,
  call: PageCall
): Effect.Effect<Paged<A>, StoreError> =>
  Effect.map(readPlaced(rows, schema, call), ({ items, total }) => ({ items, total }))

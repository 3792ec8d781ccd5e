/** Reads the journal backwards: one statement finds the entries by their small columns, a second reads them. */
import type { JournalEntry } from "@attestry/core/JournalEntry"
import type { JournalFilter } from "@attestry/core/JournalFilter"
import type { JournalFound, JournalScan } from "@attestry/core/JournalStore"
import type { StoreError } from "@attestry/core/StoreError"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { TenantQueries } from "../shared/TenantQueries.js"

const OPERATION = "JournalStore.scanBack"

/** What the first statement finds: matching numbers, the lowest number that was read, and whether lower ones exist. */
const Look = Schema.Struct({
  found: Schema.Array(Schema.Int),
  lowest: Schema.NullOr(Schema.Int),
  is_left: Schema.Boolean
})

/** The condition of `JournalFilter.accepts`. */
const acceptedBy = (
  sql: SqlClient,
  { kinds, actors, subjectTypes, from, to }: JournalFilter
): Fragment =>
  sql.and([
    ...(kinds === undefined ? [] : [sql`kind = any(${[...kinds]}::text[])`]),
    ...(actors === undefined
      ? []
      : [
          sql`(actor_name = any(${[...actors]}::text[]) or actor_id = any(${[...actors]}::text[]))`
        ]),
    ...(subjectTypes === undefined ? [] : [sql`subject_type = any(${[...subjectTypes]}::text[])`]),
    ...(from === undefined ? [] : [sql`at >= ${from}`]),
    ...(to === undefined ? [] : [sql`at <= ${to}`])
  ])

const nextOf = (
  { found, lowest, is_left }: typeof Look.Type,
  shown: ReadonlyArray<number>
): Option.Option<number> =>
  Option.fromNullable(found.length > shown.length ? shown.at(-1) : is_left ? lowest : null)

/** How the entries of some numbers are read, newest first. */
export type ReadEntries = (
  look: JournalScan,
  sequences: ReadonlyArray<number>
) => Effect.Effect<ReadonlyArray<JournalEntry>, StoreError>

/** `scanBack` of the port. */
export const make =
  (sql: SqlClient, rows: TenantQueries, readEntries: ReadEntries) =>
  (look: JournalScan): Effect.Effect<JournalFound, StoreError> => {
    const { org, before, filter, limit, readMax } = look
    const older = before === undefined ? sql`` : sql`and sequence < ${before}`
    return Effect.gen(function* () {
      const seen = yield* rows.first(Look, {
        operation: OPERATION,
        org,
        statement: sql`with look as materialized (
            select sequence, ${acceptedBy(sql, filter)} as is_accepted from journal
            where org_id = ${org} ${older} order by sequence desc limit ${readMax})
          select coalesce((select jsonb_agg(f.sequence) from (select sequence from look
              where is_accepted order by sequence desc limit ${limit + 1}) f), '[]') as found,
            l.lowest, exists (select from journal
              where org_id = ${org} and sequence < l.lowest) as is_left
          from (select min(sequence) as lowest from look) l`
      })
      if (Option.isNone(seen)) return { entries: [], next: Option.none() }
      const shown = seen.value.found.slice(0, limit)
      const entries = shown.length === 0 ? [] : yield* readEntries(look, shown)
      return { entries, next: nextOf(seen.value, shown) }
    })
  }

/** Rows that cannot be decoded: logged once each, with the columns that identify them. */
import type { DamagedRow } from "@attestry/core/DamagedRecords"
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"

/** Columns that identify a row: keys, names and numbers, and no text of users. */
const KEY = /(?:^|_)(?:id|name|identifier|number|index|position|sequence|version|fingerprint)$/

/** Texts of a row are logged up to this length. */
const LENGTH_MAX = 100

/** So many logged rows are kept; beyond it the set is cleared, and rows may be logged again. */
const LOGGED_MAX = 1_000

const isShort = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= LENGTH_MAX)

/** The columns that identify a row, also inside a row that is one document. */
const keysOf = (row: unknown): ReadonlyArray<readonly [string, string | number]> =>
  Predicate.isRecord(row)
    ? Object.entries(row).flatMap(([name, value]) => {
        if (name === "document") return keysOf(value)
        return KEY.test(name) && isShort(value) ? [[name, value] as const] : []
      })
    : []

const logged = new Set<string>()

/** Logs a damaged row, unless it has been logged: once is enough for operators. */
export const log = (
  operation: string,
  row: unknown,
  { issue }: ParseResult.ParseError
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const found = JSON.stringify(Object.fromEntries(keysOf(row)))
    const fields = Object.keys(FieldErrors.fromParseIssue(issue)).join(", ")
    const line = `${operation} ${found} ${fields}`
    if (logged.has(line)) return Effect.void
    if (logged.size >= LOGGED_MAX) logged.clear()
    logged.add(line)
    return Effect.annotateLogs(Effect.logError("a stored record is damaged"), {
      operation,
      row: found,
      fields
    })
  })

/** The first column of a row that cannot be decoded; the path of an issue begins with the place of the row. */
const columnOf = (error: ParseResult.ParseError): string => {
  const [first] = ParseResult.ArrayFormatter.formatErrorSync(error)
  return String(first?.path.find((step) => typeof step === "string") ?? "row")
}

/** Which row of which table a damaged row is, and its damaged column. */
export const nameIn = (
  row: unknown,
  error: ParseResult.ParseError,
  nameOf: (row: { readonly [name: string]: unknown }, column: string) => Omit<DamagedRow, "column">
): DamagedRow => {
  const column = columnOf(error)
  return { ...nameOf(Predicate.isRecord(row) ? row : {}, column), column }
}

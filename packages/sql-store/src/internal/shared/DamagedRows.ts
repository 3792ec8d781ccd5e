/** Rows that cannot be decoded: logged once each, with the columns that identify them. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
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

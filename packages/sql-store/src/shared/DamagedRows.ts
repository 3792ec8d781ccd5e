/** Rows that cannot be read as what they should be: logged once each, with what is needed to find them. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"

/** Columns by which a row is found: keys, names and numbers, nothing that anybody wrote. */
const KEY = /(?:^|_)(?:id|name|identifier|number|index|position|sequence|version|fingerprint)$/

/** Texts of a row are logged up to this length. */
const LENGTH_MAX = 100

/** Rows are remembered up to this many; beyond it all are forgotten, and may be logged again. */
const LOGGED_MAX = 1_000

const isShort = (value: unknown): value is string | number =>
  typeof value === "number" || (typeof value === "string" && value.length <= LENGTH_MAX)

/** What a row is found by; rows that are one document are looked into. */
const keysOf = (row: unknown): ReadonlyArray<readonly [string, string | number]> =>
  Predicate.isRecord(row)
    ? Object.entries(row).flatMap(([name, value]) => {
        if (name === "document") return keysOf(value)
        return KEY.test(name) && isShort(value) ? [[name, value] as const] : []
      })
    : []

const logged = new Set<string>()

/** Logs a damaged row, unless it has been: operators need to hear of it once, not with every request. */
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

/**
 * What stands in a list in the place of a record that the store could not read. DECISION A-19, B-111
 *
 * A list is an answer that is an array, or one with counters and exactly one array; which it is can be seen
 * from the contract, so no list is forgotten and none has to ask.
 */
import type { Damage } from "@attestry/core/DamagedRecords"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import type { Route } from "./RouteTable.js"

/** What stands in the place of a damaged record. */
export const PLACEHOLDER = {
  damaged_record: true,
  message: "This record is damaged in the store and cannot be shown"
}

const COUNTERS: ReadonlyArray<PropertyKey> = ["_links", "pagination"]

const isListed = (ast: SchemaAST.AST): boolean => {
  if (SchemaAST.isUnion(ast)) return ast.types.every(isListed)
  if (SchemaAST.isTupleType(ast)) return true
  return (
    SchemaAST.isTypeLiteral(ast) &&
    ast.propertySignatures.some(({ name }) => COUNTERS.includes(name))
  )
}

/** Whether an operation answers a list. */
export const isList = ({ method, successes }: Pick<Route, "method" | "successes">): boolean =>
  method === "GET" &&
  [...successes.values()].some(({ ast }) =>
    Option.exists(ast, (success) => isListed(SchemaAST.encodedAST(success)))
  )

interface Window {
  readonly first: number
  readonly count: number
}

const countOf = (value: unknown): number => (typeof value === "number" ? value : 0)

/** Which part of the list an answer shows, as its counters say; all of it where there are none. */
const windowOf = (answer: object): Window => {
  const counters = "pagination" in answer ? answer.pagination : answer
  if (!Predicate.isRecord(counters) || !("per_page" in counters)) {
    return { first: 0, count: Number.POSITIVE_INFINITY }
  }
  const count = countOf(counters.per_page)
  return { first: (countOf(counters.page) - 1) * count, count }
}

/** Puts a placeholder where each damaged record would have stood. */
const fill = (
  items: ReadonlyArray<unknown>,
  damages: ReadonlyArray<Damage>,
  window: Window
): ReadonlyArray<unknown> => {
  const places = damages
    .map(({ position, from }) => (from === "page" ? position : position - window.first))
    .filter((place) => place >= 0 && place < window.count)
    .sort((left, right) => left - right)
  const filled = [...items]
  for (const place of places) filled.splice(Math.min(place, filled.length), 0, PLACEHOLDER)
  return filled
}

/** The text of a list, with placeholders. */
export const put = (text: string, damages: ReadonlyArray<Damage>): string => {
  const answer: unknown = JSON.parse(text)
  if (Array.isArray(answer)) return JSON.stringify(fill(answer, damages, windowOf([])))
  if (!Predicate.isRecord(answer)) return text
  const window = windowOf(answer)
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(answer).map(([name, value]) => [
        name,
        Array.isArray(value) ? fill(value, damages, window) : value
      ])
    )
  )
}

/**
 * Placeholders in lists for records that the store cannot read. DECISIONS.md, "A damaged record never fails a list"
 *
 * A list is a response that is an array, or an object with counters and exactly one array. The contract shows which
 * operations return lists, so a handler does not declare it.
 */
import type { Damage } from "@attestry/core/DamagedRecords"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as SchemaAST from "effect/SchemaAST"
import type { Route } from "./RouteTable.js"

/** The item in the place of a damaged record. */
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
    ast.propertySignatures.some(({ name }) => COUNTERS.includes(name)) &&
    ast.propertySignatures.filter(({ type }) => SchemaAST.isTupleType(type)).length === 1
  )
}

/** Whether the response of an operation is a list. */
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

/** The page of the list that a response shows, from its counters; the whole list where there are none. */
const windowOf = (list: object): Window => {
  const counters = "pagination" in list ? list.pagination : list
  if (!Predicate.isRecord(counters) || !("per_page" in counters)) {
    return { first: 0, count: Number.POSITIVE_INFINITY }
  }
  const count = countOf(counters.per_page)
  return { first: (countOf(counters.page) - 1) * count, count }
}

/** Inserts a placeholder at the position of each damaged record. */
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
  const list: unknown = JSON.parse(text)
  if (Array.isArray(list)) return JSON.stringify(fill(list, damages, windowOf([])))
  if (!Predicate.isRecord(list)) return text
  const window = windowOf(list)
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(list).map(([name, value]) => [
        name,
        Array.isArray(value) ? fill(value, damages, window) : value
      ])
    )
  )
}

/**
 * Encodes answers with long lists in slices, between which other requests are served.
 *
 * Of an object with members that are long lists, each item of these is encoded and printed by itself; everything
 * else, and every other answer, is encoded in one go. The text means the same either way.
 */
import * as Slices from "@attestry/core/Slices"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"
import * as FastEncoder from "./FastEncoder.js"

/** A shorter list is encoded in one go. */
const ITEMS_MIN = 256

/** Prints a value of the contract; nothing where it has no long list. */
export type SlicedEncoder = (value: unknown) => Effect.Effect<string> | undefined

const isLong = (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) && value.length >= ITEMS_MIN

/** The type of the items, where a type is a list of one type of items. */
const itemOf = (type: SchemaAST.AST): SchemaAST.AST | undefined =>
  type._tag === "TupleType" && type.elements.length === 0 && type.rest.length === 1
    ? type.rest[0]?.type
    : undefined

/** What prints values of an object type with lists; nothing for other types. */
export const make = (ast: SchemaAST.AST): SlicedEncoder | undefined => {
  if (ast._tag !== "TypeLiteral" || ast.indexSignatures.length > 0) return undefined
  const encoders = new Map(
    ast.propertySignatures.map(({ name, type }) => {
      const item = itemOf(type)
      return [
        String(name),
        {
          whole: FastEncoder.make(type),
          item: item === undefined ? undefined : FastEncoder.make(item)
        }
      ]
    })
  )
  if (![...encoders.values()].some(({ item }) => item !== undefined)) return undefined

  const member = (name: string, value: unknown): Effect.Effect<string | undefined> => {
    const { whole, item } = encoders.get(name) ?? {}
    if (whole === undefined) return Effect.succeed(undefined)
    if (item === undefined || !isLong(value)) {
      return Effect.sync(() => JSON.stringify(whole(value)))
    }
    return Effect.map(
      Slices.map(value, (one) => JSON.stringify(item(one))),
      (texts) => `[${texts.join(",")}]`
    )
  }

  return (value) =>
    Predicate.isRecord(value) && Object.values(value).some(isLong)
      ? Effect.map(
          Effect.forEach(Object.entries(value), ([name, one]) =>
            Effect.map(member(name, one), (text) =>
              text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
            )
          ),
          (members) => `{${members.flat().join(",")}}`
        )
      : undefined
}

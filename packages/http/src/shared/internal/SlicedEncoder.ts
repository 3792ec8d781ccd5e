/**
 * Encodes responses with long lists in slices, so that other requests are served between two slices.
 *
 * The items of a long list that is a member of an object are encoded one by one; everything else is encoded at once.
 * Both ways print the same JSON value.
 */
import * as Slices from "@attestry/core/Slices"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"
import * as FastEncoder from "./FastEncoder.js"

/** A shorter list is encoded at once. */
const ITEMS_MIN = 256

/** Prints a value of the contract; undefined where it has no long list. */
export type SlicedEncoder = (value: unknown) => Effect.Effect<string> | undefined

const isLong = (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) && value.length >= ITEMS_MIN

/** The type of the items of a list type; undefined for other types. */
const itemOf = (type: SchemaAST.AST): SchemaAST.AST | undefined =>
  type._tag === "TupleType" && type.elements.length === 0 && type.rest.length === 1
    ? type.rest[0]?.type
    : undefined

/** The encoder of an object type with lists; undefined for other types. */
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

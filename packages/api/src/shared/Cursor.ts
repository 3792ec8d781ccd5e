/** The cursor of a list: a place in its order, as an opaque text. */
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const PREFIX = "after:"
const FORM = /^after:(0|[1-9]\d{0,15})$/

/** The text of a place; reads back with `parse`. */
export const print = (place: number): string =>
  btoa(`${PREFIX}${place}`).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")

/** The place of a text; undefined for a text that `print` does not make. */
export const parse = (text: string): number | undefined => {
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(text) || text.length % 4 === 1) return undefined
  const [, digits] = FORM.exec(atob(text.replaceAll("-", "+").replaceAll("_", "/"))) ?? []
  const place = digits === undefined ? Number.NaN : Number(digits)
  return Number.isSafeInteger(place) && print(place) === text ? place : undefined
}

/** A cursor in a query. */
export const Cursor = Schema.transformOrFail(
  Schema.String,
  Schema.Int.pipe(Schema.brand("Cursor")),
  {
    strict: true,
    decode: (text, _, ast) => {
      const place = parse(text)
      return place === undefined
        ? ParseResult.fail(
            new ParseResult.Type(ast, text, "Input should be a cursor out of `_links.next`")
          )
        : ParseResult.succeed(place)
    },
    encode: (place) => ParseResult.succeed(print(place))
  }
).annotations({ jsonSchema: { type: "string" } })

/**
 * Encodes responses with long lists in slices, so that other requests are served between two slices.
 *
 * The items of a long list are encoded one by one, where the list is the response or a member of it; everything else
 * is encoded at once. Both ways print the same JSON value. A long text is given in pieces of bytes.
 */
import * as Slices from "@attestry/core/Slices"
import type * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"
import type { BodyPieces } from "../HttpMessage.js"
import * as FastEncoder from "./FastEncoder.js"

/** A shorter list is encoded at once. */
const ITEMS_MIN = 4

/** The least characters of a piece; a text with fewer is no long one. */
const PIECE_LENGTH = 65_536

/** Prints a value of the contract; undefined where it has no long list. */
export type SlicedEncoder = (value: unknown) => Effect.Effect<string | BodyPieces> | undefined

/** A text that grows, whose beginning is in bytes already. */
class GrowingText {
  readonly #pieces: Array<Uint8Array> = []
  readonly #encoder = new TextEncoder()
  #texts: Array<string> = []
  #length = 0

  add(text: string): void {
    this.#texts.push(text)
    this.#length += text.length
    if (this.#length >= PIECE_LENGTH) this.#cut()
  }

  /** The whole text, in pieces where it is long. */
  end(): string | BodyPieces {
    if (this.#pieces.length === 0) return this.#texts.join("")
    if (this.#length > 0) this.#cut()
    return this.#pieces
  }

  #cut(): void {
    this.#pieces.push(this.#encoder.encode(this.#texts.join("")))
    this.#texts = []
    this.#length = 0
  }
}

/** Prints a part of a value; pauses now and then. Nothing is printed of a value that JSON does not have. */
type Printer = (value: unknown, text: GrowingText) => Generator<void, void>

const isLong = (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) && value.length >= ITEMS_MIN

/** The type of the items of a list type; undefined for other types. */
const itemOf = (type: SchemaAST.AST): SchemaAST.AST | undefined =>
  type._tag === "TupleType" && type.elements.length === 0 && type.rest.length === 1
    ? type.rest[0]?.type
    : undefined

/** Prints a list item by item. */
const listPrinter = (item: SchemaAST.AST): Printer => {
  const encode = FastEncoder.make(item)
  return function* (value, text) {
    if (!Array.isArray(value)) return
    let before = "["
    for (const one of value) {
      text.add(`${before}${JSON.stringify(encode(one)) ?? "null"}`)
      before = ","
      yield
    }
    text.add(value.length === 0 ? "[]" : "]")
  }
}

/** Prints an object member by member: its long lists item by item. */
const membersPrinter = (ast: SchemaAST.TypeLiteral): Printer => {
  const encoders = new Map(
    ast.propertySignatures.map(({ name, type }) => {
      const item = itemOf(type)
      return [
        String(name),
        {
          whole: FastEncoder.make(type),
          list: item === undefined ? undefined : listPrinter(item)
        }
      ]
    })
  )
  return function* (value, text) {
    if (!Predicate.isRecord(value)) return
    let before = "{"
    for (const [name, one] of Object.entries(value)) {
      const { whole, list } = encoders.get(name) ?? {}
      if (whole === undefined) continue
      if (list !== undefined && isLong(one)) {
        text.add(`${before}${JSON.stringify(name)}:`)
        yield* list(one, text)
      } else {
        const printed = JSON.stringify(whole(one))
        if (printed === undefined) continue
        text.add(`${before}${JSON.stringify(name)}:${printed}`)
      }
      before = ","
      yield
    }
    text.add(before === "{" ? "{}" : "}")
  }
}

const inSlices = (printer: Printer, value: unknown): Effect.Effect<string | BodyPieces> =>
  Slices.run(function* () {
    const text = new GrowingText()
    yield* printer(value, text)
    return text.end()
  })

/** The encoder of a list type, or of an object type with lists; undefined for other types. */
export const make = (ast: SchemaAST.AST): SlicedEncoder | undefined => {
  const item = itemOf(ast)
  if (item !== undefined) {
    const printer = listPrinter(item)
    return (value) => (isLong(value) ? inSlices(printer, value) : undefined)
  }
  if (ast._tag !== "TypeLiteral" || ast.indexSignatures.length > 0) return undefined
  if (!ast.propertySignatures.some(({ type }) => itemOf(type) !== undefined)) return undefined
  const printer = membersPrinter(ast)
  return (value) =>
    Predicate.isRecord(value) && Object.values(value).some(isLong)
      ? inSlices(printer, value)
      : undefined
}

/**
 * Checks a JSON text against a schema without building its value.
 *
 * A text that passes parses to a value which its schema decodes to itself. A text that is rejected goes to the parser
 * and the schema, which say why: texts with escapes, exponents or repeated names, and schemas of a sort that is not
 * handled here, are always rejected. Linear in the text; the schema bounds its depth.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

/** The members of dictionaries in a text, and the places of its items. */
export interface Found {
  /** Members as written, in the order of the text: name, value, name, value. */
  readonly members: Array<string>
  /** Begin, end and number of members of each dictionary. */
  readonly dictionaries: Array<number>
  /** Begin and end of each value whose schema is annotated with `placed`, in order. */
  readonly items: Array<number>
}

/** Nothing found yet. */
export const nothingFound = (): Found => ({ members: [], dictionaries: [], items: [] })

/** The end of the value that begins at a place, or `REJECTED`; adds to what was found. */
export type Scan = (text: string, at: number, found: Found) => number

/** The end of a value that does not pass. */
export const REJECTED = -1

const TAB = 9
const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const ZERO = 48
const NINE = 57
const COLON = 58
const LIST_OPEN = 91
const BACKSLASH = 92
const LIST_CLOSE = 93
const OBJECT_OPEN = 123
const OBJECT_CLOSE = 125
const SURROGATE_FIRST = 0xd800

/** Integers of so many digits are exact, whatever the digits. */
const DIGITS_MAX = 15

/** As many names as fit the bits of a number. */
const FIELDS_MAX = 31

const OwnScan: unique symbol = Symbol.for("@attestry/core/JsonScanner")

/** Annotation for schemas with a scan of their own. */
export const scannedBy = (scan: Scan) => ({ [OwnScan]: scan })

const Placed: unique symbol = Symbol.for("@attestry/core/JsonScanner/Placed")

/** Annotation for schemas whose values are recorded with their places. */
export const placed = { [Placed]: true }

const nothing: Scan = () => REJECTED

const isSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === RETURN || code === TAB

/** Longer runs of white space are left to the parser. */
const INDENT_MAX = 65_536

/** The place of the first character from here on that is no white space. */
export const skipSpace = (text: string, at: number): number => {
  const last = Math.min(text.length, at + INDENT_MAX)
  let place = at
  while (place < last) {
    const code = text.charCodeAt(place)
    // WHY both: most often there is no white space, and the first comparison decides.
    if (code > SPACE || !isSpace(code)) break
    place += 1
  }
  return place
}

/** Where the value of a member begins whose name ends here. */
const valueAfter = (text: string, nameEnd: number): number => {
  const colon = skipSpace(text, nameEnd)
  return text.charCodeAt(colon) === COLON ? skipSpace(text, colon + 1) : REJECTED
}

/** Whether a character stands for itself in a string; surrogates and above are left to the parser. */
const isPlain = (code: number): boolean =>
  code > BACKSLASH ? code < SURROGATE_FIRST : code >= SPACE && code !== QUOTE && code !== BACKSLASH

/** Any string without escapes. */
const string: Scan = (text, at) => {
  if (text.charCodeAt(at) !== QUOTE) return REJECTED
  let place = at + 1
  while (place < text.length && isPlain(text.charCodeAt(place))) place += 1
  return place < text.length && text.charCodeAt(place) === QUOTE ? place + 1 : REJECTED
}

/** A string of so many characters. */
export const textOf =
  ({ lengthMin, lengthMax }: { readonly lengthMin: number; readonly lengthMax: number }): Scan =>
  (text, at, found) => {
    const end = string(text, at, found)
    const length = end - at - 2
    return end === REJECTED || length < lengthMin || length > lengthMax ? REJECTED : end
  }

const isLowerHex = (code: number): boolean =>
  code <= NINE ? code >= ZERO : code >= 97 && code <= 102

/** A string of exactly so many lower-case hexadecimal digits. */
export const lowerHexOf =
  (count: number): Scan =>
  (text, at) => {
    const end = at + 1 + count
    if (text.charCodeAt(at) !== QUOTE || end >= text.length) return REJECTED
    for (let place = at + 1; place < end; place++) {
      if (!isLowerHex(text.charCodeAt(place))) return REJECTED
    }
    return text.charCodeAt(end) === QUOTE ? end + 1 : REJECTED
  }

/** The empty string, or what another scan takes. WHY not `anyOf`: this is tried for each digest of a report. */
export const emptyOr =
  (scan: Scan): Scan =>
  (text, at, found) =>
    text.charCodeAt(at) === QUOTE && text.charCodeAt(at + 1) === QUOTE
      ? at + 2
      : scan(text, at, found)

/** An integer written as one: no fraction, no exponent, few enough digits. */
const integer: Scan = (text, at) => {
  const first = text.charCodeAt(at) === MINUS ? at + 1 : at
  let place = first
  while (place < text.length) {
    const code = text.charCodeAt(place)
    if (code < ZERO || code > NINE) break
    place += 1
  }
  const count = place - first
  const isPadded = count > 1 && text.charCodeAt(first) === ZERO
  return count === 0 || count > DIGITS_MAX || isPadded ? REJECTED : place
}

const word =
  (written: string): Scan =>
  (text, at) =>
    text.startsWith(written, at) ? at + written.length : REJECTED

const anyOf =
  (choices: ReadonlyArray<Scan>): Scan =>
  (text, at, found) => {
    const { members, dictionaries, items } = found
    const before = [members.length, dictionaries.length, items.length] as const
    for (const choice of choices) {
      const end = choice(text, at, found)
      if (end !== REJECTED) return end
      members.length = before[0]
      dictionaries.length = before[1]
      items.length = before[2]
    }
    return REJECTED
  }

/** Items between brackets, with commas between them. */
const listOf =
  (open: number, close: number, item: Scan): Scan =>
  (text, at, found) => {
    if (text.charCodeAt(at) !== open) return REJECTED
    let place = skipSpace(text, at + 1)
    if (text.charCodeAt(place) === close) return place + 1
    while (true) {
      const end = item(text, place, found)
      if (end === REJECTED) return REJECTED
      place = skipSpace(text, end)
      const code = text.charCodeAt(place)
      if (code === close) return place + 1
      if (code !== COMMA) return REJECTED
      place = skipSpace(text, place + 1)
    }
  }

const isRepeating = (members: ReadonlyArray<string>, from: number): boolean => {
  const count = (members.length - from) / 2
  if (count < 2) return false
  const names = new Set<string>()
  for (let at = from; at < members.length; at += 2) names.add(members[at] ?? "")
  return names.size < count
}

/** An object with any names; its members are recorded. */
export const dictionaryOf = (name: Scan, value: Scan): Scan => {
  const member: Scan = (text, at, found) => {
    const nameEnd = name(text, at, found)
    if (nameEnd === REJECTED) return REJECTED
    const valueAt = valueAfter(text, nameEnd)
    if (valueAt === REJECTED) return REJECTED
    const end = value(text, valueAt, found)
    if (end === REJECTED) return REJECTED
    found.members.push(text.slice(at, nameEnd), text.slice(valueAt, end))
    return end
  }
  const all = listOf(OBJECT_OPEN, OBJECT_CLOSE, member)
  return (text, at, found) => {
    const { members, dictionaries } = found
    const before = members.length
    const end = all(text, at, found)
    if (end === REJECTED || isRepeating(members, before)) return REJECTED
    dictionaries.push(at, end, (members.length - before) / 2)
    return end
  }
}

interface Field {
  /** The characters of the name as it is written, with its quotes. */
  readonly name: ReadonlyArray<number>
  readonly index: number
  readonly scan: Scan
}

const isNamed = (text: string, at: number, name: ReadonlyArray<number>): boolean => {
  for (let index = 0; index < name.length; index++) {
    if (text.charCodeAt(at + index) !== name[index]) return false
  }
  return true
}

const structOf = (signatures: SchemaAST.TypeLiteral["propertySignatures"]): Scan => {
  if (signatures.length > FIELDS_MAX) return nothing
  if (signatures.some(({ name }) => typeof name === "symbol")) return nothing
  const fields = signatures.map(
    ({ name, type }, index): Field => ({
      name: Array.from(JSON.stringify(name), (character) => character.charCodeAt(0)),
      index,
      scan: fromAst(type)
    })
  )
  const required = signatures.reduce(
    (bits, { isOptional }, index) => (isOptional ? bits : bits | (1 << index)),
    0
  )
  // WHY: a writer of many objects writes their fields in one order, so the field that followed last time is tried
  // first. It changes no result. The first entry is the field that came first.
  const followers: Array<Field | undefined> = [undefined, ...signatures.map(() => undefined)]
  const fieldAt = (text: string, at: number, last: number): Field | undefined => {
    const guess = followers[last + 1]
    if (guess !== undefined && isNamed(text, at, guess.name)) return guess
    const field = fields.find(({ name }) => isNamed(text, at, name))
    if (field !== undefined) followers[last + 1] = field
    return field
  }
  return (text, at, found) => {
    if (text.charCodeAt(at) !== OBJECT_OPEN) return REJECTED
    let seen = 0
    let last = -1
    let place = skipSpace(text, at + 1)
    if (text.charCodeAt(place) === OBJECT_CLOSE) return required === 0 ? place + 1 : REJECTED
    while (true) {
      const field = fieldAt(text, place, last)
      if (field === undefined || (seen & (1 << field.index)) !== 0) return REJECTED
      last = field.index
      seen |= 1 << last
      const valueAt = valueAfter(text, place + field.name.length)
      const end = valueAt === REJECTED ? REJECTED : field.scan(text, valueAt, found)
      if (end === REJECTED) return REJECTED
      place = skipSpace(text, end)
      const code = text.charCodeAt(place)
      if (code === OBJECT_CLOSE) return (seen & required) === required ? place + 1 : REJECTED
      if (code !== COMMA) return REJECTED
      place = skipSpace(text, place + 1)
    }
  }
}

const arrayOf = ({ elements, rest }: SchemaAST.TupleType): Scan => {
  const [item, ...more] = rest
  return item === undefined || elements.length + more.length > 0
    ? nothing
    : listOf(LIST_OPEN, LIST_CLOSE, fromAst(item.type))
}

const refinedBy = (ast: SchemaAST.Refinement): Scan => {
  if (ast === Schema.Int.ast) return integer
  const scan = fromAst(ast.from)
  return (text, at, found) => {
    const end = scan(text, at, found)
    if (end === REJECTED) return REJECTED
    const value: unknown = JSON.parse(text.slice(at, end))
    const refusal = ast.filter(value, SchemaAST.defaultParseOption, ast)
    return Option.isNone(refusal) ? end : REJECTED
  }
}

const byStructure = (ast: SchemaAST.AST): Scan => {
  switch (ast._tag) {
    case "StringKeyword":
      return string
    case "NumberKeyword":
      return integer
    case "BooleanKeyword":
      return anyOf([word("true"), word("false")])
    case "Literal":
      return typeof ast.literal === "bigint" ? nothing : word(JSON.stringify(ast.literal))
    case "Union":
      return anyOf(ast.types.map(fromAst))
    case "Refinement":
      return refinedBy(ast)
    case "TupleType":
      return arrayOf(ast)
    case "TypeLiteral":
      return ast.indexSignatures.length === 0 ? structOf(ast.propertySignatures) : nothing
    default:
      return nothing
  }
}

const keepingPlaces =
  (scan: Scan): Scan =>
  (text, at, found) => {
    const end = scan(text, at, found)
    if (end !== REJECTED) found.items.push(at, end)
    return end
  }

const fromAst = (ast: SchemaAST.AST): Scan => {
  const scan = Option.getOrElse(SchemaAST.getAnnotation<Scan>(ast, OwnScan), () => byStructure(ast))
  return Option.isSome(SchemaAST.getAnnotation(ast, Placed)) ? keepingPlaces(scan) : scan
}

/** The scan of a schema, as a part of another. */
export const of = <A, I>(schema: Schema.Schema<A, I>): Scan => fromAst(schema.ast)

/**
 * Looks over a text, and gives what its dictionaries have; nothing when the text does not pass.
 *
 * INVARIANT: what passes, the parser would take and the schema would decode to itself.
 */
export const make = <A, I>(
  schema: Schema.Schema<A, I>
): ((text: string) => Option.Option<Found>) => {
  const scan = of(schema)
  return (text) => {
    const found = nothingFound()
    const end = scan(text, skipSpace(text, 0), found)
    return end !== REJECTED && skipSpace(text, end) === text.length
      ? Option.some(found)
      : Option.none()
  }
}

/**
 * The same text with the number of its members in the place of each dictionary. For texts whose
 * dictionaries do not hold others.
 */
export const withoutMembers = (text: string, { dictionaries }: Found): string => {
  const parts: Array<string> = []
  let place = 0
  for (let at = 2; at < dictionaries.length; at += 3) {
    parts.push(text.slice(place, dictionaries[at - 2]), String(dictionaries[at]))
    place = dictionaries[at - 1] ?? place
  }
  parts.push(text.slice(place))
  return parts.join("")
}

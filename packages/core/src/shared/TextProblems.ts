/**
 * What is wrong with a JSON text by a schema, found without building its value.
 *
 * For texts that may be large: small parts are parsed and decoded one by one, large ones are looked into, and
 * the search ends with the last problem that is told. What it finds, the schema would refuse; what it does
 * not find, such as a rule about a large part as a whole, is left to the schema. DECISION B-150
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FieldErrors from "./FieldErrors.js"
import * as JsonCursor from "./internal/JsonCursor.js"
import { JsonGlance, REPEATED } from "./JsonGlance.js"
import * as PlainScan from "./PlainScan.js"
import { Problems } from "./Problems.js"

/** Parts of at most this many characters are decoded as a whole. */
const SMALL = 4_096

type Path = ReadonlyArray<PropertyKey>

/** A search through one text. */
interface Search {
  readonly text: string
  readonly prefix: string
  readonly problems: Problems
}

/** A value of the text: where it begins, and the way to it. */
interface Place {
  readonly at: number
  readonly path: Path
}

/** Looks at one large value; gives where that ends, if it has come to know, and how deep problems were. */
type Look = (search: Search, place: Place) => Generator<void, Looked>

interface Looked {
  readonly end: number
  readonly depth: number
}

const DictionaryOf: unique symbol = Symbol.for("@attestry/core/TextProblems/DictionaryOf")

/** Annotation for declared schemas of dictionaries: the schema of each value. */
export const dictionaryOf = (value: SchemaAST.AST) => ({ [DictionaryOf]: value })

const QUOTE = 34
const COMMA = 44
const COLON = 58
const LIST = 91
const LIST_END = 93
const OBJECT = 123
const OBJECT_END = 125

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/** What a refusal shows of a value that is too large to be built. */
const shownOf = ({ text }: Search, { at }: Place): string =>
  FieldErrors.withInput("", text.slice(at, at + SMALL))

/** The least value of the sort that stands at a place. */
const standInAt = (text: string, at: number): unknown => {
  switch (text.charCodeAt(at)) {
    case LIST:
      return []
    case OBJECT:
      return {}
    case QUOTE:
      return ""
    default:
      return 0
  }
}

const lost = (depth: number): Looked => ({ end: JsonCursor.NO_END, depth })

/** Compiles the searches of one schema. */
class Compiler {
  readonly #known = new Map<SchemaAST.AST, Look>()
  readonly #options: SchemaAST.ParseOptions

  constructor(options: SchemaAST.ParseOptions) {
    this.#options = { ...options, errors: "all" }
  }

  /** The search in a value of any size. */
  any(ast: SchemaAST.AST): Look {
    const decode = ParseResult.decodeUnknownEither(Schema.make(ast), this.#options)
    const inLarge = this.#large(ast)
    return function* (search, place) {
      const { text, problems, prefix } = search
      const { at, path } = place
      const end = JsonCursor.endWithin(text, at, SMALL)
      if (end === JsonCursor.NO_END) return yield* inLarge(search, place)
      const part = text.slice(at, end)
      const before = problems.size
      const glance = new JsonGlance(part, path, problems)
      glance.advance(part.length)
      if (glance.isTooDeep || problems.size > before) return { end, depth: path.length + 1 }
      const decoded = Option.map(parse(part), decode)
      // WHY: that a text is no JSON is for the parser to say.
      return Option.isNone(decoded) || Either.isRight(decoded.value)
        ? { end, depth: 0 }
        : { end, depth: FieldErrors.addIssue(problems, decoded.value.left, { prefix, path }) }
    }
  }

  /** The search in what is large: nearly always a list or an object. */
  #large(ast: SchemaAST.AST): Look {
    const known = this.#known.get(ast)
    if (known !== undefined) return known
    // WHY first: a schema that holds itself is asked for while it is made.
    let made: Look | undefined
    this.#known.set(ast, (search, place) => (made ??= this.#make(ast))(search, place))
    return (search, place) => (made ??= this.#make(ast))(search, place)
  }

  #make(ast: SchemaAST.AST): Look {
    // WHY: what is found within does not know that it must not be shown; the schema does.
    if (FieldErrors.isSensitive(ast)) return nothing
    switch (ast._tag) {
      case "TypeLiteral":
        return ast.indexSignatures.length === 0 ? this.#struct(ast) : nothing
      case "TupleType":
        return this.#list(ast, Number.POSITIVE_INFINITY)
      case "Refinement":
        return this.#refined(ast)
      case "Transformation":
        return this.#large(ast.from)
      case "Suspend":
        return this.#large(ast.f())
      case "Union":
        return this.#union(ast)
      case "Declaration": {
        const value = SchemaAST.getAnnotation<SchemaAST.AST>(ast, DictionaryOf)
        return Option.isSome(value) ? this.#dictionary(ast, value.value) : nothing
      }
      case "StringKeyword":
      case "TemplateLiteral":
        return this.#text(ast)
      case "UnknownKeyword":
      case "AnyKeyword":
      case "ObjectKeyword":
        return nothing
      default:
        return this.#mismatch(ast)
    }
  }

  /** The problem of a list or object where the schema has neither, or has the other. */
  #mismatch(ast: SchemaAST.AST): Look {
    const decode = ParseResult.decodeUnknownEither(Schema.make(ast), this.#options)
    // biome-ignore lint/correctness/useYield: it has nothing to pause for
    return function* (search, place) {
      const decoded = decode(standInAt(search.text, place.at))
      if (Either.isRight(decoded)) return lost(0)
      const shown = shownOf(search, place)
      const { problems, prefix } = search
      return lost(FieldErrors.addIssue(problems, decoded.left, { prefix, path: place.path, shown }))
    }
  }

  /** A large text is right for all that is known before it is parsed. */
  #text(ast: SchemaAST.AST): Look {
    const mismatch = this.#mismatch(ast)
    return (search, place) =>
      (search.text.charCodeAt(place.at) === QUOTE ? nothing : mismatch)(search, place)
  }

  #refined(ast: SchemaAST.Refinement): Look {
    const { maxItems }: { readonly maxItems?: unknown } = Option.getOrElse(
      SchemaAST.getJSONSchemaAnnotation(ast),
      () => ({})
    )
    return typeof maxItems === "number" && ast.from._tag === "TupleType"
      ? this.#list(ast.from, maxItems, ast)
      : this.#large(ast.from)
  }

  #union(ast: SchemaAST.Union): Look {
    const members = ast.types
      .filter((type) => type._tag !== "Literal")
      .map((type) => this.any(type))
    const otherwise = this.#mismatch(ast)
    return function* (search, place) {
      if (members.length === 0) return yield* otherwise(search, place)
      let closest: readonly [Problems, Looked] | undefined
      for (const look of members) {
        const problems = new Problems()
        const looked = yield* look({ ...search, problems }, place)
        if (problems.size === 0) return looked
        if (closest === undefined || looked.depth > closest[1].depth) closest = [problems, looked]
      }
      if (closest === undefined) return lost(0)
      search.problems.addAll(closest[0])
      return closest[1]
    }
  }

  #list(ast: SchemaAST.TupleType, itemsMax: number, refinement?: SchemaAST.Refinement): Look {
    const [item, ...more] = ast.rest
    const mismatch = this.#mismatch(ast)
    if (item === undefined || ast.elements.length + more.length > 0) return nothing
    const look = this.any(item.type)
    const scan = PlainScan.of(Schema.make(item.type))
    return function* (search, place) {
      const { text, problems, prefix } = search
      if (text.charCodeAt(place.at) !== LIST) return yield* mismatch(search, place)
      let depth = 0
      let count = 0
      const inItem = function* (at: number): Generator<void, number> {
        const path = [...place.path, count]
        count += 1
        if (count > itemsMax && refinement !== undefined) {
          const issue = tooMany(refinement)
          const shown = shownOf(search, place)
          depth = FieldErrors.addIssue(problems, issue, { prefix, path: place.path, shown })
          return JsonCursor.NO_END
        }
        const plain = scan(text, at, PlainScan.nothingFound())
        if (plain !== PlainScan.GAVE_UP) return plain
        const looked = yield* look(search, { at, path })
        depth = Math.max(depth, looked.depth)
        return problems.isOver || looked.end !== JsonCursor.NO_END
          ? looked.end
          : yield* JsonCursor.endOf(text, at)
      }
      return { end: yield* each(search, place.at, LIST_END, inItem), depth }
    }
  }

  /** Members of an object; `lookOf` gives the search in the value of a name, or none when it is unknown. */
  #members(
    ast: SchemaAST.AST,
    lookOf: (name: string) => Look | undefined,
    atEnd: (names: ReadonlySet<string>, search: Search, path: Path) => number
  ): Look {
    const mismatch = this.#mismatch(ast)
    return function* (search, place) {
      const { text, problems, prefix } = search
      if (text.charCodeAt(place.at) !== OBJECT) return yield* mismatch(search, place)
      let depth = 0
      const names = new Set<string>()
      const inMember = function* (at: number): Generator<void, number> {
        const nameEnd =
          text.charCodeAt(at) === QUOTE ? JsonCursor.endOfString(text, at) : JsonCursor.NO_END
        if (nameEnd === JsonCursor.NO_END) return JsonCursor.NO_END
        const name = parse(text.slice(at, nameEnd))
        const colon = PlainScan.skipSpace(text, nameEnd)
        if (Option.isNone(name) || text.charCodeAt(colon) !== COLON) return JsonCursor.NO_END
        const key = String(name.value)
        const value = { at: PlainScan.skipSpace(text, colon + 1), path: [...place.path, key] }
        const look = names.has(key) ? repeated : (lookOf(key) ?? unexpected)
        names.add(key)
        const looked = yield* look(search, value)
        depth = Math.max(depth, looked.depth)
        return problems.isOver || looked.end !== JsonCursor.NO_END
          ? looked.end
          : yield* JsonCursor.endOf(text, value.at)
      }
      const end = yield* each(search, place.at, OBJECT_END, inMember)
      if (end !== JsonCursor.NO_END)
        depth = Math.max(depth, atEnd(names, { text, problems, prefix }, place.path))
      return { end, depth }
    }
  }

  #struct(ast: SchemaAST.TypeLiteral): Look {
    const own = Option.getOrUndefined(
      SchemaAST.getAnnotation<SchemaAST.ParseOptions>(ast, SchemaAST.ParseOptionsAnnotationId)
    )
    const isClosed = (own ?? this.#options).onExcessProperty === "error"
    const inner = own === undefined ? this : new Compiler({ ...this.#options, ...own })
    const looks = new Map(
      ast.propertySignatures.map(({ name, type }) => [String(name), inner.any(type)])
    )
    const required = ast.propertySignatures.filter(({ isOptional }) => !isOptional)
    return this.#members(
      ast,
      (name) => looks.get(name) ?? (isClosed ? undefined : nothing),
      (names, { problems, prefix }, path) => {
        const missing = required.filter(({ name }) => !names.has(String(name)))
        for (const signature of missing) {
          const issue = new ParseResult.Pointer(
            signature.name,
            undefined,
            new ParseResult.Missing(signature)
          )
          FieldErrors.addIssue(problems, issue, { prefix, path })
        }
        return missing.length === 0 ? 0 : path.length + 1
      }
    )
  }

  #dictionary(ast: SchemaAST.AST, value: SchemaAST.AST): Look {
    const look = this.any(value)
    return this.#members(
      ast,
      () => look,
      () => 0
    )
  }
}

/** The issue of a list that has more items than it may. */
const tooMany = (ast: SchemaAST.Refinement): ParseResult.ParseIssue =>
  new ParseResult.Refinement(ast, [], "Predicate", new ParseResult.Type(ast.from, []))

/** What a large value is told of which nothing is asked. */
// biome-ignore lint/correctness/useYield: it has nothing to pause for
const nothing: Look = function* () {
  return lost(0)
}

/** What the value of a member is told whose name its object has twice. */
// biome-ignore lint/correctness/useYield: it has nothing to pause for
const repeated: Look = function* ({ text, problems, prefix }, { at, path }) {
  problems.add(FieldErrors.fieldOf({ prefix, path }), REPEATED)
  return { end: JsonCursor.endWithin(text, at, SMALL), depth: path.length }
}

/** What the value of a member is told that nobody asked for. */
// biome-ignore lint/correctness/useYield: it has nothing to pause for
const unexpected: Look = function* (search, place) {
  const { text, problems, prefix } = search
  const { at, path } = place
  const end = JsonCursor.endWithin(text, at, SMALL)
  const value = end === JsonCursor.NO_END ? Option.none() : parse(text.slice(at, end))
  const issue = new ParseResult.Unexpected(Option.getOrUndefined(value))
  const shown = Option.isSome(value) ? undefined : shownOf(search, place)
  return { end, depth: FieldErrors.addIssue(problems, issue, { prefix, path, shown }) }
}

/** Goes through what stands between two brackets; gives the place after the last, if it was found. */
function* each(
  { text, problems }: Search,
  open: number,
  close: number,
  inEntry: (at: number) => Generator<void, number>
): Generator<void, number> {
  let place = PlainScan.skipSpace(text, open + 1)
  if (text.charCodeAt(place) === close) return place + 1
  while (true) {
    const end = yield* inEntry(place)
    if (end === JsonCursor.NO_END || problems.isOver) return JsonCursor.NO_END
    place = PlainScan.skipSpace(text, end)
    const code = text.charCodeAt(place)
    if (code === close) return place + 1
    if (code !== COMMA) return JsonCursor.NO_END
    place = PlainScan.skipSpace(text, place + 1)
    yield
  }
}

/** Looks for what is wrong with a text; pauses after each small step, and tells what it has found. */
export type Find = (text: string, prefix?: string) => Generator<void, Problems>

/** The search for what a schema would refuse. */
export const make = <A, I>(
  schema: Schema.Schema<A, I>,
  options: SchemaAST.ParseOptions = {}
): Find => {
  let look: Look | undefined
  return function* (text, prefix = "") {
    look ??= new Compiler(options).any(schema.ast)
    const problems = new Problems()
    yield* look({ text, prefix, problems }, { at: PlainScan.skipSpace(text, 0), path: [] })
    return problems
  }
}

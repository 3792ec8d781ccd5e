/**
 * Finds the problems of a JSON text under a schema without building its value.
 *
 * For large texts: small parts are parsed and decoded one by one, large ones are searched, and the search ends
 * at the limit of problems. The schema would refuse every problem that is found; problems that are not found,
 * such as a rule about a large part as a whole, are left to the schema.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as FieldErrors from "./FieldErrors.js"
import * as JsonCursor from "./internal/JsonCursor.js"
import * as JsonScanner from "./internal/JsonScanner.js"
import {
  each,
  LIST,
  lost,
  nothing,
  OBJECT,
  type Path,
  parse,
  QUOTE,
  repeated,
  type Search,
  SMALL,
  type Step,
  type StepResult,
  shownOf,
  standInAt,
  unexpected
} from "./internal/TextSearch.js"
import { JsonPrecheck } from "./JsonPrecheck.js"
import { Problems } from "./Problems.js"

const DictionaryOf: unique symbol = Symbol.for("@attestry/core/TextProblems/DictionaryOf")

/** Annotation for declared schemas of dictionaries: the schema of each value. */
export const dictionaryOf = (value: SchemaAST.AST) => ({ [DictionaryOf]: value })

/** The schema of each value of a dictionary; none for any other schema. */
export const dictionaryValue = (ast: SchemaAST.AST): Option.Option<SchemaAST.AST> =>
  SchemaAST.getAnnotation<SchemaAST.AST>(ast, DictionaryOf)

/** Compiles the searches of one schema. */
class Compiler {
  readonly #known = new Map<SchemaAST.AST, Step>()
  readonly #options: SchemaAST.ParseOptions

  constructor(options: SchemaAST.ParseOptions) {
    this.#options = { ...options, errors: "all" }
  }

  /** The search of a value of any size. */
  any(ast: SchemaAST.AST): Step {
    const decode = ParseResult.decodeUnknownEither(Schema.make(ast), this.#options)
    const inLarge = this.#large(ast)
    return function* (search, place) {
      const { text, problems, prefix } = search
      const { at, path } = place
      const end = JsonCursor.endWithin(text, at, search.small)
      if (end === JsonCursor.NO_END) return yield* inLarge(search, place)
      const part = text.slice(at, end)
      const before = problems.size
      const precheck = new JsonPrecheck(part, path, problems)
      precheck.advance(part.length)
      if (precheck.isTooDeep || problems.size > before) return { end, depth: path.length + 1 }
      const decoded = Option.map(parse(part), decode)
      // WHY: the parser reports that a text is not JSON.
      return Option.isNone(decoded) || Either.isRight(decoded.value)
        ? { end, depth: 0 }
        : { end, depth: FieldErrors.addIssue(problems, decoded.value.left, { prefix, path }) }
    }
  }

  /** The search of a large value: a list, an object, or a text. */
  #large(ast: SchemaAST.AST): Step {
    const known = this.#known.get(ast)
    if (known !== undefined) return known
    let made: Step | undefined
    // WHY lazy: a schema may contain itself.
    const step: Step = (search, place) => {
      made ??= this.#make(ast)
      return made(search, place)
    }
    this.#known.set(ast, step)
    return step
  }

  #make(ast: SchemaAST.AST): Step {
    // WHY: problems inside do not show that the value is sensitive; the schema does.
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
        const value = dictionaryValue(ast)
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

  /** The problem of a list or object where the schema has neither, or the other. */
  #mismatch(ast: SchemaAST.AST): Step {
    const decode = ParseResult.decodeUnknownEither(Schema.make(ast), this.#options)
    return function* (search, place) {
      yield
      const decoded = decode(standInAt(search.text, place.at))
      if (Either.isRight(decoded)) return lost(0)
      const shown = shownOf(search, place)
      const { problems, prefix } = search
      return lost(FieldErrors.addIssue(problems, decoded.left, { prefix, path: place.path, shown }))
    }
  }

  /** A large text has no problem that is known before it is parsed. */
  #text(ast: SchemaAST.AST): Step {
    const mismatch = this.#mismatch(ast)
    return (search, place) =>
      (search.text.charCodeAt(place.at) === QUOTE ? nothing : mismatch)(search, place)
  }

  #refined(ast: SchemaAST.Refinement): Step {
    const { maxItems }: { readonly maxItems?: unknown } = Option.getOrElse(
      SchemaAST.getJSONSchemaAnnotation(ast),
      () => ({})
    )
    return typeof maxItems === "number" && ast.from._tag === "TupleType"
      ? this.#list(ast.from, maxItems, ast)
      : this.#large(ast.from)
  }

  #union(ast: SchemaAST.Union): Step {
    const members = ast.types
      .filter((type) => type._tag !== "Literal")
      .map((type) => this.any(type))
    const otherwise = this.#mismatch(ast)
    return function* (search, place) {
      if (members.length === 0) return yield* otherwise(search, place)
      let closest: readonly [Problems, StepResult] | undefined
      for (const step of members) {
        const problems = new Problems()
        const looked = yield* step({ ...search, problems }, place)
        if (problems.size === 0) return looked
        const isCloser =
          closest === undefined ||
          FieldErrors.isCloser([looked.depth, problems.size], [closest[1].depth, closest[0].size])
        if (isCloser) closest = [problems, looked]
      }
      if (closest === undefined) return lost(0)
      search.problems.addAll(closest[0])
      return closest[1]
    }
  }

  #list(ast: SchemaAST.TupleType, itemsMax: number, refinement?: SchemaAST.Refinement): Step {
    const [item, ...more] = ast.rest
    const mismatch = this.#mismatch(ast)
    if (item === undefined || ast.elements.length + more.length > 0) return nothing
    const step = this.any(item.type)
    const scan = JsonScanner.of(Schema.make(item.type))
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
        const plain = scan(text, at, JsonScanner.nothingFound())
        if (plain !== JsonScanner.REJECTED) return plain
        const looked = yield* step(search, { at, path })
        depth = Math.max(depth, looked.depth)
        return problems.isOver || looked.end !== JsonCursor.NO_END
          ? looked.end
          : yield* JsonCursor.endOf(text, at)
      }
      return { end: yield* each(search, place.at, inItem), depth }
    }
  }

  /** The members of an object; `stepOf` returns the search of a member's value, or undefined for an unknown name. */
  #members(
    ast: SchemaAST.AST,
    stepOf: (name: string) => Step | undefined,
    atEnd: (names: ReadonlySet<string>, search: Search, path: Path) => number
  ): Step {
    const mismatch = this.#mismatch(ast)
    return function* (search, place) {
      const { text, problems } = search
      if (text.charCodeAt(place.at) !== OBJECT) return yield* mismatch(search, place)
      let depth = 0
      const names = new Set<string>()
      const inMember = function* (at: number): Generator<void, number> {
        const nameEnd =
          text.charCodeAt(at) === QUOTE ? JsonCursor.endOfString(text, at) : JsonCursor.NO_END
        if (nameEnd === JsonCursor.NO_END) return JsonCursor.NO_END
        const name = parse(text.slice(at, nameEnd))
        const colon = yield* JsonCursor.overSpace(text, nameEnd)
        if (Option.isNone(name) || text[colon] !== ":") return JsonCursor.NO_END
        const key = String(name.value)
        const value = {
          at: yield* JsonCursor.overSpace(text, colon + 1),
          path: [...place.path, key]
        }
        const step = names.has(key) ? repeated : (stepOf(key) ?? unexpected)
        names.add(key)
        const looked = yield* step(search, value)
        depth = Math.max(depth, looked.depth)
        return problems.isOver || looked.end !== JsonCursor.NO_END
          ? looked.end
          : yield* JsonCursor.endOf(text, value.at)
      }
      const end = yield* each(search, place.at, inMember)
      if (end !== JsonCursor.NO_END) depth = Math.max(depth, atEnd(names, search, place.path))
      return { end, depth }
    }
  }

  #struct(ast: SchemaAST.TypeLiteral): Step {
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

  #dictionary(ast: SchemaAST.AST, value: SchemaAST.AST): Step {
    const step = this.any(value)
    return this.#members(
      ast,
      () => step,
      () => 0
    )
  }
}

/** The issue of a list with too many items. */
const tooMany = (ast: SchemaAST.Refinement): ParseResult.ParseIssue =>
  new ParseResult.Refinement(ast, [], "Predicate", new ParseResult.Type(ast.from, []))

/** Searches a text for problems; yields after each small step, and returns the problems. */
export type Find = (text: string, prefix?: string) => Generator<void, Problems>

/** The search for problems under a schema; parts of at most `small` characters are decoded as a whole. */
export const make = <A, I>(
  schema: Schema.Schema<A, I>,
  options: SchemaAST.ParseOptions = {},
  small = SMALL
): Find => {
  let step: Step | undefined
  return function* (text, prefix = "") {
    step ??= new Compiler(options).any(schema.ast)
    const problems = new Problems()
    yield* step(
      { text, prefix, problems, small },
      { at: yield* JsonCursor.overSpace(text, 0), path: [] }
    )
    return problems
  }
}

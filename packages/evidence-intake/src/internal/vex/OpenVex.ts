/** OpenVEX 0.2, as a file and as a predicate of in-toto. */
import type { VexStatement } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject, PredicateReader } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { ReadContent } from "../ReadContent.js"
import * as VexStatements from "./VexStatements.js"

const NAME = "openvex"
const CONTEXT = "https://openvex.dev/ns"

/** The ends of contexts that are read; the bare one is that of files without a version. */
const VERSION = /^(?:\/v(0\.2(?:\.\d{1,3})?))?$/
const SHOWN = /^\/v(\d{1,3}(?:\.\d{1,3}){0,2})$/

const STATUSES: ReadonlyArray<VexStatement["status"]> = [
  "not_affected",
  "affected",
  "fixed",
  "under_investigation"
]

const contextOf = (value: JsonObject): string | null => Members.text(value, "@context")

const versionOf = (value: JsonObject): Either.Either<string | null, EvidenceProblem> => {
  const end = contextOf(value)?.slice(CONTEXT.length) ?? ""
  const match = VERSION.exec(end)
  if (match !== null) return Either.right(match[1] ?? null)
  const shown = SHOWN.exec(end)
  return Either.left(
    Problem.unreadable(
      `This looks like OpenVEX${shown === null ? "" : ` ${shown[1]}`}, which is not read yet; 0.2 is`
    )
  )
}

/** The name of a vulnerability, which earlier files have as a text. */
const vulnerabilityOf = (statement: JsonObject): string | null => {
  const named = Members.object(statement, "vulnerability")
  return (
    Members.text(statement, "vulnerability") ??
    Members.text(named, "name") ??
    Members.text(named, "@id")
  )
}

/** The texts that identify a product or a component of one. */
const identifiersOf = (written: unknown): ReadonlyArray<unknown> =>
  Members.isObject(written) ? VexStatements.identifiersOf(written) : [written]

/** The purls of the components that a product or a statement names; null for all components. */
const subcomponentsOf = (
  parent: JsonObject
): Either.Either<ReadonlyArray<string> | null, EvidenceProblem> => {
  const written = Members.of(parent, "subcomponents") ?? []
  if (Array.isArray(written) && written.length === 0) return Either.right(null)
  // A component that no purl identifies is not found in a scan, so that the statement takes nothing away.
  return VexStatements.purlsOf(Array.isArray(written) ? written.flatMap(identifiersOf) : [])
}

/** What a statement is about: products, each with the purls of its components, or with null as a whole. */
const productsOf = (
  statement: JsonObject
): Either.Either<ReadonlyMap<string, ReadonlyArray<string> | null>, EvidenceProblem> =>
  Either.gen(function* () {
    const ofAll = yield* subcomponentsOf(statement)
    const found = new Map<string, ReadonlyArray<string> | null>()
    for (const product of Members.list(statement, "products")) {
      const own = Members.isObject(product) ? yield* subcomponentsOf(product) : null
      const components = own ?? ofAll
      for (const id of yield* VexStatements.productsOf(identifiersOf(product))) {
        const known = found.get(id)
        const isWhole = components === null || known === null
        found.set(id, isWhole ? null : [...new Set([...(known ?? []), ...components])])
      }
    }
    return found
  })

function* statementsOf(value: JsonObject): Generator<Either.Either<VexStatement, EvidenceProblem>> {
  const createdAt = Members.instant(value, "timestamp")
  for (const [index, statement] of Members.list(value, "statements").entries()) {
    const at = `statements[${index}]`
    const problem = (rule: string) => Either.left(Problem.unreadable(`${at}${rule}`))
    if (!Members.isObject(statement)) return yield problem(" is not an object")
    const vulnerability = vulnerabilityOf(statement)
    if (vulnerability === null) return yield problem(".vulnerability has no name")
    const status = STATUSES.find((each) => each === Members.of(statement, "status"))
    if (status === undefined) return yield problem(".status is none of OpenVEX")
    const products = productsOf(statement)
    if (Either.isLeft(products)) return yield Either.left(Problem.within(at)(products.left))
    for (const [product, subcomponents] of products.right)
      yield Either.right({
        vulnerability,
        product,
        ...(subcomponents === null ? {} : { subcomponents }),
        status,
        justification:
          Members.text(statement, "justification") ?? Members.text(statement, "impact_statement"),
        at:
          Members.instant(statement, "last_updated") ??
          Members.instant(statement, "timestamp") ??
          Members.instant(value, "last_updated") ??
          createdAt
      })
  }
}

const read = (value: JsonObject): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const version = yield* versionOf(value)
    if (!Array.isArray(Members.of(value, "statements")))
      return yield* Either.left(Problem.unreadable("statements is not a list"))
    const statements = yield* VexStatements.collect(statementsOf(value))
    const tooling = Members.text(value, "tooling")
    return VexStatements.contentOf(
      {
        format: { name: NAME, version },
        tool: tooling === null ? null : { name: tooling, version: null },
        created_at: Members.instant(value, "timestamp")
      },
      statements
    )
  })

/** The formats of OpenVEX. */
export const FORMATS: ReadonlyArray<JsonFormat> = [
  {
    rule: 7,
    name: NAME,
    isFormat: (input) => Members.isObject(input) && contextOf(input)?.startsWith(CONTEXT) === true,
    read: (input) =>
      Members.isObject(input)
        ? read(input)
        : Either.left(Problem.unreadable("OpenVEX is not an object"))
  }
]

/** The readers of predicates that are OpenVEX. */
export const PREDICATES: ReadonlyArray<PredicateReader> = [
  { isPredicate: (type) => type.startsWith(CONTEXT), read }
]

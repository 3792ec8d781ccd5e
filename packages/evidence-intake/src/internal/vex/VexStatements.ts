/** Collects statements of VEX: one for each vulnerability and identifier of a product, up to a limit. */
import { STATEMENTS_LISTED_MAX, type VexStatement } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Purl from "../../Purl.js"
import type { JsonObject } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { KindFacts, ReadContent } from "../ReadContent.js"

/** The most statements of a file. */
export const STATEMENTS_MAX = 50_000

/** The most subcomponents of the products of a file. */
export const SUBCOMPONENTS_MAX = 200_000

const PURL = "pkg:"
const SHA256 = /^[0-9a-f]{64}$/i

/** The normalised purl of a text; null for any other value. */
const purlOf = (written: unknown): Either.Either<string | null, EvidenceProblem> => {
  if (typeof written !== "string" || !written.startsWith(PURL)) return Either.right(null)
  return Either.match(Purl.parse(written), {
    onLeft: (problem) =>
      problem === "too_long"
        ? Either.left(Problem.unreadable(`a purl has more than ${Purl.CHARACTERS_MAX} characters`))
        : Either.right(null),
    onRight: ({ purl }) => Either.right(purl)
  })
}

/** The product that a text identifies, if it is a purl or a SHA-256. */
export const productOf = (written: unknown): Either.Either<string | null, EvidenceProblem> => {
  if (typeof written === "string" && SHA256.test(written))
    return Either.right(written.toLowerCase())
  return purlOf(written)
}

const known = (found: ReadonlyArray<string | null>): ReadonlyArray<string> => [
  ...new Set(found.filter((each) => each !== null))
]

/** The products that texts identify, each once. */
export const productsOf = (
  written: ReadonlyArray<unknown>
): Either.Either<ReadonlyArray<string>, EvidenceProblem> =>
  Either.map(Either.all(written.map(productOf)), known)

/** The purls that texts are, each once. */
export const purlsOf = (
  written: ReadonlyArray<unknown>
): Either.Either<ReadonlyArray<string>, EvidenceProblem> =>
  Either.map(Either.all(written.map(purlOf)), known)

/** The statements of a file, or the problem that there are too many. */
export const collect = (
  statements: Iterable<Either.Either<VexStatement, EvidenceProblem>>
): Either.Either<ReadonlyArray<VexStatement>, EvidenceProblem> => {
  const found: Array<VexStatement> = []
  let subcomponents = 0
  for (const statement of statements) {
    if (Either.isLeft(statement)) return Either.left(statement.left)
    if (found.length === STATEMENTS_MAX)
      return Either.left(Problem.unreadable(`there are more than ${STATEMENTS_MAX} statements`))
    subcomponents += statement.right.subcomponents?.length ?? 0
    if (subcomponents > SUBCOMPONENTS_MAX)
      return Either.left(
        Problem.unreadable(`there are more than ${SUBCOMPONENTS_MAX} subcomponents of products`)
      )
    found.push(statement.right)
  }
  return Either.right(found)
}

/** The content of a file of VEX. */
export const contentOf = (
  common: Pick<KindFacts, "format" | "tool" | "created_at">,
  statements: ReadonlyArray<VexStatement>
): ReadContent => ({
  facts: {
    ...common,
    kind: "vex",
    statements: statements.slice(0, STATEMENTS_LISTED_MAX),
    statement_count: statements.length,
    truncated: statements.length > STATEMENTS_LISTED_MAX ? ["statements"] : []
  },
  statements,
  subjects: []
})

/** The texts that identify a product in members of the names of OpenVEX. */
export const identifiersOf = (product: JsonObject): ReadonlyArray<unknown> => [
  Members.of(product, "@id"),
  Members.of(Members.object(product, "identifiers"), "purl"),
  Members.of(Members.object(product, "hashes"), "sha-256")
]

/**
 * Statements of in-toto 1 and 0.1: subjects, and a predicate that a reader of its type reads. A predicate without a
 * reader makes a document of the kind `statement`.
 */

import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { PREDICATE_BYTES_MAX } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject, PredicateReader } from "../Format.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { ReadContent } from "../ReadContent.js"
import type { ReadDocument } from "../ReadDocument.js"
import * as Sha256 from "../Sha256.js"
import * as Subjects from "./Subjects.js"

/** The name of the format in facts and messages. */
export const NAME = "in-toto-statement"

const PREFIX = "https://in-toto.io/Statement/"

/** The versions that are read, by the end of `_type`. */
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ["v1", "1"],
  ["v0.1", "0.1"]
])

const VERSION = /^v(?:\d{1,3}\.){0,2}\d{1,3}$/

/** Whether an object is a statement, of any version. */
export const isStatement = (value: JsonObject): boolean =>
  Members.text(value, "_type")?.startsWith(PREFIX) === true

const versionOf = (value: JsonObject): Either.Either<string, EvidenceProblem> => {
  const written = Members.text(value, "_type")?.slice(PREFIX.length) ?? ""
  const version = VERSIONS.get(written)
  if (version !== undefined) return Either.right(version)
  const shown = VERSION.test(written) ? ` ${written}` : ""
  return Either.left(
    Problem.unreadable(
      `This looks like an in-toto statement${shown}, which is not read yet; v0.1 and v1 are`
    )
  )
}

const readOther = (type: string, predicate: JsonObject): ReadContent => {
  const size = Buffer.byteLength(CanonicalJson.print(predicate))
  return {
    facts: {
      kind: "statement",
      format: { name: NAME, version: null },
      tool: null,
      created_at: null,
      truncated: [],
      predicate_type: type,
      predicate: size < PREDICATE_BYTES_MAX ? predicate : null,
      predicate_sha256: Sha256.ofJson(predicate)
    },
    subjects: []
  }
}

const readPredicate = (
  predicates: ReadonlyArray<PredicateReader>,
  type: string,
  value: unknown
): Either.Either<ReadContent, EvidenceProblem> => {
  const predicate = value ?? {}
  if (!Members.isObject(predicate))
    return Either.left(Problem.unreadable("predicate is not an object"))
  const reader = predicates.find(({ isPredicate }) => isPredicate(type))
  return reader === undefined
    ? Either.right(readOther(type, predicate))
    : Either.mapLeft(reader.read(predicate), Problem.within("predicate"))
}

/** Reads a statement; its subjects replace those that the predicate names. */
export const read = (
  predicates: ReadonlyArray<PredicateReader>,
  value: JsonObject
): Either.Either<ReadDocument, EvidenceProblem> =>
  Either.gen(function* () {
    const version = yield* versionOf(value)
    const subjects = yield* Subjects.read(Members.of(value, "subject"))
    const predicateType = Members.text(value, "predicateType")
    if (predicateType === null)
      return yield* Either.left(Problem.unreadable("predicateType is not a text"))
    const content = yield* readPredicate(predicates, predicateType, Members.of(value, "predicate"))
    const facts = { ...content.facts, format: { name: NAME, version } }
    return { content: { ...content, facts, subjects }, signed: { kind: "none" }, predicateType }
  })

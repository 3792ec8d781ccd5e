/**
 * The subjects of a document: each once, at most `SUBJECTS_MAX`. Digests are kept by algorithm in maps without
 * prototype; hexadecimal ones in lower case.
 */
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { SUBJECTS_MAX, type Subject } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"

/** The most digests of one subject. */
export const DIGESTS_MAX = 32

const HEXADECIMAL = /^[0-9a-f]+$/i
const SHA256 = /^[0-9a-f]{64}$/

const TOO_MANY = Problem.unreadable(`the document has more than ${SUBJECTS_MAX} subjects`)

const normal = (digest: string): string =>
  HEXADECIMAL.test(digest) ? digest.toLowerCase() : digest

/** Subjects, each once, in the order of their first occurrence. */
export const distinct = (
  subjects: Iterable<Either.Either<Subject, EvidenceProblem>>
): Either.Either<ReadonlyArray<Subject>, EvidenceProblem> => {
  const found = new Map<string, Subject>()
  for (const subject of subjects) {
    if (Either.isLeft(subject)) return Either.left(subject.left)
    const { name, digest } = subject.right
    found.set(CanonicalJson.print([name, digest]), subject.right)
    if (found.size > SUBJECTS_MAX) return Either.left(TOO_MANY)
  }
  return Either.right([...found.values()])
}

const readDigest = (
  digest: unknown,
  at: string
): Either.Either<Subject["digest"], EvidenceProblem> => {
  if (!Members.isObject(digest)) return Either.left(Problem.unreadable(`${at} is not an object`))
  const entries = Object.entries(digest)
  if (entries.length === 0) return Either.left(Problem.unreadable(`${at} is empty`))
  if (entries.length > DIGESTS_MAX)
    return Either.left(Problem.unreadable(`${at} has more than ${DIGESTS_MAX} digests`))
  const digests: Array<readonly [string, string]> = []
  for (const [algorithm, value] of entries) {
    if (typeof value !== "string" || value === "")
      return Either.left(Problem.unreadable(`${at} has a digest that is not a text`))
    if (algorithm === "sha256" && !SHA256.test(normal(value)))
      return Either.left(Problem.unreadable(`${at}.sha256 is not 64 hexadecimal digits`))
    digests.push([algorithm, normal(value)])
  }
  return Either.right(Members.dictionary(digests))
}

const readSubject = (value: unknown, at: string): Either.Either<Subject, EvidenceProblem> => {
  if (!Members.isObject(value)) return Either.left(Problem.unreadable(`${at} is not an object`))
  if (Members.has(value, "name") && typeof Members.of(value, "name") !== "string")
    return Either.left(Problem.unreadable(`${at}.name is not a text`))
  return Either.map(readDigest(Members.of(value, "digest"), `${at}.digest`), (digest) => ({
    name: Members.text(value, "name"),
    digest
  }))
}

function* each(list: ReadonlyArray<unknown>): Generator<Either.Either<Subject, EvidenceProblem>> {
  for (const [index, value] of list.entries()) yield readSubject(value, `subject[${index}]`)
}

/** The subjects of a statement, which has at least one. */
export const read = (list: unknown): Either.Either<ReadonlyArray<Subject>, EvidenceProblem> => {
  if (!Array.isArray(list)) return Either.left(Problem.unreadable("subject is not a list"))
  return list.length === 0
    ? Either.left(Problem.unreadable("subject is empty"))
    : distinct(each(list))
}

/** Reads the predicate of in-toto about results of tests. Tests that passed with warnings count as `other`. */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as TestsContent from "./TestsContent.js"

const TYPE = "https://in-toto.io/attestation/test-result/v0.1"
const RESULTS: ReadonlySet<unknown> = new Set(["PASSED", "WARNED", "FAILED"])

/** The names of a list of tests, which is empty where it is absent or null. */
const namesOf = (
  predicate: JsonObject,
  name: string
): Either.Either<ReadonlyArray<string>, EvidenceProblem> => {
  const given = Fields.member(predicate, name) ?? []
  return Array.isArray(given) && given.every((each) => typeof each === "string")
    ? Either.right(given)
    : Either.left(Fields.unreadable(`\`${name}\` is not a list of texts`))
}

const read = (predicate: JsonObject): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const result = Fields.member(predicate, "result")
    if (!RESULTS.has(result))
      return yield* Either.left(Fields.unreadable("`result` is not PASSED, WARNED or FAILED"))
    const passed = yield* namesOf(predicate, "passedTests")
    const warned = yield* namesOf(predicate, "warnedTests")
    const listed = yield* namesOf(predicate, "failedTests")
    // WHY: a failure that only the result shows counts, as one of a suite's total does.
    const failed = Math.max(listed.length, result === "FAILED" ? 1 : 0)
    return yield* TestsContent.make({
      kind: "tests",
      format: { name: "in-toto test result", version: null },
      tool: null,
      createdAt: null,
      duration: null,
      total: passed.length + warned.length + failed,
      failed,
      skipped: 0,
      other: warned.length,
      flaky: 0,
      failedNames: listed.map(Fields.storable)
    })
  })

/** The predicate about results of tests. */
export const reader = { isPredicate: (type: string): boolean => type === TYPE, read }

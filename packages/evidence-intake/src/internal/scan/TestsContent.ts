/** Builds the content of results of tests from the counts of their format. */
import { FAILED_LISTED_MAX } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as Listing from "./Listing.js"

/** The most tests of a file. */
export const TESTS_MAX = 500_000

/** The results of tests, as a format gives them; those that are left passed. */
export interface TestsReading {
  readonly kind: "tests" | "junit"
  readonly format: { readonly name: string; readonly version: string | null }
  readonly tool: { readonly name: string; readonly version: string | null } | null
  readonly createdAt: number | null
  readonly duration: number | null
  readonly total: number
  readonly failed: number
  readonly skipped: number
  readonly other: number
  readonly flaky: number
  /** The names of the first failed tests. */
  readonly failedNames: ReadonlyArray<string>
}

/** The content of results of tests. */
export const make = (reading: TestsReading): Either.Either<ReadContent, EvidenceProblem> => {
  const { kind, format, tool, createdAt, duration, total } = reading
  const { failed, skipped, other, flaky } = reading
  if ([total, failed, skipped, other, flaky].some((count) => !(count <= TESTS_MAX)))
    return Either.left(Fields.tooLarge(`it has more than ${TESTS_MAX} tests`))
  const { listed, truncated } = Listing.cut("failed", reading.failedNames, {
    max: FAILED_LISTED_MAX,
    total: reading.failedNames.length
  })
  const passed = Math.max(0, total - failed - skipped - other)
  const facts = {
    kind,
    format,
    tool,
    created_at: createdAt,
    truncated,
    tests: { total, passed, failed, skipped, other, flaky },
    duration,
    failed: listed
  }
  return Either.right({ facts, subjects: [] })
}

/**
 * Reads results of tests in CTRF. Tests are counted; a count of the summary that is worse counts instead.
 */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as Instants from "./Instants.js"
import * as TestsContent from "./TestsContent.js"

type Outcome = "passed" | "failed" | "skipped" | "other"

/** The outcomes of statuses; a status that the format does not have is a failure. */
const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map([
  ["passed", "passed"],
  ["failed", "failed"],
  ["skipped", "skipped"],
  ["pending", "skipped"],
  ["other", "other"]
])

const outcomeOf = (test: JsonObject): Outcome =>
  OUTCOMES.get(Fields.member(test, "status")) ?? "failed"

const nameOf = (test: JsonObject): string => Fields.text(Fields.member(test, "name")) ?? ""

/** When the run ended, and how long it took; from its instants in milliseconds, else from its tests. */
const timesOf = (summary: unknown, tests: ReadonlyArray<JsonObject>) => {
  const start = Fields.count(Fields.member(summary, "start")) ?? 0
  const stop = Fields.count(Fields.member(summary, "stop")) ?? 0
  const durations = tests.map((test) => Fields.member(test, "duration"))
  const millis =
    start > 0 && stop >= start
      ? stop - start
      : durations.reduce<number>((sum, each) => sum + (Fields.seconds(each) ?? 0), 0)
  return { stop, duration: Fields.seconds(millis / 1_000) }
}

const read = (input: JsonObject): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const results = Fields.member(input, "results")
    const summary = Fields.member(results, "summary")
    const tests = yield* Fields.list(Fields.member(results, "tests"), "results.tests")
    const counts = { passed: 0, failed: 0, skipped: 0, other: 0 }
    for (const test of tests) counts[outcomeOf(test)] += 1
    const flaky = tests.filter((test) => Fields.member(test, "flaky") === true).length
    const stated = (name: string) =>
      Fields.counted(Fields.member(summary, name), `results.summary.${name}`)
    const pending = yield* stated("pending")
    const { stop, duration } = timesOf(summary, tests)
    return yield* TestsContent.make({
      kind: "tests",
      format: { name: "CTRF", version: Fields.text(Fields.member(input, "specVersion")) },
      tool: Fields.named(Fields.at(results, "tool", "name"), Fields.at(results, "tool", "version")),
      createdAt: Instants.fromText(Fields.member(input, "timestamp")) ?? Instants.fromEpoch(stop),
      duration,
      total: Math.max(tests.length, yield* stated("tests")),
      failed: Math.max(counts.failed, yield* stated("failed")),
      skipped: Math.max(counts.skipped, (yield* stated("skipped")) + pending),
      other: Math.max(counts.other, yield* stated("other")),
      flaky: Math.max(flaky, yield* stated("flaky")),
      failedNames: tests.filter((test) => outcomeOf(test) === "failed").map(nameOf)
    })
  })

const isReport = (input: unknown): boolean => {
  const results = Fields.member(input, "results")
  return (
    Fields.member(input, "reportFormat") === "CTRF" ||
    (Fields.member(results, "tool") !== undefined &&
      Fields.member(results, "summary") !== undefined &&
      Fields.member(results, "tests") !== undefined)
  )
}

/** CTRF. */
export const format: JsonFormat = {
  rule: 9,
  name: "CTRF",
  isFormat: isReport,
  read: (input) => read(Fields.object(input))
}

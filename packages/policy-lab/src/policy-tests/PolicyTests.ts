/**
 * Unit tests of policies, written in YAML: facts, and the expected decision about them.
 *
 * `parse` reads a file of tests or reports all its problems; `run` plays them. The API, the command line and test
 * frameworks use the same two functions.
 */

import * as DocumentProblem from "@attestry/core/DocumentProblem"
import type { FieldErrors } from "@attestry/core/FieldErrors"
import type { Path, PolicyDocument } from "@attestry/core/PolicyDocument"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import * as PolicyExplanation from "@attestry/core/PolicyExplanation"
import { PolicyReason } from "@attestry/core/PolicyReason"
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as PolicyTestsReader from "./internal/PolicyTestsReader.js"

/** One test, and the reasons that it expects. */
export type { ExpectedReason, PolicyTest } from "./internal/PolicyTestsReader.js"
/** The most tests of one file. */
export { TESTS_MAX } from "./internal/PolicyTestsReader.js"

/** A file of tests. */
export interface PolicyTests {
  /** The policy that the tests are for; null when it is given beside them. */
  readonly policy: string | null
  readonly tests: ReadonlyArray<PolicyTestsReader.PolicyTest & { readonly line: number }>
}

/** A text that is no file of tests. */
export class InvalidPolicyTests extends Schema.TaggedError<InvalidPolicyTests>()(
  "InvalidPolicyTests",
  { problems: Schema.NonEmptyArray(DocumentProblem.DocumentProblem) }
) {
  override get message(): string {
    const [{ column, line, message }, ...others] = this.problems
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `invalid tests: line ${line}, column ${column}: ${message}${more}`
  }
}

/** The path of a problem of the whole text. */
export const ROOT_PATH = "tests_yaml"

/** The problems keyed by path. */
export const fieldErrors = ({ problems }: InvalidPolicyTests): FieldErrors =>
  DocumentProblem.fieldErrors(problems)

const refused = (
  problems: ReadonlyArray<DocumentProblem.DocumentProblem>
): InvalidPolicyTests | undefined => {
  const [first, ...others] = problems
  return first && new InvalidPolicyTests({ problems: [first, ...others] })
}

const read = ({
  positionOf,
  value
}: YamlText.YamlDocument): Either.Either<PolicyTests, InvalidPolicyTests> => {
  const problems: Array<DocumentProblem.DocumentProblem> = []
  const report = (path: Path, message: string): void => {
    // WHY one more than the limit: it shows that there are more.
    if (problems.length <= YamlText.PROBLEMS_MAX)
      problems.push({ path: path.join(".") || ROOT_PATH, ...positionOf(path), message })
  }
  const { policy, tests } = PolicyTestsReader.read(value, report)
  problems.sort((left, right) => left.line - right.line || left.column - right.column)
  const error = refused(problems)
  return error === undefined
    ? Either.right({
        policy,
        tests: tests.map((test, index) => ({ ...test, line: positionOf(["tests", index]).line }))
      })
    : Either.left(error)
}

/** Parses a file of tests, or reports all its problems. */
export const parse = (text: string): Either.Either<PolicyTests, InvalidPolicyTests> =>
  Either.flatMap(
    Either.mapLeft(YamlText.parse(text), ({ problems: [first, ...others] }) => {
      const placed = (problem: YamlText.YamlProblem) => ({ path: ROOT_PATH, ...problem })
      return new InvalidPolicyTests({ problems: [placed(first), ...others.map(placed)] })
    }),
    read
  )

const Outcome = Schema.Literal("COMPLIANT", "NON-COMPLIANT")

/** The result of one test. */
export const TestResult = Schema.Struct({
  name: Schema.String,
  /** The line of the test in its file. */
  line: Schema.Int,
  passed: Schema.Boolean,
  expected: Outcome,
  found: Outcome,
  /** The reasons of the policy; empty when it accepts. */
  reasons: Schema.Array(PolicyReason),
  /** The decision of the policy, and its differences from the expected one. */
  explanation: Schema.String
}).annotations({ identifier: "PolicyTestResult" })
/** The result of one test. */
export type TestResult = typeof TestResult.Type

/** How often the tests made a rule apply, pass and fail. */
export const RuleCoverage = Schema.Struct({
  rule_index: Schema.Int,
  /** What the rule asks. */
  rule: Schema.String,
  applied: Schema.Int,
  passed: Schema.Int,
  failed: Schema.Int
}).annotations({ identifier: "PolicyRuleCoverage" })
/** How often the tests made a rule apply, pass and fail. */
export type RuleCoverage = typeof RuleCoverage.Type

/** The results of a file of tests. */
export const TestRun = Schema.Struct({
  passed: Schema.Int,
  failed: Schema.Int,
  tests: Schema.Array(TestResult),
  coverage: Schema.Struct({ rules: Schema.Array(RuleCoverage) })
}).annotations({ identifier: "PolicyTestRun" })
/** The results of a file of tests. */
export type TestRun = typeof TestRun.Type

const fits = (expected: PolicyTestsReader.ExpectedReason, reason: PolicyReason): boolean =>
  PolicyTestsReader.REASON_KEYS.every((key) => {
    const wanted = expected[key]
    return wanted === undefined || wanted === reason[key]
  })

/** Pairs every expected reason with one that was found; undefined for those without one. */
const pairUp = (
  expected: ReadonlyArray<PolicyTestsReader.ExpectedReason>,
  found: ReadonlyArray<PolicyReason>
): ReadonlyArray<number | undefined> => {
  const holder = new Map<number, number>()
  const place = (at: number, seen: Set<number>): boolean => {
    const wanted = expected[at]
    for (const [index, reason] of found.entries()) {
      if (wanted === undefined || seen.has(index) || !fits(wanted, reason)) continue
      seen.add(index)
      const other = holder.get(index)
      if (other !== undefined && !place(other, seen)) continue
      holder.set(index, at)
      return true
    }
    return false
  }
  for (const at of expected.keys()) place(at, new Set())
  const byExpected = new Map([...holder].map(([index, at]) => [at, index]))
  return expected.map((_, at) => byExpected.get(at))
}

const sayExpected = (reason: PolicyTestsReader.ExpectedReason): string =>
  PolicyTestsReader.REASON_KEYS.flatMap((key) =>
    reason[key] === undefined ? [] : [`${key}: ${reason[key]}`]
  ).join(", ")

const sayFound = ({ attestation_name, rule_index, type }: PolicyReason): string => {
  const name = attestation_name === null ? "" : `, attestation_name: ${attestation_name}`
  return `type: ${type}, rule_index: ${rule_index}${name}`
}

/** What was expected and not found, and what was found and not expected. */
const differences = (
  { expect, reasons }: PolicyTestsReader.PolicyTest,
  found: string,
  reasonsFound: ReadonlyArray<PolicyReason>
): ReadonlyArray<string> => {
  const status = expect === found ? [] : [`expected ${expect}, found ${found}`]
  if (reasons === null) return status
  const paired = pairUp(reasons, reasonsFound)
  return [
    ...status,
    ...reasons.flatMap((reason, at) =>
      paired[at] === undefined
        ? [`expected this reason, which is not given: ${sayExpected(reason)}`]
        : []
    ),
    ...reasonsFound.flatMap((reason, index) =>
      paired.includes(index)
        ? []
        : [`this reason is given, and was not expected: ${sayFound(reason)}`]
    )
  ]
}

const ruleText = (document: PolicyDocument, index: number): string => {
  if (index < 2) return index === 0 ? "provenance" : "trail-compliance"
  const rule = document.attestations[index - 2]
  if (rule === undefined) return ""
  const control = rule.forControl === null ? "" : ` for control ${rule.forControl}`
  return `attestation ${rule.type} ${rule.name}${control}`
}

/** Plays tests against a policy; their order does not matter. */
export const run = (document: PolicyDocument, { tests }: PolicyTests): TestRun => {
  const compiled = PolicyEvaluation.compile([
    { id: "policy", name: "policy", version: 0, document }
  ])
  const counts = Array.from({ length: document.attestations.length + 2 }, () => ({
    applied: 0,
    passed: 0,
    failed: 0
  }))
  const results = tests.map((test): TestResult => {
    const evaluation = PolicyEvaluation.evaluate(compiled, test.facts, test.moment)
    const reasons = PolicyEvaluation.reasons(compiled, evaluation)
    const found = evaluation.verdict === "Compliant" ? "COMPLIANT" : "NON-COMPLIANT"
    for (const [index, { satisfied }] of (
      evaluation.policy_decisions[0]?.rule_evaluations ?? []
    ).entries()) {
      const count = counts[index]
      if (count === undefined || satisfied === null) continue
      count.applied++
      if (satisfied) count.passed++
      else count.failed++
    }
    const wrong = differences(test, found, reasons)
    const artifact = test.facts.artifact
    const said = PolicyExplanation.render({ artifact, evaluation, reasons })
    return {
      name: test.name,
      line: test.line,
      passed: wrong.length === 0,
      expected: test.expect,
      found,
      reasons,
      explanation: [...wrong, said].join("\n")
    }
  })
  const passed = results.filter((result) => result.passed).length
  return {
    passed,
    failed: results.length - passed,
    tests: results,
    coverage: { rules: coverageOf(document, counts) }
  }
}

const coverageOf = (
  document: PolicyDocument,
  counts: ReadonlyArray<Pick<RuleCoverage, "applied" | "passed" | "failed">>
): ReadonlyArray<RuleCoverage> =>
  counts.flatMap((count, rule_index) => {
    const isOff =
      (rule_index === 0 && !document.provenance.required) ||
      (rule_index === 1 && !document.trailCompliance.required)
    return isOff ? [] : [{ rule_index, rule: ruleText(document, rule_index), ...count }]
  })

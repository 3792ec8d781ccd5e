/**
 * Runs the tests of a policy without a server: `node dist/tests.js policy.yaml policy.test.yaml`.
 *
 * Exit code 0: all pass. 1: a test fails, with what the policy says. 2: a file is invalid.
 */
import { readFileSync } from "node:fs"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as PolicyTests from "@attestry/policy-lab/PolicyTests"
import { Either } from "effect"

type Problems = ReadonlyArray<PolicyDocument.PolicyProblem>

/** Prints every problem of a file with its place. */
const refuse = (file: string, problems: Problems): 2 => {
  for (const { column, line, message } of problems)
    console.error(`${file}:${line}:${column}: ${message}`)
  return 2
}

const main = (policyFile = "policy.yaml", testsFile = "policy.test.yaml"): 0 | 1 | 2 => {
  const policy = PolicyDocument.parse(readFileSync(policyFile, "utf8"))
  const tests = PolicyTests.parse(readFileSync(testsFile, "utf8"))
  if (Either.isLeft(policy)) return refuse(policyFile, policy.left.problems)
  if (Either.isLeft(tests)) return refuse(testsFile, tests.left.problems)
  const { coverage, failed, passed, tests: results } = PolicyTests.run(policy.right, tests.right)
  for (const { explanation, line, name, passed: isPassed } of results)
    console.log(isPassed ? `ok    ${name}` : `FAIL  ${name} (${testsFile}:${line})\n${explanation}`)
  for (const { applied, rule } of coverage.rules)
    if (applied === 0) console.log(`no test makes this rule apply: ${rule}`)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

try {
  process.exitCode = main(process.argv[2], process.argv[3])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

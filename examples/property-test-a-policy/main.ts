/**
 * Tests a policy before it is attached: `node dist/main.js policy.yaml`.
 *
 * Exit code 0: every law holds for every generated row. 1: a law fails; the output has the smallest such row, its
 * evaluation, and the seed to replay it. 2: the policy is invalid.
 */
import { readFileSync } from "node:fs"
import { policyTest } from "@attestry/policy-lab/testing/PolicyTestKit"
import { laws } from "./laws.js"

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The failure of a law, if there is one. */
const failureOf = (policy: string, law: (typeof laws)[string]): string | undefined => {
  try {
    policyTest(policy, law, { numRuns: 10_000 })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

const main = (file: string | undefined): 0 | 1 | 2 => {
  if (file === undefined) {
    console.error("usage: node dist/main.js policy.yaml")
    return 2
  }
  const policy = readFileSync(file, "utf8")
  policyTest(policy, () => true, { numRuns: 1 })
  let code: 0 | 1 = 0
  for (const [sentence, law] of Object.entries(laws)) {
    const failure = failureOf(policy, law)
    console.log(`${failure === undefined ? "holds" : "FAILS"}  ${sentence}`)
    if (failure !== undefined) {
      console.log(failure)
      code = 1
    }
  }
  return code
}

try {
  process.exitCode = main(process.argv[2])
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 2
}

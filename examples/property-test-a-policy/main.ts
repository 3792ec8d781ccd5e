/**
 * Tests a policy before anybody attaches it: `node dist/main.js policy.yaml`.
 *
 * Exit code 0: every law holds for every row that was drawn. 1: one does not, and here is the smallest row
 * that shows it, what the policy says about it, and how to replay it. 2: the policy cannot be read.
 */
import { readFileSync } from "node:fs"
import { policyTest } from "@attestry/core/testing/PolicyTestKit"
import { laws } from "./laws.js"

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** The law's failure, if it has one. */
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

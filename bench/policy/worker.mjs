/**
 * One engine in a process of its own: evaluates the given policies, and prints the cost.
 *
 * `node worker.mjs ENGINE` reads lines of JSON `{ artifacts, policies, passes }` and answers each with
 * `{ nanos, digest, failing }`: CPU time per rule, a digest of the answers, and one of which rules fail.
 */
import { createHash } from "node:crypto"
import { createInterface } from "node:readline"
import { engines, failures, policiesOf } from "./engines.mjs"
import { factsOf } from "./workload.mjs"

const RULES = 4
const { make, prepare } = engines[process.argv[2]]
const known = new Map()

const workOf = async (artifacts, policies) => {
  const key = `${artifacts} ${policies}`
  if (!known.has(key)) {
    const evaluate = await make(policiesOf(policies))
    const rows = factsOf(artifacts).map(prepare)
    const answers = rows.map(evaluate)
    const digest = (value) => createHash("sha256").update(JSON.stringify(value)).digest("hex")
    known.set(key, {
      evaluate,
      rows,
      digest: digest(answers),
      failing: digest(answers.map(failures))
    })
  }
  return known.get(key)
}

for await (const line of createInterface({ input: process.stdin })) {
  const { artifacts, policies, passes } = JSON.parse(line)
  const { evaluate, rows, digest, failing } = await workOf(artifacts, policies)
  const before = process.cpuUsage()
  let kept
  for (let pass = 0; pass < passes; pass++) for (const row of rows) kept = evaluate(row)
  const { user, system } = process.cpuUsage(before)
  const nanos = ((user + system) * 1000) / (passes * rows.length * policies * RULES)
  process.stdout.write(`${JSON.stringify({ nanos, digest, failing, kept: kept.length })}\n`)
}

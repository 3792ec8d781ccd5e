/** The thread that runs schemas and rules, one task at a time, without state between them. */
import { parentPort, workerData } from "node:worker_threads"
import type { RuleProblem } from "@attestry/core/PayloadRules"
import * as RuleEngine from "../internal/RuleEngine.js"
import type { RuleEquipment, RuleMessage, RuleResult, RuleTask } from "../internal/RuleTask.js"
import * as SchemaEngine from "../internal/schema/SchemaEngine.js"

// WHY: only this package starts the thread, and it passes exactly this.
const { module, stepsMax } = workerData as RuleEquipment

const say = (message: RuleMessage): void => parentPort?.postMessage(message)

const check = ({ schema, programs }: RuleTask & { readonly _tag: "Check" }): RuleResult => {
  const problems: Array<RuleProblem> = []
  const schemaProblem = schema === null ? null : SchemaEngine.check(schema)
  if (schemaProblem !== null) problems.push({ field: "type_schema", message: schemaProblem })
  const budget = { stepsLeft: stepsMax }
  for (const { field, program } of programs) {
    const message = RuleEngine.check(module, program, budget)
    if (message !== null) problems.push({ field, message })
  }
  return { _tag: "Checked", problems }
}

const unfit = (problem: string): RuleResult => ({
  _tag: "Evaluated",
  outcome: { problem, isCompliant: false }
})

const evaluate = ({
  schema,
  rules,
  data
}: RuleTask & { readonly _tag: "Evaluate" }): RuleResult => {
  const problem = schema === null ? null : SchemaEngine.validate(schema, JSON.parse(data))
  if (problem !== null) return unfit(problem)
  const bytes = new TextEncoder().encode(data)
  const budget = { stepsLeft: stepsMax }
  for (const { field, program } of rules) {
    const verdict = RuleEngine.evaluate(module, { program, data: bytes }, budget)
    if (verdict === "exhausted")
      return unfit(`Data takes more steps or memory than ${field} of its type may use`)
    if (verdict === "fails")
      return { _tag: "Evaluated", outcome: { problem: null, isCompliant: false } }
  }
  return { _tag: "Evaluated", outcome: { problem: null, isCompliant: true } }
}

const resultOf = (task: RuleTask): RuleMessage => {
  try {
    return task._tag === "Check" ? check(task) : evaluate(task)
  } catch (cause) {
    return {
      _tag: "Failed",
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    }
  }
}

parentPort?.on("message", (task: RuleTask) => say(resultOf(task)))
say({ _tag: "Ready" })

/** The thread that runs schemas and rules. It holds no state that matters: it may be ended at any time. */
import { parentPort } from "node:worker_threads"
import * as Either from "effect/Either"
import * as RuleEngine from "../internal/RuleEngine.js"
import type { RuleMessage, RuleTask } from "../internal/RuleTask.js"
import * as SchemaEngine from "../internal/SchemaEngine.js"

const say = (message: RuleMessage): void => parentPort?.postMessage(message)

const check = async ({ schema, programs }: RuleTask & { readonly _tag: "Check" }) => {
  const compiled = schema === null ? undefined : SchemaEngine.compile(schema)
  const problems =
    compiled !== undefined && Either.isLeft(compiled)
      ? [{ field: "type_schema", message: compiled.left }]
      : []
  for (const { field, program } of programs) {
    const message = await RuleEngine.check(program)
    if (message !== null) problems.push({ field, message })
  }
  say({ _tag: "Checked", problems })
}

const schemaProblem = (schema: string | null, data: string): string | null => {
  if (schema === null) return null
  const compiled = SchemaEngine.compile(schema)
  return Either.isLeft(compiled)
    ? compiled.left
    : SchemaEngine.validate(compiled.right, JSON.parse(data))
}

const judge = async ({ schema, rules, data }: RuleTask & { readonly _tag: "Judge" }) => {
  const problem = schemaProblem(schema, data)
  if (problem !== null) {
    say({ _tag: "Judged", outcome: { schemaProblem: problem, isCompliant: false } })
    return
  }
  say({ _tag: "Valid" })
  let isCompliant = true
  for (const rule of rules) isCompliant = isCompliant && (await RuleEngine.holds(rule, data))
  say({ _tag: "Judged", outcome: { schemaProblem: null, isCompliant } })
}

parentPort?.on("message", (task: RuleTask) => {
  void (task._tag === "Check" ? check(task) : judge(task))
})
// WHY first: the engine takes a while to come up, and that time must not be the first task's.
await RuleEngine.holds("true", "null")
say({ _tag: "Ready" })

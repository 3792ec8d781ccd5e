/**
 * `PayloadRules` in a thread of its own: whatever takes too long or too much memory is ended with it, and
 * the next task gets a new thread.
 *
 * Tasks take turns; the time of one counts from when it has the thread, so waiting never fails a rule.
 */
import { Worker } from "node:worker_threads"
import type { TypeContent } from "@attestry/core/AttestationType"
import { PayloadRules, type RuleEngines, type RuleOutcome } from "@attestry/core/PayloadRules"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { RuleMessage, RuleTask } from "./internal/RuleTask.js"

/** How long things may take. */
export interface RuleLimits {
  /** Until a thread is ready for its first task. */
  readonly start: Duration.DurationInput
  /** One definition, or one attestation. */
  readonly task: Duration.DurationInput
}

const defaults: RuleLimits = { start: "20 seconds", task: "2 seconds" }

/** Threads run what has been built, also when this module runs from its source. */
const THREAD = new URL(
  import.meta.url.endsWith(".ts") ? "../dist/thread/main.js" : "./thread/main.js",
  import.meta.url
)

const spawn = (): Worker =>
  new Worker(THREAD, {
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }
  })

/** What a task came to, when it was cut off: how far it had got. */
type Reply =
  | Extract<RuleMessage, { readonly _tag: "Checked" | "Judged" }>
  | { readonly _tag: "Ended"; readonly wasValid: boolean }

/** Waits for messages until one settles the question, or the thread ends. */
const listen = <A>(
  worker: Worker,
  settle: (message: RuleMessage | { readonly _tag: "Gone" }) => A | undefined
): Promise<A> =>
  new Promise((resolve) => {
    const take = (message: RuleMessage | { readonly _tag: "Gone" }): void => {
      const answer = settle(message)
      if (answer === undefined) return
      worker.off("message", take).off("error", gone).off("exit", gone)
      resolve(answer)
    }
    const gone = (): void => take({ _tag: "Gone" })
    worker.on("message", take).on("error", gone).on("exit", gone)
  })

/** One thread at a time, started when it is needed. */
const makeThread = (limits: RuleLimits) => {
  let worker: Worker | undefined

  const end = (ended: Worker): void => {
    if (worker === ended) worker = undefined
    void ended.terminate()
  }

  const ready = async (): Promise<Worker> => {
    if (worker !== undefined) return worker
    const started = spawn()
    started.unref()
    const timer = setTimeout(() => end(started), Duration.toMillis(limits.start))
    await listen(started, ({ _tag }) => _tag === "Ready" || _tag === "Gone" || undefined)
    clearTimeout(timer)
    worker = started
    return started
  }

  const run = async (task: RuleTask): Promise<Reply> => {
    const thread = await ready()
    let wasValid = false
    const timer = setTimeout(() => end(thread), Duration.toMillis(limits.task))
    const reply = listen<Reply>(thread, (message) => {
      if (message._tag === "Valid") wasValid = true
      if (message._tag === "Gone") return { _tag: "Ended", wasValid }
      return message._tag === "Checked" || message._tag === "Judged" ? message : undefined
    })
    thread.postMessage(task)
    const answer = await reply
    clearTimeout(timer)
    if (answer._tag === "Ended") end(thread)
    return answer
  }

  const stop = async (): Promise<void> => {
    await worker?.terminate()
  }
  return { run, stop }
}

const TOO_MUCH = "took too much time or memory"

const schemaText = ({ type_schema }: TypeContent): string | null =>
  type_schema === null ? null : JSON.stringify(type_schema)

const rulesOf = ({ evaluator }: TypeContent): ReadonlyArray<string> =>
  evaluator.content_type === "jq" ? evaluator.rules : []

const programsOf = (definition: TypeContent) => [
  ...rulesOf(definition).map((program, index) => ({
    field: `evaluator.rules[${index}]`,
    program
  })),
  ...(definition.summary ?? []).map(({ expression }, index) => ({
    field: `summary[${index}].expression`,
    program: expression
  }))
]

const outcomeOf = (reply: Reply): RuleOutcome => {
  if (reply._tag === "Judged") return reply.outcome
  const wasValid = reply._tag === "Ended" && reply.wasValid
  return {
    schemaProblem: wasValid ? null : `Validation against the schema of its type ${TOO_MUCH}`,
    isCompliant: false
  }
}

const engines = (run: (task: RuleTask) => Effect.Effect<Reply>): RuleEngines => ({
  check: (definition) =>
    Effect.map(
      run({ _tag: "Check", schema: schemaText(definition), programs: programsOf(definition) }),
      (reply) =>
        reply._tag === "Checked"
          ? reply.problems
          : [{ field: "evaluator", message: `Checking the definition ${TOO_MUCH}` }]
    ),
  judge: (definition, data) =>
    Effect.map(
      run({
        _tag: "Judge",
        schema: schemaText(definition),
        rules: rulesOf(definition),
        data: JSON.stringify(data)
      }),
      outcomeOf
    )
})

/** `PayloadRules` in a thread of its own. */
export const layer = (limits: Partial<RuleLimits> = {}): Layer.Layer<never> =>
  Layer.scoped(
    PayloadRules,
    Effect.gen(function* () {
      const turns = yield* Effect.makeSemaphore(1)
      const thread = yield* Effect.acquireRelease(
        Effect.sync(() => makeThread({ ...defaults, ...limits })),
        ({ stop }) => Effect.promise(stop)
      )
      // WHY: a task that is given up by its caller still ends by its own limit before the next begins.
      return engines((task) =>
        turns.withPermits(1)(Effect.uninterruptible(Effect.promise(() => thread.run(task))))
      )
    })
  )

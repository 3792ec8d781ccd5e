/**
 * `PayloadRules` in worker threads, which are shared fairly between orgs; each task is bounded in steps.
 *
 * The program counts its own steps, so the result of a rule does not depend on time or load. Time limits of threads
 * detect failures of the engine alone. DECISIONS.md, "Custom types run metered jq"
 */
import { availableParallelism } from "node:os"
import type { TypeContent } from "@attestry/core/AttestationType"
import { PayloadRules, RuleEngineError, type RuleEngines } from "@attestry/core/PayloadRules"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Runtime from "effect/Runtime"
import { STEPS_MAX } from "./internal/jq/JqBudget.js"
import * as JqModule from "./internal/jq/JqModule.js"
import { RulePool } from "./internal/RulePool.js"
import type { NamedProgram, RuleResult, RuleTask } from "./internal/RuleTask.js"

/** The resources of the engine. */
export interface RuleLimits {
  /** The number of threads; with two or more, one org cannot occupy all of them. */
  readonly threads: number
  /** The time limit for the start of a thread. */
  readonly start: Duration.DurationInput
  /** The time limit of a task. INVARIANT: far more than `steps` can take. */
  readonly task: Duration.DurationInput
  /** The step budget of all programs of one definition; results depend on it. */
  readonly steps: number
  /** The largest number of queued tasks of one org. */
  readonly waitingMaxPerOrg: number
}

/** The default resources. */
export const defaults = (): RuleLimits => ({
  threads: Math.min(4, Math.max(2, availableParallelism())),
  start: "1 minute",
  task: "5 minutes",
  steps: STEPS_MAX,
  waitingMaxPerOrg: 1_000
})

const failures = Metric.counter("attestry_rule_engine_failures_total", {
  description: "Failures of the engine of custom attestation types, made good or not",
  incremental: true
})

const schemaText = ({ type_schema }: TypeContent): string | null =>
  type_schema === null ? null : JSON.stringify(type_schema)

const rulesOf = ({ evaluator }: TypeContent): ReadonlyArray<NamedProgram> =>
  (evaluator.content_type === "jq" ? evaluator.rules : []).map((program, index) => ({
    field: `evaluator.rules[${index}]`,
    program
  }))

const programsOf = (definition: TypeContent): ReadonlyArray<NamedProgram> => [
  ...rulesOf(definition),
  ...(definition.summary ?? []).map(({ expression }, index) => ({
    field: `summary[${index}].expression`,
    program: expression
  }))
]

type Run = (org: string, task: RuleTask) => Effect.Effect<RuleResult, RuleEngineError>

const other = (result: RuleResult) =>
  new RuleEngineError({ cause: new Error(`a thread answered with ${result._tag}`) })

const engines = (run: Run): RuleEngines => ({
  check: (org, definition) =>
    Effect.flatMap(
      run(org, {
        _tag: "Check",
        schema: schemaText(definition),
        programs: programsOf(definition)
      }),
      (result) =>
        result._tag === "Checked" ? Effect.succeed(result.problems) : Effect.fail(other(result))
    ),
  evaluate: (org, definition, data) =>
    Effect.flatMap(
      run(org, {
        _tag: "Evaluate",
        schema: schemaText(definition),
        rules: rulesOf(definition),
        data: JSON.stringify(data)
      }),
      (result) =>
        result._tag === "Evaluated" ? Effect.succeed(result.outcome) : Effect.fail(other(result))
    )
})

/** Compiles the engine on its first use; a failed compilation is repeated on the next use. */
const equipmentOf = (stepsMax: number) => {
  let module: Promise<WebAssembly.Module> | undefined
  return async () => {
    module ??= JqModule.compile()
    try {
      return { module: await module, stepsMax }
    } catch (cause) {
      module = undefined
      throw cause
    }
  }
}

const makePool = (limits: RuleLimits): RulePool =>
  new RulePool({
    threads: limits.threads,
    waitingMaxPerOrg: limits.waitingMaxPerOrg,
    startMs: Duration.toMillis(limits.start),
    taskMs: Duration.toMillis(limits.task),
    equipment: equipmentOf(limits.steps)
  })

/** WHY not the last failure: it becomes the error of the caller, who logs it. */
const failed = (cause: unknown, isTriedAgain: boolean): Effect.Effect<void> =>
  Effect.zipRight(
    Metric.increment(failures),
    isTriedAgain
      ? Effect.logWarning(
          "the engine of custom attestation types failed, and is tried again",
          Cause.die(cause)
        )
      : Effect.void
  )

/** Runs a task; failures that are retried are logged with the caller's logger. */
const runOn =
  (pool: RulePool): Run =>
  (org, task) =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      Effect.tryPromise({
        try: (signal) =>
          pool.run({
            org,
            task,
            signal,
            failed: (cause, isTriedAgain) => Runtime.runSync(runtime)(failed(cause, isTriedAgain))
          }),
        catch: (cause) => new RuleEngineError({ cause })
      })
    )

/** `PayloadRules` in worker threads. */
export const layer = (limits: Partial<RuleLimits> = {}): Layer.Layer<never> =>
  Layer.scoped(
    PayloadRules,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => makePool({ ...defaults(), ...limits })),
        (pool) => Effect.promise(() => pool.stop())
      ),
      (pool) => engines(runOn(pool))
    )
  )

/** A failure of the engine is no outcome: it is tried again on a new thread, and then it is an error. */
import type { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Metric } from "effect"
import { afterEach } from "vitest"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { acme, evaluate, globex, passes, problems } from "./shared.js"

const SLOW = "[range(300000)] | length == 300000"

const failuresCounted = Effect.map(
  Metric.snapshot,
  (all) =>
    all.flatMap(({ metricKey, metricState }) =>
      metricKey.name === "attestry_rule_engine_failures_total" && "count" in metricState
        ? [Number(metricState.count)]
        : []
    )[0] ?? 0
)

/** Hands every thread that starts to `act`. */
const onThread = (act: (worker: Worker, index: number) => void): void => {
  let started = 0
  process.on("worker", (worker: Worker) => {
    started += 1
    act(worker, started)
  })
}

const run = <A, E>(
  effect: Effect.Effect<A, E>,
  limits: Partial<PayloadRulesWorker.RuleLimits> = {}
) => Effect.provide(effect, PayloadRulesWorker.layer({ threads: 1, ...limits }))

describe("a failure of the engine", () => {
  afterEach(() => {
    process.removeAllListeners("worker")
  })

  it.live("is made good by a second try when a thread ends during an evaluation", () =>
    run(
      Effect.gen(function* () {
        const before = yield* failuresCounted
        onThread((worker, index) => {
          if (index === 1) worker.once("message", () => setTimeout(() => worker.terminate(), 20))
        })
        assert.isTrue(yield* passes(SLOW))
        assert.strictEqual((yield* failuresCounted) - before, 1)
      })
    )
  )

  it.live("is an error when every thread ends, and no verdict and no acceptance", () =>
    run(
      Effect.gen(function* () {
        const before = yield* failuresCounted
        onThread((worker) => void worker.terminate())
        for (const asked of [
          Effect.asVoid(evaluate(["true"], null)),
          Effect.asVoid(problems(["{"])),
          Effect.asVoid(problems(["true"]))
        ]) {
          const exit = yield* Effect.exit(asked)
          assert.isTrue(Exit.isFailure(exit))
          assert.include(String(exit), "RuleEngineError")
        }
        assert.strictEqual((yield* failuresCounted) - before, 6)
        process.removeAllListeners("worker")
        assert.isTrue(yield* passes("true"), "the next one has a thread again")
        assert.strictEqual((yield* problems(["{"])).length, 1)
      })
    )
  )

  it.live("is an error when a thread does not answer, never a verdict", () =>
    run(
      Effect.gen(function* () {
        const exit = yield* Effect.exit(evaluate([SLOW], null))
        assert.include(String(exit), "RuleEngineError")
      }),
      { task: "1 millis" }
    )
  )

  it.live("is an error for what an org has too much of in the queue, and for that org only", () =>
    run(
      Effect.gen(function* () {
        const exits = yield* Effect.all(
          [
            ...Array.from({ length: 4 }, () =>
              Effect.exit(evaluate([SLOW], null, undefined, acme))
            ),
            Effect.exit(evaluate(["true"], null, undefined, globex))
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, false, true])
      }),
      { waitingMaxPerOrg: 1 }
    )
  )
})

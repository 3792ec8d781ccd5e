/** One org's slow rules do not delay another org's. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { acme, evaluate, globex } from "./shared.js"

it.live(
  "an org waits for nothing while another org has four slow rules under way",
  () =>
    Effect.gen(function* () {
      yield* evaluate(["true"], null, undefined, globex)
      const slow = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.fork(evaluate(["def f: f; f"], null, undefined, acme))
      )
      yield* Effect.sleep("200 millis")
      for (let count = 0; count < 10; count += 1)
        assert.isTrue((yield* evaluate(["true"], null, undefined, globex)).isCompliant)
      const ended = yield* Effect.forEach(slow, Fiber.poll)
      assert.isTrue(
        ended.every((exit) => exit._tag === "None"),
        "ten of one org end before the first of the other"
      )
      yield* Fiber.interruptAll(slow)
    }).pipe(
      // Ten times the default budget of steps, so that a slow rule outlasts ten quick ones on a fast machine.
      Effect.provide(
        PayloadRulesWorker.layer({ threads: 2, steps: PayloadRulesWorker.defaults().steps * 10 })
      )
    ),
  120_000
)

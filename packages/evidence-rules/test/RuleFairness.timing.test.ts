/** One org's slow rules do not delay another org's. */
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import * as PayloadRulesWorker from "../src/PayloadRulesWorker.js"
import { acme, evaluate, globex } from "./shared.js"

/** Steps of a rule that never ends: a deep run gives it all, which take seconds. */
const STEPS =
  PayloadRulesWorker.defaults().steps / (process.env.ATTESTRY_DEEP === undefined ? 10 : 1)

it.live(
  "an org waits for nothing while another org has four slow rules under way",
  () =>
    Effect.gen(function* () {
      yield* evaluate(["true"], null, undefined, globex)
      const slow = yield* Effect.forEach(Array.from({ length: 4 }), () =>
        Effect.fork(evaluate(["def f: f; f"], null, undefined, acme))
      )
      yield* Effect.sleep("200 millis")
      const began = yield* Clock.currentTimeMillis
      for (let count = 0; count < 10; count += 1)
        assert.isTrue((yield* evaluate(["true"], null, undefined, globex)).isCompliant)
      const tookMs = (yield* Clock.currentTimeMillis) - began
      const first = yield* Effect.fromNullable(slow[0])
      const last = yield* Effect.fromNullable(slow[3])
      yield* Fiber.join(first)
      const slowMs = (yield* Clock.currentTimeMillis) - began
      assert.isBelow(tookMs, slowMs, "ten of one org end before the first of the other")
      yield* Fiber.interrupt(last)
    }).pipe(Effect.provide(PayloadRulesWorker.layer({ threads: 2, steps: STEPS }))),
  120_000
)

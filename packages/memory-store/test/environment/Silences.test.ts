/** Silences on the memory store. */
import { silenceSuite } from "@attestry/core/testing/SilenceSuite"
import { Clock, Effect, TestClock } from "effect"
import * as MemoryStore from "../../src/MemoryStore.js"

silenceSuite("memory", MemoryStore.layer, {
  // WHY set: a clock is not adjusted backwards.
  elapse: (_, seconds) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => TestClock.setTime(now + seconds * 1_000)),
  runs: 60
})

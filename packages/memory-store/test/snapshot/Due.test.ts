/** Verdicts that change by time alone, on the memory store. */
import { dueSuite } from "@attestry/core/testing/DueSuite"
import { reproducesAged } from "@attestry/policy-lab/testing/BacktestSuite"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 4, full: 40, deep: 5_000 })

let passed = 0n

/** The clock of the machine, later by the time that tests let pass. */
const clock: Clock.Clock = {
  ...Clock.make(),
  unsafeCurrentTimeMillis: () => Date.now() + Number(passed / 1_000_000n),
  unsafeCurrentTimeNanos: () => BigInt(Date.now()) * 1_000_000n + passed,
  currentTimeMillis: Effect.sync(() => Date.now() + Number(passed / 1_000_000n)),
  currentTimeNanos: Effect.sync(() => BigInt(Date.now()) * 1_000_000n + passed)
}

dueSuite("memory", MemoryStore.layer.pipe(Layer.provideMerge(Layer.setClock(clock))), {
  lives: LIVES,
  after: reproducesAged,
  travel: {
    wait: (minutes) =>
      Effect.sync(() => {
        passed += BigInt(minutes) * 60_000_000_000n
      })
  }
})

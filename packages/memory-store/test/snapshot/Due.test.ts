/** Verdicts that change by time alone, on the memory store. */
import { dueSuite } from "@attestry/core/testing/DueSuite"
import { reproducesAged } from "@attestry/policy-lab/testing/BacktestSuite"
import * as Layer from "effect/Layer"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"
import { movedClock } from "../shared/MovedClock.js"

const LIVES = lengthForRun({ quick: 4, full: 40, deep: 5_000 })

const { clock, wait } = movedClock()

dueSuite("memory", MemoryStore.layer.pipe(Layer.provideMerge(Layer.setClock(clock))), {
  lives: LIVES,
  after: reproducesAged,
  travel: { wait }
})

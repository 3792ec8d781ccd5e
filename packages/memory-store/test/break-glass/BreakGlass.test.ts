/** Break-glass on the memory store. */
import { breakGlassSuite } from "@attestry/core/testing/BreakGlassSuite"
import * as Layer from "effect/Layer"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"
import { movedClock } from "../shared/MovedClock.js"

const { clock, wait } = movedClock()

breakGlassSuite("memory", MemoryStore.layer.pipe(Layer.provideMerge(Layer.setClock(clock))), {
  travel: { wait },
  runs: lengthForRun({ quick: 20, full: 60, deep: 500 })
})

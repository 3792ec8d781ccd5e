/** Waivers on the memory store. */
import { waiversSuite } from "@attestry/core/testing/WaiversSuite"
import * as Layer from "effect/Layer"
import * as MemoryStore from "../../src/MemoryStore.js"
import { movedClock } from "../shared/MovedClock.js"

const { clock, wait } = movedClock()

waiversSuite("memory", MemoryStore.layer.pipe(Layer.provideMerge(Layer.setClock(clock))), {
  travel: { wait }
})

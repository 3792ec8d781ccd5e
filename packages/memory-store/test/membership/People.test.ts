/** Members and invitations on the memory store. */
import { peopleSuite } from "@attestry/core/testing/PeopleSuite"
import * as Layer from "effect/Layer"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"
import { movedClock } from "../shared/MovedClock.js"

const { clock, wait } = movedClock()

peopleSuite("memory", MemoryStore.layer.pipe(Layer.provideMerge(Layer.setClock(clock))), {
  travel: { wait },
  runs: lengthForRun({ quick: 8, full: 40, deep: 1_000 })
})

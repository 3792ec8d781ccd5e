/** What is said of artifacts and logical environments on the memory store. */
import { runningHistorySuite } from "@attestry/core/testing/RunningHistorySuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 3, full: 15, deep: 2_000 })

runningHistorySuite("memory", MemoryStore.layer, { lives: LIVES })

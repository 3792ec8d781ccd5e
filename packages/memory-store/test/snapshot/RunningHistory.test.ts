/** What is said of artifacts and logical environments on the memory store. */
import { runningHistorySuite } from "@attestry/core/testing/RunningHistorySuite"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 15 : 2_000

runningHistorySuite("memory", MemoryStore.layer, { lives: LIVES })

/** Lives of environments with policies on the memory store. */
import { verdictHistorySuite } from "@attestry/core/testing/VerdictHistorySuite"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 30 : 2_000

verdictHistorySuite("memory", MemoryStore.layer, { lives: LIVES })

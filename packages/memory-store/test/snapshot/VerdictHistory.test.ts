/** Lives of environments with policies on the memory store. */
import { verdictHistorySuite } from "@attestry/core/testing/VerdictHistorySuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 5, full: 30, deep: 2_000 })

verdictHistorySuite("memory", MemoryStore.layer, { lives: LIVES })

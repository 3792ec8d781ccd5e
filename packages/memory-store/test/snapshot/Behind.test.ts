/** Changes of policies of very many environments, on the memory store. */
import { behindSuite } from "@attestry/core/testing/BehindSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 4, full: 30, deep: 5_000 })

behindSuite("memory", MemoryStore.layer, { lives: LIVES, model: MemoryStore.layer })

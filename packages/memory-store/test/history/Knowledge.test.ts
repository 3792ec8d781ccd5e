/** What was known when, on the memory store. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 5, full: 15, deep: 600 })

knowledgeSuite("memory", MemoryStore.layer, { lives: LIVES })

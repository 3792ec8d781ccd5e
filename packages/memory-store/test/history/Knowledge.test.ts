/** What was known when, on the memory store. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import * as MemoryStore from "../../src/MemoryStore.js"
import { lengthOf } from "../shared/Effort.js"

const LIVES = lengthOf({ quick: 5, full: 15, deep: 600 })

knowledgeSuite("memory", MemoryStore.layer, { lives: LIVES })

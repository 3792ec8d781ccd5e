/** What was known when, on the memory store. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 15 : 600

knowledgeSuite("memory", MemoryStore.layer, { lives: LIVES })

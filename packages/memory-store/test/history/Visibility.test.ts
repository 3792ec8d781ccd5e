/** What was known when, on the memory store. */
import { visibilitySuite } from "@attestry/core/testing/VisibilitySuite"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 15 : 600

visibilitySuite("memory", MemoryStore.layer, { lives: LIVES })

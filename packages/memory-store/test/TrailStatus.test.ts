/** Whole histories of trails on the memory store. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import * as MemoryStore from "../src/MemoryStore.js"

trailStatusSuite("memory", MemoryStore.layer, { histories: 200 })

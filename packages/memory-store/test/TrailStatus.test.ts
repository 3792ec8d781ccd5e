/** Whole histories of trails on the memory store. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = process.env.ATTESTRY_DEEP === undefined ? 40 : 200

trailStatusSuite("memory", MemoryStore.layer, { histories: HISTORIES })

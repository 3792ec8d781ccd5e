/** Whole histories of trails on the memory store. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import * as MemoryStore from "../src/MemoryStore.js"
import { lengthOf } from "./shared/Effort.js"

const HISTORIES = lengthOf({ quick: 13, full: 40, deep: 200 })

trailStatusSuite("memory", MemoryStore.layer, { histories: HISTORIES })

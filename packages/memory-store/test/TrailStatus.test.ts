/** Whole histories of trails on the memory store. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import { lengthOf } from "../../core/test/shared/Effort.js"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = lengthOf({ quick: 13, full: 40, deep: 200 })

trailStatusSuite("memory", MemoryStore.layer, { histories: HISTORIES })

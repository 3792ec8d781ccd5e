/** Whole histories of trails on the memory store. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = lengthForRun({ quick: 13, full: 40, deep: 200 })

trailStatusSuite("memory", MemoryStore.layer, { histories: HISTORIES })

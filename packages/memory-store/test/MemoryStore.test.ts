/** The memory store keeps the contract of every port. */
import { storeSuite } from "@attestry/core/testing/StoreSuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as MemoryStore from "../src/MemoryStore.js"

const HISTORIES = lengthForRun({ quick: 3, full: 30, deep: 50 })

storeSuite("memory", MemoryStore.layer, { histories: HISTORIES })

/** What was visible when, and backtests of it, on the memory store. */
import { visibilitySuite } from "@attestry/core/testing/VisibilitySuite"
import { backtestSuite } from "@attestry/policy-lab/testing/BacktestSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const LIVES = lengthForRun({ quick: 3, full: 15, deep: 600 })

visibilitySuite("memory", MemoryStore.layer, { lives: LIVES })
backtestSuite("memory", MemoryStore.layer, { lives: LIVES })

/** What was visible when, and backtests of it, on PostgreSQL. */
import { visibilitySuite } from "@attestry/core/testing/VisibilitySuite"
import { backtestSuite } from "@attestry/policy-lab/testing/BacktestSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthForRun({ quick: 1, full: 4, deep: 60 })

visibilitySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })
backtestSuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

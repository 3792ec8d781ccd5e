/** What was visible when, and backtests of it, on PostgreSQL. */
import { visibilitySuite } from "@attestry/core/testing/VisibilitySuite"
import { backtestSuite } from "@attestry/policy-lab/testing/BacktestSuite"
import { effort } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = effort(4, 60)

visibilitySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })
backtestSuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

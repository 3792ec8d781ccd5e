/** The running history of artifacts and logical environments on PostgreSQL. */
import { runningHistorySuite } from "@attestry/core/testing/RunningHistorySuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthForRun({ quick: 1, full: 4, deep: 200 })

runningHistorySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

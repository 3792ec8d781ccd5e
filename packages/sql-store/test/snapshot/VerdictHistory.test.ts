/** Histories of environments with policies on PostgreSQL. */
import { verdictHistorySuite } from "@attestry/core/testing/VerdictHistorySuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthForRun({ quick: 1, full: 4, deep: 200 })

verdictHistorySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

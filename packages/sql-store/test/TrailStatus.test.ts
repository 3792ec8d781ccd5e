/** Whole histories of trails on PostgreSQL. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import { lengthForRun } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

const HISTORIES = lengthForRun({ quick: 3, full: 10, deep: 25 })

trailStatusSuite("PostgreSQL", PgLayer.layer, { histories: HISTORIES })

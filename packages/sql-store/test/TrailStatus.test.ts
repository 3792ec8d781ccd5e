/** Whole histories of trails on PostgreSQL. */
import { trailStatusSuite } from "@attestry/core/testing/TrailStatusSuite"
import { effort } from "../../core/test/shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

trailStatusSuite("PostgreSQL", PgLayer.layer, { histories: effort(10, 25) })

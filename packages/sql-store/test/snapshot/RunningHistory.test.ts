/** The running history of artifacts and logical environments on PostgreSQL. */
import { runningHistorySuite } from "@attestry/core/testing/RunningHistorySuite"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 4 : 200

runningHistorySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

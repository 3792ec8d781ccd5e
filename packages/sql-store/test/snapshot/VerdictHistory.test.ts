/** Histories of environments with policies on PostgreSQL. */
import { verdictHistorySuite } from "@attestry/core/testing/VerdictHistorySuite"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 4 : 200

verdictHistorySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

/** What was known when, on PostgreSQL. */
import { visibilitySuite } from "@attestry/core/testing/VisibilitySuite"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 4 : 60

visibilitySuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

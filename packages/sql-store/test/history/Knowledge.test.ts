/** What was known when, on PostgreSQL. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = process.env.ATTESTRY_DEEP === undefined ? 4 : 60

knowledgeSuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

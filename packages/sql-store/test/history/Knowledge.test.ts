/** What was known when, on PostgreSQL. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthForRun({ quick: 2, full: 4, deep: 60 })

knowledgeSuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

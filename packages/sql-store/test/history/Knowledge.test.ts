/** What was known when, on PostgreSQL. */
import { knowledgeSuite } from "@attestry/core/testing/KnowledgeSuite"
import { lengthOf } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthOf({ quick: 2, full: 4, deep: 60 })

knowledgeSuite("PostgreSQL", PgLayer.layer, { lives: LIVES })

/** Changes of policies of very many environments, on PostgreSQL. */
import { behindSuite } from "@attestry/core/testing/BehindSuite"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const LIVES = lengthForRun({ quick: 1, full: 4, deep: 300 })

behindSuite("PostgreSQL", PgLayer.layer, { lives: LIVES, model: MemoryStore.layer })

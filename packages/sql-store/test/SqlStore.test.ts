/** The SQL store keeps the contract of every port, on PostgreSQL. */
import { storeSuite } from "@attestry/core/testing/StoreSuite"
import { effort } from "./shared/Effort.js"
import * as PgLayer from "./shared/PgLayer.js"

storeSuite("PostgreSQL", PgLayer.layer, { histories: effort(3, 50) })

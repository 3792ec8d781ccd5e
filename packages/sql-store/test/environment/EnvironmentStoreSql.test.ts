/** The SQL store keeps the contract of `EnvironmentStore`. */
import { environmentStoreSuite } from "@attestry/core/testing/StoreSuite"
import * as PgLayer from "../shared/PgLayer.js"

environmentStoreSuite("PostgreSQL", PgLayer.layer)

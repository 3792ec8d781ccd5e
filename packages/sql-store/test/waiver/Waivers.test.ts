/** Waivers on PostgreSQL. */
import { waiversSuite } from "@attestry/core/testing/WaiversSuite"
import * as PgLayer from "../shared/PgLayer.js"

waiversSuite("PostgreSQL", PgLayer.layer)

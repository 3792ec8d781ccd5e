/** The SQL store for tests: a new database on the shared server of the test run. */
import type { Ports } from "@attestry/core/Ports"
import type { Layer } from "effect"
import * as PgLayer from "../../../sql-store/test/shared/PgLayer.js"

/** Every port on a database of its own. */
export const layer = (): Layer.Layer<Ports, unknown> => PgLayer.layerWith({})

/** The SQL store for wire tests: a fresh database on the server that the test run shares. */
import type { Ports } from "@attestry/core/Ports"
import type { Layer } from "effect"
import * as PgLayer from "../../../sql-store/test/shared/PgLayer.js"

/** Every port on a database of its own. */
export const layer: Layer.Layer<Ports, unknown> = PgLayer.layer

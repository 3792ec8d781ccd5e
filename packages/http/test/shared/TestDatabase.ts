/** The SQL store for wire tests: a fresh database on the server that the test run shares. */
import type { Ports } from "@attestry/core/Ports"
import type { Layer } from "effect"
import * as PgLayer from "../../../sql-store/test/shared/PgLayer.js"

/** Every port on a database of its own, with at most so many connections. */
export const layerWith = (options: {
  readonly connectionsMax?: number
}): Layer.Layer<Ports, unknown> => PgLayer.layerWith(options)

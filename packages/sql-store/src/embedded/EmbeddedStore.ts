/** Every port on a PostgreSQL of our own, kept in a folder: what runs when nothing else is configured. */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PgStore from "../pg/PgStore.js"
import * as EmbeddedPostgres from "./EmbeddedPostgres.js"
import type { EmbeddedPostgresError } from "./EmbeddedPostgresError.js"

/** Every port, on the server that is started in the folder. */
export const layer = (
  options: EmbeddedPostgres.EmbeddedPostgresOptions
): Layer.Layer<Ports, StoreError | EmbeddedPostgresError> =>
  Layer.unwrapScoped(
    Effect.map(EmbeddedPostgres.make(options), ({ url }) => PgStore.layer({ url }))
  )

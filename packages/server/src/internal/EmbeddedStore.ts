/** Every port on a PostgreSQL that the server itself runs in a folder: the default store. */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import type { EmbeddedPostgresError } from "@attestry/embedded-postgres/EmbeddedPostgresError"
import * as PgStore from "@attestry/sql-store/PgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** WHY: a report takes up to 256 locks, and the default of 64 ends at some 50 such reports at a time. */
const SETTINGS = { max_locks_per_transaction: "256" }

/** Every port, on the server that is started in the folder. */
export const layer = (
  options: EmbeddedPostgres.EmbeddedPostgresOptions
): Layer.Layer<Ports, StoreError | EmbeddedPostgresError> =>
  Layer.unwrapScoped(
    Effect.map(
      EmbeddedPostgres.make({ ...options, settings: { ...SETTINGS, ...options.settings } }),
      ({ url }) => PgStore.layerOwn({ url })
    )
  )

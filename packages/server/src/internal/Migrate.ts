/** The command `migrate`: migrates the database to this program's version. */

import * as PgStore from "@attestry/sql-store/PgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ServerConfig } from "../ServerConfig.js"
import * as EmbeddedStore from "./EmbeddedStore.js"
import { show } from "./Lifecycle.js"
import * as Logging from "./Logging.js"

/** Migrates the configured store. */
export const migrate = (config: ServerConfig) =>
  Effect.gen(function* () {
    if (config.ATTESTRY_STORE === "embedded") {
      yield* Effect.scoped(Layer.build(EmbeddedStore.layer({ dataDir: config.ATTESTRY_DATA_DIR })))
    } else if (config.ATTESTRY_DATABASE_URL !== undefined) {
      const migrationUrl = config.ATTESTRY_MIGRATION_DATABASE_URL
      yield* PgStore.migrate({
        url: config.ATTESTRY_DATABASE_URL,
        ...(migrationUrl === undefined ? {} : { migrationUrl })
      })
    }
    yield* Effect.sync(() => show("The store is at the version of this program.\n"))
  }).pipe(Effect.provide(Logging.layer(config)))

/**
 * Every port on a PostgreSQL of our own, kept in a folder: what runs when nothing else is configured.
 *
 * The owner of the cluster migrates; the store's connections log in as a role that is no superuser.
 */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as PgStore from "../pg/PgStore.js"
import * as EmbeddedPostgres from "./EmbeddedPostgres.js"
import { DataFolderUnusable, type EmbeddedPostgresError } from "./EmbeddedPostgresError.js"
import * as DatabaseCreation from "./internal/DatabaseCreation.js"
import * as PoolRole from "./internal/PoolRole.js"

/** Starts the server in the folder, migrates its database, and returns how to connect. */
export const open = (
  options: EmbeddedPostgres.EmbeddedPostgresOptions
): Effect.Effect<PgStore.PgStoreOptions, StoreError | EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const { connection, dataDir, url } = yield* EmbeddedPostgres.make(options)
    yield* PgStore.migrate({ url })
    const pool = yield* PoolRole.ensure(connection).pipe(
      Effect.mapError(DataFolderUnusable.fromCause(dataDir, "making the role of the store"))
    )
    return { url: DatabaseCreation.toUrl(pool), isOwn: true }
  })

/** Every port, on the server that is started in the folder. */
export const layer = (
  options: EmbeddedPostgres.EmbeddedPostgresOptions
): Layer.Layer<Ports, StoreError | EmbeddedPostgresError> =>
  Layer.unwrapScoped(Effect.map(open(options), PgStore.layer))

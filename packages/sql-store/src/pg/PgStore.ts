/**
 * Every port on a PostgreSQL server: migrates as the owner, then works as the application role.
 *
 * A server on a network that is away or silent is noticed within two seconds, and the program works again when it is
 * back without a restart; a busy server is waited for longer (`ServerWatch`), and one of our own longest (`Patience`).
 */
import type { Ports } from "@attestry/core/Ports"
import type { StoreError } from "@attestry/core/StoreError"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Primary from "../internal/shared/Primary.js"
import type { Driver } from "../internal/transaction/Driver.js"
import * as Migrations from "../Migrations.js"
import * as SqlStore from "../SqlStore.js"
import * as Patience from "./internal/Patience.js"
import * as PgDriver from "./internal/PgDriver.js"
import * as PoolMetrics from "./internal/PoolMetrics.js"
import * as PoolRole from "./internal/PoolRole.js"
import * as ServerWatch from "./internal/ServerWatch.js"
import * as SessionSettings from "./internal/SessionSettings.js"
import * as Statistics from "./internal/Statistics.js"
import * as WatchedClient from "./internal/WatchedClient.js"
import { WatchedPool } from "./internal/WatchedPool.js"

/** Where a server is, and how it is used. */
export interface PgStoreOptions {
  readonly url: Redacted.Redacted<string>
  /** The address to migrate with, where that needs another role. */
  readonly migrationUrl?: Redacted.Redacted<string>
  readonly connectionsMax?: number
  /** Whether this program runs the server, so that one that is slow to answer is waited for; false by default. */
  readonly isOwn?: boolean
}

/** A server that this program runs: the address of a superuser. */
export interface OwnServer {
  readonly url: Redacted.Redacted<string>
}

const CONNECTIONS_MAX = 10

interface ClientOptions {
  readonly url: Redacted.Redacted<string>
  readonly max: number
  readonly setup: string
  readonly patience: Patience.Patience
  /** Whether connections may lead to a standby; false by default. */
  readonly acceptsStandby?: boolean
  /** Whether the pool's figures are among the metrics. */
  readonly isMeasured?: boolean
}

const watchOf = ({
  url,
  patience: { opening, watch }
}: ClientOptions): Effect.Effect<ServerWatch.ServerWatch, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const config = {
        connectionString: Redacted.value(url),
        application_name: "attestry-watch",
        opening
      }
      return ServerWatch.make((backends) => WatchedClient.working(config, backends), watch)
    }),
    ({ close }) => Effect.sync(close)
  )

const makePool = (
  { url, max, setup, patience, acceptsStandby = false }: ClientOptions,
  watch: ServerWatch.ServerWatch
): Effect.Effect<WatchedPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new WatchedPool({
          connectionString: Redacted.value(url),
          max,
          application_name: "attestry",
          types: PgDriver.TYPES,
          setup,
          acceptsStandby,
          patience,
          watch
        })
    ),
    (made) => Effect.promise(() => made.end())
  )

const client = (options: ClientOptions): Layer.Layer<SqlClient.SqlClient | Driver> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const watch = yield* watchOf(options)
      // WHY its own setup: the application role may not cancel what the connection's role runs.
      const canceller = yield* makePool(
        { ...options, max: 1, setup: SessionSettings.SESSION },
        watch
      )
      const pool = yield* makePool(options, watch)
      if (options.isMeasured === true) yield* PoolMetrics.measure(pool)
      return yield* PgDriver.make({ pool, canceller, watch })
    })
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * A client that works as the owner, to migrate with.
 *
 * WHY patient with every server: no request waits yet, and a start that fails must be repeated by hand.
 */
export const layerOwner = ({
  url,
  migrationUrl
}: PgStoreOptions): Layer.Layer<SqlClient.SqlClient | Driver> =>
  client({
    url: migrationUrl ?? url,
    max: 2,
    setup: SessionSettings.SESSION,
    patience: Patience.OWN
  })

const prepare = Effect.zipRight(Migrations.run, Statistics.gather)

/** Brings the database to this program's version, and gives it statistics where it has none. */
export const migrate = (options: PgStoreOptions): Effect.Effect<void, StoreError> =>
  Effect.provide(prepare, layerOwner(options))

/** Migrates the database of a server that this program runs; returns how to connect as a role that is no superuser. */
export const openOwn = ({ url }: OwnServer): Effect.Effect<PgStoreOptions, StoreError> =>
  Effect.map(
    Effect.provide(Effect.zipRight(prepare, PoolRole.ensure(url)), layerOwner({ url })),
    (pool) => ({ url: pool, isOwn: true })
  )

/** A client that works as the application role. */
export const layerClient = ({
  url,
  connectionsMax,
  isOwn
}: PgStoreOptions): Layer.Layer<SqlClient.SqlClient | Driver> =>
  client({
    url,
    max: connectionsMax ?? CONNECTIONS_MAX,
    setup: SessionSettings.APPLICATION,
    patience: isOwn === true ? Patience.OWN : Patience.NETWORK,
    isMeasured: true
  })

/** A database that is read, and where the small writes of a reader go. */
export interface ReaderOptions extends Omit<PgStoreOptions, "migrationUrl" | "isOwn"> {
  /** The address of the primary; without it there are no small writes. */
  readonly primaryUrl?: Redacted.Redacted<string>
}

/** A client that only reads, from a standby or from a primary. */
export const layerReadingClient = ({
  url,
  connectionsMax
}: ReaderOptions): Layer.Layer<SqlClient.SqlClient | Driver> =>
  client({
    url,
    max: connectionsMax ?? CONNECTIONS_MAX,
    setup: SessionSettings.READER,
    acceptsStandby: true,
    patience: Patience.NETWORK,
    isMeasured: true
  })

/** One connection to the primary. */
const layerPrimary = ({ primaryUrl }: ReaderOptions): Layer.Layer<never> =>
  primaryUrl === undefined
    ? Layer.empty
    : Layer.effect(Primary.Primary, SqlClient.SqlClient).pipe(
        Layer.provide(
          client({
            url: primaryUrl,
            max: 1,
            setup: SessionSettings.APPLICATION,
            patience: Patience.NETWORK
          })
        )
      )

/** WHY patient: as with `layerOwner`. */
const checked = ({ url }: ReaderOptions): Effect.Effect<void, StoreError> =>
  Effect.provide(
    Migrations.check,
    client({
      url,
      max: 1,
      setup: SessionSettings.READER,
      acceptsStandby: true,
      patience: Patience.OWN
    })
  )

/** Every port, reading a database that already is at this program's version; nothing of it is changed. */
export const layerReader = (options: ReaderOptions): Layer.Layer<Ports, StoreError> =>
  SqlStore.layer.pipe(
    Layer.provide(layerReadingClient(options)),
    Layer.provide(Layer.merge(layerPrimary(options), Layer.succeed(Primary.IsReading, true))),
    Layer.provide(Layer.effectDiscard(checked(options)))
  )

/** Every port, on a database that is brought to this program's version first. */
export const layer = (options: PgStoreOptions): Layer.Layer<Ports, StoreError> =>
  SqlStore.layer.pipe(
    Layer.provide(layerClient(options)),
    Layer.provide(Layer.effectDiscard(migrate(options)))
  )

/** Every port, on a server that this program runs; its database is brought to this program's version first. */
export const layerOwn = (server: OwnServer): Layer.Layer<Ports, StoreError> =>
  Layer.unwrapEffect(
    Effect.map(openOwn(server), (options) => Layer.provide(SqlStore.layer, layerClient(options)))
  )

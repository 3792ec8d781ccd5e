/**
 * How does a host run its own PostgreSQL in a folder?
 *
 * `make` gives a real server, private to this process and its user, that lives as long as the
 * scope: created on the first start, found again on the next, restarted when it crashes, never on a
 * network. Migrations and roles are not its business.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import {
  DataFolderInUse,
  DataFolderUnusable,
  type EmbeddedPostgresError
} from "./EmbeddedPostgresError.js"
import * as ClusterCreation from "./internal/ClusterCreation.js"
import * as DatabaseCreation from "./internal/DatabaseCreation.js"
import * as DataFolder from "./internal/DataFolder.js"
import * as LockFile from "./internal/LockFile.js"
import * as PostgresBinaries from "./internal/PostgresBinaries.js"
import { inRealTime } from "./internal/RealTime.js"
import * as ServerAccount from "./internal/ServerAccount.js"
import * as ServerSettings from "./internal/ServerSettings.js"
import * as SocketFolder from "./internal/SocketFolder.js"
import * as SupervisedServer from "./internal/SupervisedServer.js"

/** The options of a server; only the folder has no default. */
export interface EmbeddedPostgresOptions {
  /** Made when it does not exist; holds the cluster, its password and the lock. */
  readonly dataDir: string
  /** Created when it does not exist; `attestry` by default. */
  readonly database?: string
  /** Settings of `postgresql.conf`, except those that decide where the server listens. */
  readonly settings?: ServerSettings.ServerSettings
  /** How long a start may take, crash recovery included; two minutes by default. */
  readonly startTimeoutMs?: number
  /** How long a fast shutdown may take before the server is killed; 20 seconds by default. */
  readonly stopTimeoutMs?: number
  /** A folder with `bin`, `lib` and `share` of PostgreSQL, instead of the one that is installed. */
  readonly installation?: string
  /** Where root keeps a copy of the programs when the server's account cannot reach them. */
  readonly cacheDir?: string
}

/** Where the program that holds a data folder listens for administration commands. */
export const adminSocket = (dataDir: string): string => DataFolder.layout(dataDir).adminSocket

/** A running server. */
export class EmbeddedPostgres extends Context.Tag("@attestry/embedded-postgres/EmbeddedPostgres")<
  EmbeddedPostgres,
  {
    /** The options of a `pg` pool; the role is the owner of the cluster. */
    readonly connection: DatabaseCreation.Connection
    /** The same as a connection string. */
    readonly url: Redacted.Redacted<string>
    /** The real path of the data folder. */
    readonly dataDir: string
    /** Stops the server and frees the folder before the scope closes; only the first call acts. */
    readonly stop: Effect.Effect<void>
  }
>() {}

const lock = ({ dataDir, lock: path }: DataFolder.DataFolder) =>
  LockFile.acquire(path).pipe(
    Effect.catchTags({
      LockTaken: ({ holder }) => new DataFolderInUse({ dataDir, pid: holder.pid }),
      LockCallFailed: ({ reason }) =>
        new DataFolderUnusable({ dataDir, operation: "locking it", reason, output: "" })
    })
  )

/** Checks without a trace, then takes the folder, and makes its cluster when it has none. */
const prepare = (options: EmbeddedPostgresOptions) =>
  Effect.gen(function* () {
    const wanted = DataFolder.layout(options.dataDir)
    const account = yield* ServerAccount.choose([wanted.cluster, wanted.dataDir])
    const binaries = yield* PostgresBinaries.find({
      account,
      installation: Option.fromNullable(options.installation),
      cacheDir: Option.fromNullable(options.cacheDir)
    })
    yield* DataFolder.inspect(wanted, binaries.majorVersion)
    const folder = yield* DataFolder.create(wanted, account)
    yield* lock(folder)
    // WHY: another process may have made the cluster between the first look and the lock.
    const content = yield* DataFolder.inspect(folder, binaries.majorVersion)
    const password = yield* DataFolder.password(folder, content)
    if (content === "Empty") {
      const timeoutMs = options.startTimeoutMs ?? startTimeoutMsDefault
      yield* ClusterCreation.create({ folder, binaries, account, password, timeoutMs })
    }
    yield* ClusterCreation.claim(folder, account)
    return { account, binaries, folder, password }
  })

const startTimeoutMsDefault = 120_000
const stopTimeoutMsDefault = 20_000

const run = (options: EmbeddedPostgresOptions) =>
  Effect.gen(function* () {
    const settings = yield* ServerSettings.check(options.settings ?? {})
    const { password, ...prepared } = yield* prepare(options)
    const { dataDir } = prepared.folder
    const socket = yield* SocketFolder.make(prepared.folder, prepared.account)
    yield* SupervisedServer.run({
      ...prepared,
      socket,
      settings,
      startTimeoutMs: options.startTimeoutMs ?? startTimeoutMsDefault,
      stopTimeoutMs: options.stopTimeoutMs ?? stopTimeoutMsDefault,
      current: MutableRef.make(Option.none())
    })
    const connection: DatabaseCreation.Connection = {
      host: socket.host,
      port: SocketFolder.port,
      user: ClusterCreation.owner,
      password,
      database: options.database ?? "attestry"
    }
    yield* DatabaseCreation.ensure(connection).pipe(
      Effect.mapError(DataFolderUnusable.fromCause(dataDir, "opening the database"))
    )
    return { connection, url: DatabaseCreation.toUrl(connection), dataDir }
  })

/** Starts a server that runs until the scope closes; it accepts connections when this returns. */
export const make = (
  options: EmbeddedPostgresOptions
): Effect.Effect<EmbeddedPostgres["Type"], EmbeddedPostgresError, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const server = yield* run(options).pipe(
      Scope.extend(scope),
      // A failed start leaves nothing running and nothing locked, also in a scope that stays open.
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    const stop = yield* Effect.cached(Effect.uninterruptible(Scope.close(scope, Exit.void)))
    return { ...server, stop }
  }).pipe(inRealTime, Effect.withSpan("EmbeddedPostgres.make"))

/** A server that runs as long as the layer lives. */
export const layer = (
  options: EmbeddedPostgresOptions
): Layer.Layer<EmbeddedPostgres, EmbeddedPostgresError> =>
  Layer.scoped(EmbeddedPostgres, make(options))

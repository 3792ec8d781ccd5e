/** A pool whose waiting requests are watched: no request waits long for a silent server. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Pg from "pg"
import * as Acquired from "../../internal/shared/Acquired.js"
import * as Patience from "./Patience.js"
import { type ServerWatch, silent } from "./ServerWatch.js"
import { setUp, WatchedClient, type WatchedClientConfig } from "./WatchedClient.js"

/** How long a connection is idle before the system probes it. */
const KEEP_ALIVE_MS = 10_000

type Connected = (error: Error | undefined, client: Pg.PoolClient | undefined) => void

const nothing = () => {}

const FOREIGN = new Error("the pool has made a client of another class")

/** A client of the pool that is in use. */
export type PooledClient = Pg.PoolClient & WatchedClient

/** How a pool is made. */
export interface WatchedPoolOptions extends Pg.PoolConfig {
  readonly types: Pg.CustomTypesConfig
  /** The statements that set up every connection. */
  readonly setup: string
  /** Whether connections may lead to a standby; false by default. */
  readonly acceptsStandby?: boolean
  readonly watch: ServerWatch
  /** How long connections are waited for; `NETWORK` by default. */
  readonly patience?: Patience.Patience
}

/** WHY: a pool passes its configuration on to the clients that it makes. */
interface PoolConfig extends Pg.PoolConfig, Pick<WatchedClientConfig, "opening"> {}

/** A pool that gives up on a silent server. */
export class WatchedPool extends Pg.Pool {
  private readonly watch: ServerWatch
  /** How long a request waits for a connection in use, in milliseconds. */
  readonly free: number

  /** INVARIANT: a connection is used only after its set-up has succeeded, so none works as the owner. */
  constructor({ setup, watch, acceptsStandby = false, ...given }: WatchedPoolOptions) {
    const { patience = Patience.NETWORK, ...config } = given
    const set = { statements: setup, acceptsStandby }
    const options: PoolConfig = {
      ...config,
      Client: WatchedClient,
      opening: patience.opening,
      connectionTimeoutMillis: patience.free,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client) =>
        client instanceof WatchedClient ? setUp(client, set) : Promise.reject(FOREIGN)
    }
    super(options)
    this.free = patience.free
    this.watch = watch
    // WHY: an idle connection that breaks would otherwise end the process; the pool replaces it.
    this.on("error", nothing)
  }

  /** A client until the scope closes; a broken one does not go back to the pool. */
  readonly reserve: Effect.Effect<PooledClient, Error, Scope.Scope> = Acquired.make(
    Effect.async<PooledClient, Error>((resume) =>
      this.watchedConnect((error, client) =>
        resume(
          client instanceof WatchedClient ? Effect.succeed(client) : Effect.fail(error ?? FOREIGN)
        )
      )
    ),
    (client) => client.release(client.isBroken)
  )

  /** Waits for a connection, unless the server is away or is found to be. */
  private watchedConnect(connected: Connected): void {
    let isWanted = true
    const fail = (cause: Error) => {
      isWanted = false
      connected(cause, undefined)
    }
    if (this.watch.isAway()) {
      // WHY not sooner: a caller that retries at once would keep the event loop from reading the probe's answer.
      setImmediate(fail, silent())
      return
    }
    const over = this.watch.begin({ backend: undefined, fail })
    this.connect((error, client, done) => {
      // WHY no answer: the pool gives a connection that it has, also while the server is silent.
      over(false)
      if (isWanted) connected(error, client)
      else if (client !== undefined) done()
    })
  }
}

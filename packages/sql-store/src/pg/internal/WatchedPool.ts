/** A pool whose connections, and those who wait for one, are watched: nobody waits for a silent server. */
import * as Pg from "pg"
import * as PreparedQueries from "./PreparedQueries.js"
import { type ServerWatch, silent } from "./ServerWatch.js"
import { setUp, WatchedClient } from "./WatchedClient.js"
import * as WatchedQueries from "./WatchedQueries.js"

/** How long to wait for a connection that others use: a burst is served late rather than refused. */
export const FREE_CONNECTION_WAIT_MS = 10_000
/** After which silence the system asks whether the other side of an idle connection is there. */
const KEEP_ALIVE_MS = 10_000

type Connected = (
  error: Error | undefined,
  client: Pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void
) => void

const nothing = () => {}

/** How a pool is made. */
export interface WatchedPoolOptions extends Pg.PoolConfig {
  readonly types: Pg.CustomTypesConfig
  /** What every connection is told first. */
  readonly setup: string
  readonly watch: ServerWatch
}

/** A pool that gives up on a silent server. */
export class WatchedPool extends Pg.Pool {
  private readonly watch: ServerWatch

  /** INVARIANT: a connection is given out only after its set-up has succeeded, so none works as the owner. */
  constructor({ setup, watch, ...config }: WatchedPoolOptions) {
    super({
      ...config,
      Client: WatchedClient,
      connectionTimeoutMillis: FREE_CONNECTION_WAIT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client) => setUp(client, setup)
    })
    this.watch = watch
    const nameOf = PreparedQueries.makeNames()
    this.on("connect", (client) => {
      PreparedQueries.prepare(client, { nameOf, types: config.types })
      WatchedQueries.watch(client, watch)
    })
    // WHY: an idle connection that breaks would otherwise end the process; the pool replaces it.
    this.on("error", nothing)
  }

  override connect(): Promise<Pg.PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<Pg.PoolClient> | undefined {
    if (connected !== undefined) {
      this.ask(connected)
      return undefined
    }
    return new Promise((resolve, reject) =>
      this.ask((error, client) => (client === undefined ? reject(error) : resolve(client)))
    )
  }

  /** Waits for a connection, unless the server is away or is found to be. */
  private ask(connected: Connected): void {
    let isWanted = true
    const fail = (cause: Error) => {
      isWanted = false
      connected(cause, undefined, nothing)
    }
    if (this.watch.isAway()) {
      // WHY not sooner: whoever asks again at once would keep the answer to the watch from being read.
      setImmediate(fail, silent())
      return
    }
    const over = this.watch.begin({ backend: undefined, fail })
    super.connect((error, client, done) => {
      over(client !== undefined)
      if (isWanted) connected(error, client, done)
      else if (client !== undefined) done()
    })
  }
}

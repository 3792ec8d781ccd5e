/** A connection that opens in time or not at all, knows its server process, and can be broken off. */
import * as Net from "node:net"
import * as Pg from "pg"
import { Standby } from "../../internal/shared/SqlFailure.js"
import * as LoopTimer from "./LoopTimer.js"
import * as Patience from "./Patience.js"

/** The configuration of a connection. */
export interface WatchedClientConfig extends Pg.ClientConfig {
  /** How long opening it may take, in milliseconds, and setting it up as long again; over it the server is away. */
  readonly opening?: number
}

/** A connection that can be watched. */
export class WatchedClient extends Pg.Client {
  /** The server process of this connection. */
  backend: number | undefined
  /** Whether the connection has broken. */
  isBroken = false
  /** Names of the statements that are prepared on this connection. */
  readonly prepared = new Set<string>()
  private readonly socket: Net.Socket
  /** How long opening it may take, and setting it up. */
  readonly opening: number

  /**
   * WHY a limit of its own: a pool has one limit both for opening a connection and for waiting for one, and the
   * client's limit counts time in which this process read nothing.
   */
  constructor({ opening = Patience.NETWORK.opening, ...config }: WatchedClientConfig = {}) {
    const socket = new Net.Socket()
    super({ ...config, connectionTimeoutMillis: 0, stream: () => socket })
    this.socket = socket
    this.opening = opening
    const stop = LoopTimer.after(opening, () => this.breakOff())
    this.once("connect", stop)
    socket.once("close", stop)
    // WHY: a broken connection emits an event, which ends the process when it has no listener.
    this.on("error", () => {
      this.isBroken = true
    })
  }

  /** Closes the connection at once; its unanswered statements fail. */
  breakOff(): void {
    this.isBroken = true
    this.socket.destroy()
  }
}

interface Facts {
  readonly backend: number
  readonly is_standby: boolean
}

/** WHY not the process number of the connection's start: behind a pooler that is the pooler's own. */
const FACTS = "select pg_backend_pid() as backend, pg_is_in_recovery() as is_standby"

/** How a connection is set up. */
export interface SetUp {
  readonly statements: string
  /** Whether it may lead to a standby. */
  readonly acceptsStandby: boolean
}

/**
 * Runs the statements that set up a new connection. A connection that does not answer in time is broken off, and one
 * to a standby is used for reading only: during a failover an address may lead to either server.
 */
export const setUp = async (
  client: WatchedClient,
  { statements, acceptsStandby }: SetUp
): Promise<void> => {
  const stop = LoopTimer.after(client.opening, () => client.breakOff())
  try {
    await client.query(statements)
    const { rows } = await client.query<Facts>(FACTS)
    if (rows[0]?.is_standby === true && !acceptsStandby) throw new Standby()
    client.backend = rows[0]?.backend
  } finally {
    stop()
  }
}

const WORKING = `select pid from pg_stat_activity
  where pid = any ($1::int4[]) and state = 'active'`

/** Which backends run a statement; asked on a new connection, so that an answer proves the server reachable. */
export const working = async (
  config: WatchedClientConfig,
  backends: ReadonlyArray<number>
): Promise<ReadonlySet<number> | undefined> => {
  const client = new WatchedClient(config)
  const stop = LoopTimer.after(client.opening, () => client.breakOff())
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly pid: number }>(WORKING, [backends])
    return new Set(rows.map(({ pid }) => pid))
  } catch (cause) {
    // A server that answers with an error is reachable.
    if (cause instanceof Pg.DatabaseError) return undefined
    throw cause
  } finally {
    stop()
    client.breakOff()
  }
}

/** A connection that opens quickly or not at all, knows who works for it, and can be broken off. */
import * as Net from "node:net"
import * as Pg from "pg"
import { Standby } from "../../shared/SqlFailure.js"

/** How long opening a connection may take: over it the server is away, and the answer is 503 (P-DB). */
export const CONNECTION_TIMEOUT_MS = 1_500

/** A connection that can be watched. */
export class WatchedClient extends Pg.Client {
  /** The process that works for this connection. */
  backend: number | undefined
  private readonly socket: Net.Socket

  /** WHY a limit of its own: a pool has one for opening a connection and for waiting for one. */
  constructor(config?: Pg.ClientConfig) {
    const socket = new Net.Socket()
    super({ ...config, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, stream: () => socket })
    this.socket = socket
    // WHY: a connection that breaks says so with an event, which ends the process when nobody hears it.
    this.on("error", () => {})
  }

  /** Breaks the connection without a farewell; what is unanswered on it fails. */
  breakOff(): void {
    this.socket.destroy()
  }
}

/** The process that works for a connection. */
export const backendOf = (client: Pg.ClientBase): number | undefined =>
  client instanceof WatchedClient ? client.backend : undefined

/** Breaks a connection. */
export const breakOff = (client: Pg.ClientBase): void => {
  if (client instanceof WatchedClient) client.breakOff()
}

interface Facts {
  readonly backend: number
  readonly is_standby: boolean
}

/** WHY not the number that comes with the connection: behind a pooler that is the pooler's own. */
const FACTS = "select pg_backend_pid() as backend, pg_is_in_recovery() as is_standby"

/**
 * Tells a new connection what it is for; one that does not answer in time is broken off, and one to a standby
 * is not used: while servers change their parts, an address may lead to either. DECISION B-127
 */
export const setUp = async (client: Pg.ClientBase, setup: string): Promise<void> => {
  const late = setTimeout(() => breakOff(client), CONNECTION_TIMEOUT_MS)
  try {
    await client.query(setup)
    const { rows } = await client.query<Facts>(FACTS)
    if (rows[0]?.is_standby === true) throw new Standby()
    if (client instanceof WatchedClient) client.backend = rows[0]?.backend
  } finally {
    clearTimeout(late)
  }
}

const WORKING = `select pid from pg_stat_activity
  where pid = any ($1::int4[]) and state = 'active'`

/** Which backends are at work; asked on a connection of its own, so that an answer says that all is well. */
export const working = async (
  config: Pg.ClientConfig,
  backends: ReadonlyArray<number>
): Promise<ReadonlySet<number> | undefined> => {
  const client = new WatchedClient(config)
  const late = setTimeout(() => client.breakOff(), CONNECTION_TIMEOUT_MS)
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly pid: number }>(WORKING, [backends])
    return new Set(rows.map(({ pid }) => pid))
  } catch (cause) {
    // A server that refuses in its own words is there.
    if (cause instanceof Pg.DatabaseError) return undefined
    throw cause
  } finally {
    clearTimeout(late)
    client.breakOff()
  }
}

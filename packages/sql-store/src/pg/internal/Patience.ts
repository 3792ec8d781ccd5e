/** How long a server is waited for before it counts as away: one of others, and one of our own on this machine. */
import * as ServerWatch from "./ServerWatch.js"

/** Times, in milliseconds. */
export interface Patience {
  /** How long opening a connection may take, and setting it up as long again. */
  readonly opening: number
  /** How long a request waits for a connection in use: a burst is served late rather than refused. */
  readonly free: number
  readonly watch: ServerWatch.WatchTimes
}

/** For a server on a network, which may be silent because it is gone: the answer is 503 within two seconds (P-DB). */
export const NETWORK: Patience = { opening: 1_500, free: 10_000, watch: ServerWatch.TIMES }

/**
 * For a server that this program runs, and for every start: as long as a request has, which is a minute (`LIMITS`).
 *
 * WHY: such a server does not vanish in silence. Its sockets break when it ends, and are refused while it is away; when
 * it is slow, the machine is busy.
 */
export const OWN: Patience = {
  opening: 60_000,
  free: 60_000,
  watch: { slow: 10_000, probe: 45_000, again: 1_000, grace: 100 }
}

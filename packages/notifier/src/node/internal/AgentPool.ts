/**
 * Which kept connections may a request use?
 *
 * Those of its own key and no others. The pool is bounded: the agent unused for longest leaves
 * first, but one that still carries a request is only closed after it.
 */
import type { Agent } from "node:https"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What two requests must have in common to share a connection. */
export interface AgentKey {
  readonly tenant: string
  readonly address: string
  readonly port: number
  readonly host: string
}

/** An agent in use; its sockets all lead to one checked address for one tenant. */
export interface Lent {
  readonly agent: Agent
  /** How many requests use it now; counted by the pool. */
  uses: number
}

/** Lends agents. */
export interface AgentPool {
  /** The agent of the key, which stays open at least until it is given back. */
  readonly take: (key: AgentKey) => Lent
  /** Ends one use of what `take` lent; to be called exactly once for each. */
  readonly giveBack: (lent: Lent) => void
}

// INVARIANT: no host name, address or port holds a line feed, so two keys never read the same.
const identify = ({ address, host, port, tenant }: AgentKey): string =>
  `${address}\n${port}\n${host}\n${tenant}`

const makeEntries = (agentsMax: number, open: () => Agent) => {
  // INVARIANT: `kept` is ordered by last use, and `leaving` holds only entries in use.
  const kept = new Map<string, Lent>()
  const leaving = new Set<Lent>()

  const trim = () => {
    for (const [id, entry] of kept) {
      if (kept.size <= agentsMax) return
      kept.delete(id)
      if (entry.uses === 0) entry.agent.destroy()
      else leaving.add(entry)
    }
  }

  const take = (key: AgentKey): Lent => {
    const id = identify(key)
    const entry = kept.get(id) ?? { agent: open(), uses: 0 }
    kept.delete(id)
    kept.set(id, entry)
    entry.uses += 1
    trim()
    return entry
  }

  const giveBack = (entry: Lent) => {
    entry.uses -= 1
    if (entry.uses === 0 && leaving.delete(entry)) entry.agent.destroy()
  }

  const close = () => {
    for (const { agent } of [...kept.values(), ...leaving]) agent.destroy()
    kept.clear()
    leaving.clear()
  }

  return { take, giveBack, close }
}

/** Opens a pool of at most `agentsMax` agents that is closed with the scope. */
export const make = (options: {
  readonly agentsMax: number
  readonly open: () => Agent
}): Effect.Effect<AgentPool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => makeEntries(options.agentsMax, options.open)),
    ({ close }) => Effect.sync(close)
  )

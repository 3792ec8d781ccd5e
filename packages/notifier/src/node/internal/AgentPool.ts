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

/** Lends agents; one agent's sockets all lead to one checked address for one tenant. */
export interface AgentPool {
  /** Runs with the agent of the key, which stays open at least until the effect has ended. */
  readonly use: <A, E, R>(
    key: AgentKey,
    run: (agent: Agent) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
}

interface Entry {
  readonly agent: Agent
  uses: number
}

const identify = ({ address, host, port, tenant }: AgentKey): string =>
  JSON.stringify([tenant, address, port, host])

const makeEntries = (agentsMax: number, open: () => Agent) => {
  // INVARIANT: `kept` is ordered by last use, and `leaving` holds only entries in use.
  const kept = new Map<string, Entry>()
  const leaving = new Set<Entry>()

  const trim = () => {
    for (const [id, entry] of kept) {
      if (kept.size <= agentsMax) return
      kept.delete(id)
      if (entry.uses === 0) entry.agent.destroy()
      else leaving.add(entry)
    }
  }

  const take = (id: string): Entry => {
    const entry = kept.get(id) ?? { agent: open(), uses: 0 }
    kept.delete(id)
    kept.set(id, entry)
    entry.uses += 1
    trim()
    return entry
  }

  const giveBack = (entry: Entry) => {
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
  ).pipe(
    Effect.map(({ giveBack, take }) => ({
      use: (key, run) =>
        Effect.acquireUseRelease(
          Effect.sync(() => take(identify(key))),
          ({ agent }) => run(agent),
          (entry) => Effect.sync(() => giveBack(entry))
        )
    }))
  )

/** Reads of pages: `useQuery` returns the cached answer of an operation and keeps it fresh. */
import { useEffect, useState } from "preact/hooks"
import { type Answer, callOf, type OperationName, type ParamsOf } from "./Api.js"
import * as Polling from "./Polling.js"
import * as QueryCache from "./QueryCache.js"
import { send } from "./Transport.js"

/** Called when a request had no valid session; the session module sets it. */
export const onSignedOut: { run: () => void } = { run: () => {} }

export const cache = QueryCache.make({
  load: (path, signal) => send({ method: "GET", path }, { signal }),
  now: () => Date.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  signedOut: () => onSignedOut.run()
})

export interface QueryOptions {
  /** The polling interval in milliseconds. By default, a read repeats only when the tab becomes visible again. */
  readonly poll?: number
  /** The answer never changes. */
  readonly immutable?: boolean
  /** Sends no request: the person may not read it, or it is not needed yet. */
  readonly skip?: boolean
}

/** WHY: a tab that becomes visible reads again, but not more often than this. */
const VISIBLE_AGAIN_MS = 30_000

/** Polls as `Polling` decides, until the returned function is called. */
const follow = (key: string, { poll }: QueryOptions): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const { lastAt, changedAt, failures } = cache.entry(key)
    const now = Date.now()
    const at = Polling.nextAt(
      {
        intervalMs: poll ?? VISIBLE_AGAIN_MS,
        isVisible: document.visibilityState === "visible",
        isOnline: navigator.onLine,
        lastAt: lastAt ?? now,
        changedAt,
        failures,
        chance: Math.random()
      },
      now
    )
    if (at !== undefined) timer = setTimeout(ask, at - now)
  }
  const ask = () => void cache.refresh(key).then(() => (poll === undefined ? undefined : plan()))
  if (poll !== undefined) plan()
  document.addEventListener("visibilitychange", plan)
  addEventListener("online", plan)
  return () => {
    clearTimeout(timer)
    document.removeEventListener("visibilitychange", plan)
    removeEventListener("online", plan)
  }
}

/** The state of an operation's answer; the component renders again when it changes. */
export const useQuery = <Id extends OperationName>(
  id: Id,
  params: ParamsOf<Id>,
  options: QueryOptions = {}
): QueryCache.QueryState<Answer<Id>> => {
  const key = callOf(id, params).path
  const { poll, immutable, skip = false } = options
  const entry = cache.entry(key, immutable === undefined ? {} : { immutable })
  const [, redraw] = useState(0)
  useEffect(() => {
    if (skip) return
    const leave = cache.read(key)
    // WHY: a write between rendering and this effect may have replaced the entry that was rendered.
    if (cache.entry(key) !== entry) redraw((count) => count + 1)
    const unfollow = immutable === true ? () => {} : follow(key, poll === undefined ? {} : { poll })
    return () => {
      unfollow()
      leave()
    }
  }, [key, poll, immutable, skip])
  // WHY: the contract types the answer of this operation.
  return entry.state.value as QueryCache.QueryState<Answer<Id>>
}

/** The states of several calls of one operation, in their order; equal calls share a request. */
export const useQueries = <Id extends OperationName>(
  id: Id,
  calls: ReadonlyArray<ParamsOf<Id>>
): ReadonlyArray<QueryCache.QueryState<Answer<Id>>> => {
  const keys = calls.map((params) => callOf(id, params).path)
  useEffect(() => {
    const leaves = keys.map((key) => cache.read(key))
    return () => {
      for (const leave of leaves) leave()
    }
  }, [keys.join("\n")])
  // WHY: as in `useQuery`.
  return keys.map((key) => cache.entry(key).state.value as QueryCache.QueryState<Answer<Id>>)
}

/**
 * Caches answers by URL: one signal per URL, shared by all readers.
 *
 * The old value stays while a new one is fetched. A request without readers is aborted after a while. Immutable
 * values stay for the life of the tab, up to a total size. The host provides time and transport.
 */
import { type Signal, signal } from "@preact/signals"
import type { ApiProblem } from "./ApiProblem.js"
import type { Outcome } from "./Transport.js"

export type QueryState<A> =
  | { readonly _tag: "Loading" }
  | { readonly _tag: "Ready"; readonly value: A; readonly at: number }
  | { readonly _tag: "Failed"; readonly problem: ApiProblem; readonly last: Known<A> | undefined }

/** A value, and when it was read. */
export interface Known<A> {
  readonly value: A
  readonly at: number
}

export interface Entry {
  readonly key: string
  readonly state: Signal<QueryState<unknown>>
  isImmutable: boolean
  readers: number
  bytes: number
  /** The text of the last value, to detect a change. */
  text: string | undefined
  changedAt: number | undefined
  lastAt: number | undefined
  failures: number
  running: AbortController | undefined
  cancelAbort: (() => void) | undefined
}

/** The functions that the cache needs from its host. */
export interface Host {
  readonly load: (path: string, signal: AbortSignal) => Promise<Outcome>
  readonly now: () => number
  /** Runs a function later; the returned function cancels it. */
  readonly later: (run: () => void, ms: number) => () => void
  /** Called after each answer without a valid session. */
  readonly signedOut: () => void
}

/** A request is aborted this long after its last reader left. */
export const ABORT_AFTER_MS = 5_000
/** Above this many characters, values without readers are dropped, least recently read first. */
export const BYTES_MAX = 20_000_000

/** The value of a state, even if the last request failed. */
export const knownOf = <A>(state: QueryState<A>): Known<A> | undefined => {
  if (state._tag === "Ready") return state
  return state._tag === "Failed" ? state.last : undefined
}

export interface QueryCache {
  /** The entry of a URL; fetches it if it has a reader and no value. */
  readonly entry: (key: string, options?: { readonly immutable?: boolean }) => Entry
  /** Registers a reader until the returned function is called. */
  readonly read: (key: string) => () => void
  /** Fetches a URL again. */
  readonly refresh: (key: string) => Promise<void>
  /** Refetches every URL with a prefix that has readers, and drops the others. */
  readonly invalidate: (prefix: string) => void
  /** Repeats failed requests, after signing in. */
  readonly retryFailed: () => void
  /** Drops everything, after signing out. */
  readonly clear: () => void
}

const newEntry = (key: string): Entry => ({
  key,
  state: signal<QueryState<unknown>>({ _tag: "Loading" }),
  isImmutable: false,
  readers: 0,
  bytes: 0,
  text: undefined,
  changedAt: undefined,
  lastAt: undefined,
  failures: 0,
  running: undefined,
  cancelAbort: undefined
})

/** Stores an outcome in an entry. */
const settle = (
  entry: Entry,
  outcome: Exclude<Outcome, { _tag: "Aborted" }>,
  now: number
): void => {
  entry.lastAt = now
  if (outcome._tag === "Refused") {
    entry.failures += 1
    const last = knownOf(entry.state.value)
    entry.state.value = { _tag: "Failed", problem: outcome.problem, last }
    return
  }
  // WHY undefined for an immutable value: its text would only take memory, and it is read again only on request.
  const text = entry.isImmutable ? undefined : outcome.text
  const isSame = text !== undefined && text === entry.text && entry.state.value._tag === "Ready"
  entry.failures = 0
  entry.bytes = outcome.bytes
  if (text !== entry.text) entry.changedAt = now
  entry.text = text
  // WHY the old value: an equal value must not cause a render.
  const value =
    isSame && entry.state.value._tag === "Ready" ? entry.state.value.value : outcome.value
  entry.state.value = { _tag: "Ready", value, at: now }
}

export const make = (host: Host): QueryCache => {
  /** INVARIANT: ordered by last read, oldest first. */
  const entries = new Map<string, Entry>()

  const shrink = () => {
    let total = [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0)
    for (const entry of [...entries.values()]) {
      if (total <= BYTES_MAX) return
      if (entry.readers > 0) continue
      entries.delete(entry.key)
      total -= entry.bytes
    }
  }

  const refresh = async (key: string): Promise<void> => {
    const entry = entries.get(key)
    if (entry === undefined || entry.running !== undefined) return
    const running = new AbortController()
    entry.running = running
    const outcome = await host.load(key, running.signal)
    if (entry.running === running) entry.running = undefined
    if (outcome._tag === "Aborted" || running.signal.aborted) return
    settle(entry, outcome, host.now())
    if (outcome._tag === "Refused" && outcome.problem.kind === "signed-out") host.signedOut()
    shrink()
  }

  const entryOf = (key: string, options: { readonly immutable?: boolean } = {}): Entry => {
    const entry = entries.get(key) ?? newEntry(key)
    entry.isImmutable ||= options.immutable === true
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  const stop = (entry: Entry) => {
    entry.running?.abort()
    entry.running = undefined
    if (entry.state.value._tag === "Loading") entries.delete(entry.key)
  }

  const read = (key: string) => {
    const entry = entryOf(key)
    entry.readers += 1
    entry.cancelAbort?.()
    entry.cancelAbort = undefined
    const isSettled = entry.isImmutable && entry.state.value._tag === "Ready"
    if (!isSettled) void refresh(key)
    let isReading = true
    return () => {
      if (!isReading) return
      isReading = false
      entry.readers -= 1
      if (entry.readers === 0) entry.cancelAbort = host.later(() => stop(entry), ABORT_AFTER_MS)
    }
  }

  const reload = (chosen: (entry: Entry) => boolean) => {
    for (const entry of [...entries.values()].filter(chosen)) {
      entry.running?.abort()
      entry.running = undefined
      if (entry.readers > 0) void refresh(entry.key)
      else entries.delete(entry.key)
    }
  }

  return {
    entry: entryOf,
    read,
    refresh,
    invalidate: (prefix) => reload(({ key }) => key.startsWith(prefix)),
    retryFailed: () => reload(({ state }) => state.value._tag === "Failed"),
    clear: () => reload(() => true)
  }
}

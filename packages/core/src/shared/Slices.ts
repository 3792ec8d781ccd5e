/**
 * Long computations in slices of a few milliseconds, between which the event loop serves other requests.
 *
 * One slice runs in each turn of the loop, however many computations are under way, so a caller that asks for many
 * large things delays others by one slice per turn. What is short enough runs in one go.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/** A slice ends when it has taken so long. */
const SLICE_MILLIS = 3

/** WHY a clock of its own: a test that stops its clock would stop the computation. */
const clock = Clock.make()

/** One turn of the event loop. WHY a timer: `Effect.yieldNow` lets other fibers run, and not the loop. */
const loop: Effect.Effect<void> = Effect.withClock(Effect.sleep(0), clock)

/** For whom a fiber computes: an org, or the empty text for work of no org. */
const payer = FiberRef.unsafeMake("")

/** Counts the slices of an effect against an org: orgs that compute at the same time take turns. */
export const countedFor = (org: string) => Effect.locally(payer, org)

/**
 * Computations that wait for a turn, by org; the org that was served last comes last.
 *
 * INVARIANT: turns are given exactly while there is an org in it.
 */
const waiting = new Map<string, Set<() => void>>()

/** Lets one computation run in each turn of the loop, until none waits. */
const serve: Effect.Effect<void> = Effect.zipRight(
  loop,
  Effect.suspend(() => {
    const [next] = waiting
    if (next === undefined) return Effect.void
    const [org, queue] = next
    const [resume] = queue
    waiting.delete(org)
    if (resume !== undefined) queue.delete(resume)
    if (queue.size > 0) waiting.set(org, queue)
    const isLast = waiting.size === 0
    resume?.()
    return isLast ? Effect.void : serve
  })
)

/** Calls a function when it is the turn of its org; the effect gives the place up. */
const join = (org: string, resume: () => void): Effect.Effect<void> => {
  const isServed = waiting.size > 0
  const queue = waiting.get(org) ?? new Set()
  waiting.set(org, queue.add(resume))
  if (!isServed) Effect.runFork(serve)
  return Effect.sync(() => void queue.delete(resume))
}

/** Waits for a turn of the event loop that no other computation takes. */
const turn: Effect.Effect<void> = Effect.flatMap(FiberRef.get(payer), (org) =>
  Effect.async<void>((resume) => join(org, () => resume(Effect.void)))
)

/** A computation on fewer items than this is short. */
const MANY = 1_024

/** Between two steps of a computation on so many items: lets the loop serve others, where the steps are long. */
export const between = (count: number): Effect.Effect<void> => (count < MANY ? Effect.void : turn)

/** Consecutive parts of so many items each. WHY not `Array.chunksOf`: it copies the rest of the list for each part. */
export const partsOf = <A>(items: ReadonlyArray<A>, size: number): Array<Array<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size)
  )

/** Each item replaced, in order. */
export const map = <A, B>(
  items: ReadonlyArray<A>,
  replace: (item: A, index: number) => B
): Effect.Effect<Array<B>> =>
  run(function* () {
    const replaced: Array<B> = []
    for (const item of items) {
      replaced.push(replace(item, replaced.length))
      yield
    }
    return replaced
  })

/** Merges two sorted lists; pauses now and then. */
function* merge<A>(
  left: ReadonlyArray<A>,
  right: ReadonlyArray<A>,
  compare: (left: A, right: A) => number
): Generator<void, Array<A>> {
  const merged: Array<A> = []
  const others = right.values()
  let other = others.next()
  for (const item of left) {
    for (; other.done !== true && compare(item, other.value) > 0; other = others.next()) {
      merged.push(other.value)
      yield* pauseAt(merged.length)
    }
    merged.push(item)
    yield* pauseAt(merged.length)
  }
  for (; other.done !== true; other = others.next()) merged.push(other.value)
  return merged
}

/** A sorted copy, equal items in their order; a long list is sorted in pieces. Pauses now and then. */
export function* sort<A>(
  items: ReadonlyArray<A>,
  compare: (left: A, right: A) => number,
  atOnce = MANY
): Generator<void, Array<A>> {
  let pieces: Array<Array<A>> = partsOf(items, atOnce)
  for (const piece of pieces) {
    piece.sort(compare)
    yield
  }
  while (pieces.length > 1) {
    const merged: Array<Array<A>> = []
    for (const [left = [], right = []] of partsOf(pieces, 2)) {
      merged.push(yield* merge(left, right, compare))
    }
    pieces = merged
  }
  return pieces[0] ?? []
}

/** Pauses after each so many items of a loop. */
export function* pauseAt(count: number): Generator<void, void> {
  if (count % MANY === MANY - 1) yield
}

/** Runs a computation that pauses by itself to its end, in one go. */
export { runSync } from "./Paused.js"

/** Runs a computation that pauses by itself; the loop serves others between slices. */
export const run = <A>(compute: () => Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const steps = compute()
    const slice: Effect.Effect<A> = Effect.suspend(() => {
      const end = clock.unsafeCurrentTimeMillis() + SLICE_MILLIS
      do {
        const { done, value } = steps.next()
        if (done === true) return Effect.succeed(value)
      } while (clock.unsafeCurrentTimeMillis() < end)
      return Effect.zipRight(turn, slice)
    })
    return slice
  })

/** Calls a function for each item, in order. */
export const forEach = <A>(
  items: ReadonlyArray<A>,
  accept: (item: A) => void
): Effect.Effect<void> =>
  run(function* () {
    for (const item of items) {
      accept(item)
      yield
    }
  })

/** The most items of one chunk of `flatMap`. */
const CHUNK_MAX = 64

/** The number of items of the first chunk: their size is not known yet. */
const CHUNK_FIRST = 8

/**
 * Lists of some items at a time, each made into others; the first failure ends it.
 *
 * WHY chunks that grow and shrink: an item may be a number or a text of megabytes.
 */
export const flatMap = <A, B, E, R>(
  items: ReadonlyArray<A>,
  make: (some: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E, R>
): Effect.Effect<ReadonlyArray<B>, E, R> => {
  if (items.length <= CHUNK_FIRST) return make(items)
  const made: Array<B> = []
  return Effect.gen(function* () {
    let begin = clock.unsafeCurrentTimeMillis()
    let size = CHUNK_FIRST
    for (let at = 0; at < items.length; ) {
      const before = clock.unsafeCurrentTimeMillis()
      for (const item of yield* make(items.slice(at, at + size))) made.push(item)
      at += size
      const now = clock.unsafeCurrentTimeMillis()
      size = now - before < 1 ? Math.min(CHUNK_MAX, 2 * size) : Math.max(1, Math.floor(size / 2))
      if (now - begin >= SLICE_MILLIS) {
        yield* turn
        begin = clock.unsafeCurrentTimeMillis()
      }
    }
    return made
  })
}

/** What a process remembers while it may: at most so much, the oldest forgotten first. */

/** Things by key. */
export interface BoundedCache<A> {
  readonly get: (key: string) => A | undefined
  /** Remembers a thing and gives it back. */
  readonly keep: (key: string, thing: A) => A
  readonly forget: (key: string) => void
}

/**
 * Remembers things of at most that size together, or so many things; the ones that were kept longest ago are
 * forgotten first.
 */
export const make = <A>(
  sizeMax: number,
  sizeOf: (thing: A) => number = () => 1
): BoundedCache<A> => {
  const known = new Map<string, A>()
  let size = 0
  const forget = (key: string) => {
    const thing = known.get(key)
    if (thing === undefined) return
    known.delete(key)
    size -= sizeOf(thing)
  }
  return {
    forget,
    get: (key) => known.get(key),
    keep: (key, thing) => {
      forget(key)
      known.set(key, thing)
      size += sizeOf(thing)
      for (const oldest of known.keys()) {
        if (size <= sizeMax) break
        forget(oldest)
      }
      return thing
    }
  }
}

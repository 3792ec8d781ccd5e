/** What a process remembers while it may: at most so much, the oldest forgotten first. */

/** Things by key. */
export interface Remembered<A> {
  readonly get: (key: string) => A | undefined
  /** Remembers a thing and gives it back. */
  readonly keep: (key: string, thing: A) => A
}

/** Remembers at most so many things. */
export const make = <A>(countMax: number): Remembered<A> => {
  const known = new Map<string, A>()
  return {
    get: (key) => known.get(key),
    keep: (key, thing) => {
      const [oldest] = known.keys()
      if (known.size >= countMax && !known.has(key) && oldest !== undefined) known.delete(oldest)
      known.set(key, thing)
      return thing
    }
  }
}

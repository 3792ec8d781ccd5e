/** A map with a bound on its total size; the entries that were set first are evicted first. */

/** Values by key. */
export interface BoundedCache<A> {
  readonly get: (key: string) => A | undefined
  /** Stores a value as the newest entry and returns it. */
  readonly set: (key: string, value: A) => A
  readonly delete: (key: string) => void
}

/** A cache whose values have at most `sizeMax` as the sum of their sizes; without `sizeOf`, so many entries. */
export const make = <A>(
  sizeMax: number,
  sizeOf: (value: A) => number = () => 1
): BoundedCache<A> => {
  const entries = new Map<string, A>()
  let size = 0
  const remove = (key: string) => {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    size -= sizeOf(value)
  }
  return {
    delete: remove,
    get: (key) => entries.get(key),
    set: (key, value) => {
      remove(key)
      entries.set(key, value)
      size += sizeOf(value)
      for (const oldest of entries.keys()) {
        if (size <= sizeMax) break
        remove(oldest)
      }
      return value
    }
  }
}

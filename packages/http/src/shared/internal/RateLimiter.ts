/**
 * Token buckets, one for each key: so many in a burst, and as many again over a minute.
 *
 * Bounded in memory: beyond its number of keys the one that was idle longest is forgotten, and begins with
 * a full bucket when it comes back. The clock is monotonic, so that setting it back starves nobody.
 */

/** How much is allowed, and how many keys are remembered. */
export interface RateLimiterOptions {
  readonly perMinute: number
  readonly keysMax: number
  /** Milliseconds of a clock that only moves forward. */
  readonly now: () => number
}

/** The buckets of one kind of key. */
export interface RateLimiter {
  /** Takes one token: 0 when there was one, else the milliseconds until there will be. */
  readonly take: (key: string) => number
}

interface Bucket {
  tokens: number
  at: number
}

const MINUTE_MS = 60_000

/** Buckets that are all full. */
export const make = ({ perMinute, keysMax, now }: RateLimiterOptions): RateLimiter => {
  const buckets = new Map<string, Bucket>()
  const perMilli = perMinute / MINUTE_MS

  const bucketOf = (key: string, at: number): Bucket => {
    const known = buckets.get(key)
    // WHY: a map keeps the order of its insertions, so what is put back last was idle for the least time.
    if (known !== undefined) buckets.delete(key)
    else if (buckets.size >= keysMax) {
      const idle = buckets.keys().next()
      if (idle.done !== true) buckets.delete(idle.value)
    }
    const bucket = known ?? { tokens: perMinute, at }
    buckets.set(key, bucket)
    return bucket
  }

  return {
    take: (key) => {
      const at = now()
      const bucket = bucketOf(key, at)
      bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.at) * perMilli)
      bucket.at = at
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMilli))
      bucket.tokens -= 1
      return 0
    }
  }
}

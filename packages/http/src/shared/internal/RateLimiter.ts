/**
 * Token buckets, one for each key: `perMinute` tokens at once, refilled over a minute.
 *
 * Memory is bounded: beyond `keysMax` keys the least recently used bucket is dropped, and its key starts again with a
 * full bucket. The clock is monotonic, so that a change of the system time blocks no key.
 */

import * as BoundedCache from "@attestry/core/BoundedCache"

/** The rate, the number of buckets, and the clock. */
export interface RateLimiterOptions {
  readonly perMinute: number
  readonly keysMax: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

/** The buckets of one kind of key. */
export interface RateLimiter {
  /** Takes one token: 0 when there was one, otherwise the milliseconds until the next one. */
  readonly take: (key: string) => number
}

interface Bucket {
  tokens: number
  at: number
}

const MINUTE_MS = 60_000

/** A limiter whose buckets are full. */
export const make = ({ perMinute, keysMax, now }: RateLimiterOptions): RateLimiter => {
  const buckets = BoundedCache.make<Bucket>(keysMax)
  const perMilli = perMinute / MINUTE_MS

  return {
    take: (key) => {
      const at = now()
      const bucket = buckets.set(key, buckets.get(key) ?? { tokens: perMinute, at })
      bucket.tokens = Math.min(perMinute, bucket.tokens + (at - bucket.at) * perMilli)
      bucket.at = at
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMilli))
      bucket.tokens -= 1
      return 0
    }
  }
}

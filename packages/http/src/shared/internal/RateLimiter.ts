/**
 * Token buckets, one for each key: a number of tokens at once, refilled over a minute or another time.
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

/** Buckets with a number of tokens and the time in which they are refilled. */
interface BucketOptions extends Omit<RateLimiterOptions, "perMinute"> {
  readonly tokens: number
  readonly periodMs: number
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
export const refilled = ({ tokens, periodMs, keysMax, now }: BucketOptions): RateLimiter => {
  const buckets = BoundedCache.make<Bucket>(keysMax)
  const perMilli = tokens / periodMs

  return {
    take: (key) => {
      const at = now()
      const bucket = buckets.set(key, buckets.get(key) ?? { tokens, at })
      bucket.tokens = Math.min(tokens, bucket.tokens + (at - bucket.at) * perMilli)
      bucket.at = at
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMilli))
      bucket.tokens -= 1
      return 0
    }
  }
}

/** A limiter whose buckets are full, and refilled over a minute. */
export const make = ({ perMinute, ...options }: RateLimiterOptions): RateLimiter =>
  refilled({ ...options, tokens: perMinute, periodMs: MINUTE_MS })

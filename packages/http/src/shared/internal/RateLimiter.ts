/**
 * Token buckets, one for each key. Processes that share a limit have buckets of their parts, and together grant at most
 * the limit (SHARE-1), but for one token of each where its part is less.
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
  /** Among how many processes the tokens are divided now; one by default. */
  readonly sharers?: () => number
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
export const refilled = (options: BucketOptions): RateLimiter => {
  const { tokens, periodMs, keysMax, now, sharers = () => 1 } = options
  const buckets = BoundedCache.make<Bucket>(keysMax)

  return {
    take: (key) => {
      const at = now()
      const part = tokens / sharers()
      // WHY at least one: a smaller bucket would never grant anything.
      const most = Math.max(1, part)
      const perMilli = part / periodMs
      const bucket = buckets.set(key, buckets.get(key) ?? { tokens: most, at })
      bucket.tokens = Math.min(most, bucket.tokens + (at - bucket.at) * perMilli)
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

/**
 * The rate limits of an access pipeline: buckets of orgs and credentials, which processes share, and of sources.
 *
 * An org has two, for all requests and for writes; a refused request names its limit. While the process is overloaded,
 * orgs above their fair share wait.
 */
import * as HttpError from "@attestry/api/HttpError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { IncomingRequest } from "../HttpMessage.js"
import { LimitSharers, Overloaded, RequestLimits } from "../RequestLimits.js"
import * as OrgShares from "./OrgShares.js"
import * as RateLimiter from "./RateLimiter.js"

/** Each limiter has buckets for at most this many keys. */
const KEYS_MAX = 20_000

/** Requests a minute without access of one source, for logs that are public. */
const VISITS_PER_MINUTE = 6_000

/** Requests of the last five to ten seconds decide what share an org has. */
const SHARES_WINDOW_MS = 5_000

/** Refused requests come again after so many seconds, spread so that they do not come at once. */
const RETRY_SECONDS = { least: 1, spread: 3 }

/** Whether a request writes nothing, by its method. */
export const isRead = ({ method }: Pick<IncomingRequest, "method">): boolean =>
  method === "GET" || method === "HEAD"

/** 429 over a limit. */
export const tooMany = (
  millis: number,
  message = "Too many requests: please slow down"
): HttpError.TooManyRequests =>
  new HttpError.TooManyRequests({ message, retryAfterSeconds: Math.ceil(millis / 1000) })

/** 503 for a request that the process has no time for. */
const overloaded = (org: string): HttpError.Unavailable =>
  new HttpError.Unavailable({
    message: `the server has more to do than it can, and \`${org}\` sends more than others: try again`,
    retryAfterSeconds: RETRY_SECONDS.least + Math.floor(Math.random() * RETRY_SECONDS.spread)
  })

/** A limit with its buckets, and what it limits. */
interface Limit {
  readonly buckets: RateLimiter.RateLimiter
  readonly perMinute: number
  readonly what: "requests" | "writes"
}

/** Takes a token: 429 that names the limit, or none. */
const take = (
  { buckets, perMinute, what }: Limit,
  key: string,
  who: string
): Option.Option<HttpError.TooManyRequests> => {
  const millis = buckets.take(key)
  const limit = `${perMinute.toLocaleString("en-US")} ${what} a minute`
  return millis === 0 ? Option.none() : Option.some(tooMany(millis, `${who} may send ${limit}`))
}

/** The limiters of one access pipeline. */
export const make = Effect.gen(function* () {
  const [limits, sharers] = [yield* RequestLimits, yield* LimitSharers]
  const isOverloaded = yield* Overloaded
  const shares = OrgShares.make({ windowMs: SHARES_WINDOW_MS, now: () => performance.now() })
  const options = { keysMax: KEYS_MAX, now: () => performance.now() }
  const ofProcess = (perMinute: number) => RateLimiter.make({ ...options, perMinute })
  const shared = (perMinute: number, what: Limit["what"]): Limit => ({
    buckets: RateLimiter.make({ ...options, perMinute, sharers }),
    perMinute,
    what
  })
  const ofOrg = shared(limits.perOrg, "requests")
  const ofWrites = shared(limits.writesPerOrg, "writes")
  const ofCredential = shared(limits.perCredential, "requests")

  return {
    /** Counts a request of a credential: 429, or none. */
    credential: (id: string) => take(ofCredential, id, "this credential"),
    /** Counts a request to an org: 429, 503 while there is no time for it, or none. */
    org: (
      name: string,
      isWrite: boolean
    ): Option.Option<HttpError.TooManyRequests | HttpError.Unavailable> => {
      if (isOverloaded() && shares.isAbove(name)) return Option.some(overloaded(name))
      const refused = Option.orElse(take(ofOrg, name, name), () =>
        isWrite ? take(ofWrites, name, name) : Option.none()
      )
      if (Option.isNone(refused)) shares.count(name)
      return refused
    },
    failingSource: ofProcess(limits.failuresPerSource),
    visitingSource: ofProcess(VISITS_PER_MINUTE),
    failingKey: ofProcess(limits.failuresPerKey)
  } as const
})

/**
 * Decides whether a request is served: who sent it, how often they may ask, and what they may do.
 *
 * In this order: 401, the limits of the credential, 403, the limits of the org, the gate. Failed authentications are
 * counted and over the limit answer 429 instead of 401, but a good key is always looked at first: nobody
 * can lock out somebody else (P-RATE). DECISION A-28
 */
import * as Access from "@attestry/core/Access"
import type { Actor } from "@attestry/core/Actor"
import { InvalidCredential } from "@attestry/core/ApiKey"
import * as ApiKeySecret from "@attestry/core/ApiKeySecret"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { DeniedAttempts } from "@attestry/core/DeniedAttempts"
import { ApiKeyId } from "@attestry/core/Identifier"
import * as JsonGlance from "@attestry/core/JsonGlance"
import { Sessions } from "@attestry/core/Sessions"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Authentication from "./Authentication.js"
import { FeatureFlags } from "./FeatureFlags.js"
import * as HttpError from "./HttpError.js"
import type { IncomingRequest } from "./HttpMessage.js"
import * as RateLimiter from "./RateLimiter.js"
import { RequestLimits } from "./RequestLimits.js"
import type { Params, Route } from "./RouteTable.js"
import { FORBIDDEN, wireOf } from "./WireErrors.js"

/** A request with the operation that it means. */
export interface Asked {
  readonly request: IncomingRequest
  readonly route: Route
  readonly params: Params
}

/** Whoever calls an open operation: a member of no org, so every other operation denies it. */
const anonymous: Actor = {
  kind: "user",
  id: "",
  name: "anonymous",
  key_id: ApiKeyId.make(""),
  memberships: []
}

/** What a write by cookie answers that carries no token, or a wrong one. */
export const CSRF_MISSING = "The CSRF token is missing or wrong: send it as X-CSRF-Token"

/** Buckets of each kind are kept for this many keys. */
const KEYS_MAX = 20_000

const isRead = ({ method }: IncomingRequest): boolean => method === "GET" || method === "HEAD"

const denialOf = ({ request, route }: Asked): HttpError.Forbidden =>
  new HttpError.Forbidden({
    message:
      route.rule.denial === "path"
        ? `Access denied to ${request.url.split("?", 1)[0] ?? ""}`
        : FORBIDDEN
  })

/** Whether the operation's rule lets an actor in. */
const isAllowed = (actor: Actor, { route, params }: Asked): boolean => {
  const access = route.rule.narrow(params).access ?? route.rule.access
  return (
    access === "open" ||
    access === "authenticated" ||
    Access.isAllowed(actor, params.org ?? "", access)
  )
}

const tooMany = (millis: number): HttpError.TooManyRequests =>
  new HttpError.TooManyRequests({
    message: "Too many requests: please slow down",
    retryAfterSeconds: Math.ceil(millis / 1000)
  })

/** The id of the key that a failed authentication names, if it names one. */
const namedKey = (credentials: Authentication.Credentials): Option.Option<string> =>
  credentials._tag === "Key" ? ApiKeySecret.parse(Redacted.value(credentials.text)) : Option.none()

/** The name as it stands in an address where no store can keep it as it is: an attempt must not go unnoted. */
const storable = (name: string): string =>
  JsonGlance.isUnstorable(name) ? encodeURIComponent(name) : name

const makeLimiters = Effect.map(RequestLimits, (limits) => {
  const limiter = (perMinute: number) =>
    RateLimiter.make({ perMinute, keysMax: KEYS_MAX, now: () => performance.now() })
  return {
    org: limiter(limits.perOrg),
    credential: limiter(limits.perCredential),
    failingSource: limiter(limits.failuresPerSource),
    failingKey: limiter(limits.failuresPerKey)
  }
})

/** The admission of one dispatcher. */
export const make = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const sessions = yield* Sessions
  const denied = yield* DeniedAttempts
  const flags = yield* FeatureFlags
  const limiters = yield* makeLimiters

  const byCookie = (request: IncomingRequest, text: Redacted.Redacted<string>) =>
    Effect.gen(function* () {
      const session = yield* sessions.resume(text)
      const [token = ""] = request.headers("x-csrf-token")
      return isRead(request) || (yield* sessions.isToken(session, token))
        ? session.actor
        : yield* new HttpError.Forbidden({ message: CSRF_MISSING })
    })

  const identify = (
    request: IncomingRequest,
    credentials: Authentication.Credentials
  ): Effect.Effect<Actor, InvalidCredential | StoreError | HttpError.Forbidden> => {
    switch (credentials._tag) {
      case "Nothing":
        return new InvalidCredential()
      case "Key":
        return keys.authenticate(credentials.text)
      case "Cookie":
        return byCookie(request, credentials.text)
    }
  }

  /** 401, or 429 for whoever fails too often. */
  const refusal = (
    { remoteAddress }: IncomingRequest,
    credentials: Authentication.Credentials
  ): InvalidCredential | HttpError.TooManyRequests => {
    const source = remoteAddress === "" ? 0 : limiters.failingSource.take(remoteAddress)
    const key = Option.match(namedKey(credentials), {
      onNone: () => 0,
      onSome: (id) => limiters.failingKey.take(id)
    })
    const millis = Math.max(source, key)
    return millis === 0 ? new InvalidCredential() : tooMany(millis)
  }

  /** Whose the credentials of a request are. */
  const authenticate = (
    request: IncomingRequest,
    credentials: Authentication.Credentials
  ): Effect.Effect<Actor, HttpError.HttpError> =>
    Effect.mapError(identify(request, credentials), (error) =>
      wireOf(error._tag === "InvalidCredential" ? refusal(request, credentials) : error)
    )

  /** Keeps that an actor was denied something; the denial itself stands. */
  const noteDenial = (actor: Actor, { route, params }: Asked): Effect.Effect<void> =>
    denied.note(actor, `${route.group}.${route.name}`, storable(params.org ?? ""))

  /** 403 while the feature that an operation belongs to is closed to the request. DECISION A-13 */
  const passGate = (
    actor: Actor,
    { request, route, params }: Asked
  ): Effect.Effect<Actor, HttpError.Forbidden> => {
    const feature = route.rule.narrow(params).gate ?? route.rule.gate
    if (feature === null) return Effect.succeed(actor)
    const { headers } = request
    return Effect.flatMap(
      flags.closed({ feature, org: params.org ?? "", actor, headers }),
      Option.match({
        onNone: () => Effect.succeed(actor),
        onSome: (message) => new HttpError.Forbidden({ message })
      })
    )
  }

  /** INVARIANT: strangers are denied before they can spend anything of an org. */
  const check = (actor: Actor, asked: Asked): Effect.Effect<Actor, HttpError.HttpError> => {
    const own = limiters.credential.take(actor.key_id)
    if (own > 0) return tooMany(own)
    if (!isAllowed(actor, asked)) return Effect.zipRight(noteDenial(actor, asked), denialOf(asked))
    const org = asked.params.org
    const shared = org === undefined ? 0 : limiters.org.take(org)
    return shared > 0 ? tooMany(shared) : passGate(actor, asked)
  }

  /** Who is served, or why nobody is. */
  const admit = (asked: Asked): Effect.Effect<Actor, HttpError.HttpError> =>
    asked.route.rule.access === "open"
      ? Effect.succeed(anonymous)
      : Effect.flatMap(
          Effect.suspend(() =>
            authenticate(
              asked.request,
              Authentication.read(asked.request, asked.route.rule.schemes)
            )
          ),
          (actor) => check(actor, asked)
        )

  return { admit, authenticate, noteDenial } as const
})

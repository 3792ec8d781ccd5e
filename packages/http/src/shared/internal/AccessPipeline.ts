/**
 * Authorizes a request: authenticates the actor, then checks rate limits, permission and feature flags.
 *
 * In this order: 401, the limits of the credential, 403, the limits of the org, the feature flag. Failed
 * authentications are counted, and beyond their limit the response is 429 instead of 401. A valid key is accepted
 * before any count is read, so failed attempts with a key cannot lock its owner out (P-RATE).
 */
import * as HttpError from "@attestry/api/HttpError"
import * as Access from "@attestry/core/Access"
import type { Actor, UncountedOrg } from "@attestry/core/Actor"
import { InvalidCredential } from "@attestry/core/ApiKey"
import * as ApiKeySecret from "@attestry/core/ApiKeySecret"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { DeniedAttempts } from "@attestry/core/DeniedAttempts"
import { EmergencyKeyUses } from "@attestry/core/EmergencyKeyUses"
import { ApiKeyId, OrgName } from "@attestry/core/Identifier"
import { isUsableFrom } from "@attestry/core/KeyScope"
import { PublicLogs } from "@attestry/core/PublicLogs"
import { Reaches } from "@attestry/core/Reaches"
import { Sessions } from "@attestry/core/Sessions"
import { SignInRules } from "@attestry/core/SignInRules"
import * as StorableText from "@attestry/core/StorableText"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { FeatureFlags } from "../FeatureFlags.js"
import type { IncomingRequest } from "../HttpMessage.js"
import * as AccessLimits from "./AccessLimits.js"
import * as Authentication from "./Authentication.js"
import * as HostAuthentication from "./HostAuthentication.js"
import type { Params, Route } from "./RouteTable.js"
import { FORBIDDEN, wireOf } from "./WireErrors.js"

/** A request with its operation. */
export interface RoutedRequest {
  readonly request: IncomingRequest
  readonly route: Route
  readonly params: Params
}

/** The actor of open operations: a member of no org, so every other operation denies it. */
const anonymous: Actor = {
  kind: "user",
  id: "",
  name: "anonymous",
  key_id: ApiKeyId.make(""),
  memberships: []
}

/** Whether a request may write something. */
const isWrite = ({ request, route }: RoutedRequest): boolean =>
  !AccessLimits.isRead(request) && !route.rule.reads

/** The message for a write by cookie whose token is missing or wrong. */
export const CSRF_MISSING = "The CSRF token is missing or wrong: send it as X-CSRF-Token"

const isOrgName = Schema.is(OrgName)

const isSession = (request: IncomingRequest): boolean =>
  Option.isSome(Authentication.sessionText(request))

const denialOf = ({ request, route }: RoutedRequest): HttpError.Forbidden =>
  new HttpError.Forbidden({
    message:
      route.rule.denial === "path"
        ? `Access denied to ${request.url.split("?", 1)[0] ?? ""}`
        : FORBIDDEN
  })

/** What a session must be where it is not enough. RFC 9470 */
const INSUFFICIENT = 'error="insufficient_user_authentication"'

/** 401 for an org of the caller in which the credential does not count. */
const uncounted = (
  { org, sign_in }: UncountedOrg,
  what: "session" | "API key"
): HttpError.Unauthorized => {
  const instead = what === "session" ? "use an API key" : "use the key of a service account"
  return new HttpError.Unauthorized({
    message:
      `this ${what} does not count in org \`${org}\`: ` +
      (sign_in.length === 0 ? instead : `sign in with ${sign_in.join(" or ")}`),
    challenge: INSUFFICIENT
  })
}

/** 401 for a sensitive operation without a recent sign-in. */
export const stale = (maxAgeSeconds: number): HttpError.Unauthorized =>
  new HttpError.Unauthorized({
    message: `this needs a sign-in within the last ${maxAgeSeconds / 60} minutes: sign in again`,
    challenge: `${INSUFFICIENT}, max_age="${maxAgeSeconds}"`
  })

/** The id in the credentials of a failed authentication, if they contain one. */
const namedKey = (credentials: Authentication.Credentials): Option.Option<string> =>
  credentials._tag === "Key" ? ApiKeySecret.parse(Redacted.value(credentials.text)) : Option.none()

/** The name, percent-encoded where a store cannot hold it: every denied attempt must be recorded. */
const storable = (name: string): string =>
  StorableText.isUnstorable(name) ? encodeURIComponent(name) : name

/** The access pipeline of one dispatcher. */
export const make = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const sessions = yield* Sessions
  const denied = yield* DeniedAttempts
  const flags = yield* FeatureFlags
  const limiters = yield* AccessLimits.make
  const publicLogs = yield* PublicLogs
  const rules = yield* SignInRules
  const uses = yield* EmergencyKeyUses
  const ofHost = yield* HostAuthentication.make
  const reaches = yield* Reaches

  const byCookie = (request: IncomingRequest, text: Redacted.Redacted<string>) =>
    Effect.gen(function* () {
      const session = yield* sessions.resume(text)
      const [token = ""] = request.headers("x-csrf-token")
      return AccessLimits.isRead(request) || (yield* sessions.isToken(session, token))
        ? session.actor
        : yield* new HttpError.Forbidden({ message: CSRF_MISSING })
    })

  const identify = (
    { request, route }: RoutedRequest,
    credentials: Authentication.Credentials
  ): Effect.Effect<
    Actor,
    InvalidCredential | StoreError | HttpError.Forbidden | HttpError.Unavailable
  > => {
    switch (credentials._tag) {
      case "Nothing":
        return Effect.flatMap(
          ofHost(request, route.rule.schemes),
          Option.match({ onNone: () => new InvalidCredential(), onSome: Effect.succeed })
        )
      case "Key":
        return keys.authenticate(credentials.text)
      case "Session":
        return Effect.map(sessions.resume(credentials.text), ({ actor }) => actor)
      case "Cookie":
        return byCookie(request, credentials.text)
    }
  }

  /** 401, or 429 beyond the limit of failed authentications. */
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
    return millis === 0 ? new InvalidCredential() : AccessLimits.tooMany(millis)
  }

  /** Records a denial; it does not change the response. */
  const recordDenial = (
    actor: Actor,
    { route, params }: RoutedRequest,
    reason?: "network"
  ): Effect.Effect<void> =>
    denied.note(actor, {
      operation: `${route.group}.${route.name}`,
      org: storable(params.org ?? ""),
      reason
    })

  /** A key from outside of its networks is refused like a wrong one, and recorded. */
  const checkNetwork = (routed: RoutedRequest) => (actor: Actor) =>
    isUsableFrom(actor.scope, routed.request.remoteAddress)
      ? Effect.succeed(actor)
      : Effect.zipRight(recordDenial(actor, routed, "network"), new InvalidCredential())

  /** Tells the use of a key for emergencies, and refuses what cannot be told. */
  const tellUse =
    ({ route }: RoutedRequest) =>
    (actor: Actor) =>
      Effect.as(uses.tell(actor, `${route.group}.${route.name}`), actor)

  /** The actor of the credentials. */
  const authenticate = (
    routed: RoutedRequest,
    credentials: Authentication.Credentials
  ): Effect.Effect<Actor, HttpError.HttpError> =>
    identify(routed, credentials).pipe(
      Effect.flatMap(checkNetwork(routed)),
      Effect.flatMap(tellUse(routed)),
      Effect.mapError((error) =>
        wireOf(error._tag === "InvalidCredential" ? refusal(routed.request, credentials) : error)
      )
    )

  /** 403 while the feature of the operation is disabled for the request. */
  const checkFeature = (
    actor: Actor,
    { request, route, params }: RoutedRequest
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

  /** 401 for a sensitive operation where an org asks for a recent sign-in and the caller has none. */
  const checkFreshness = (
    actor: Actor,
    { route, params }: RoutedRequest
  ): Effect.Effect<void, HttpError.HttpError> => {
    const { org } = params
    const { isForEmergencies, isSensitive } = route.rule
    if (!isSensitive || (org !== undefined && !isOrgName(org))) return Effect.void
    if (isForEmergencies && actor.emergency === true) return Effect.void
    return Effect.flatMap(
      Effect.mapError(rules.stale(actor, org), wireOf),
      Option.match({ onNone: () => Effect.void, onSome: stale })
    )
  }

  /**
   * The actor that has the permission of the operation: in the whole org, by its base role or else by what it is given
   * there, or somewhere where that is enough. None without it.
   */
  const permitted = (
    actor: Actor,
    { route, params }: RoutedRequest
  ): Effect.Effect<Option.Option<Actor>, HttpError.HttpError> => {
    const access = route.rule.narrow(params).access ?? route.rule.access
    const org = params.org ?? ""
    const onlyIf = (isAllowed: boolean, who = actor) =>
      isAllowed ? Option.some(who) : Option.none()
    if (access === "open" || access === "authenticated") return Effect.succeedSome(actor)
    if (access === "member") return Effect.succeed(onlyIf(Access.isMember(actor, org)))
    if (Access.isAllowed(actor, org, access)) return Effect.succeedSome(actor)
    return Effect.mapError(
      route.place === "root"
        ? Effect.map(reaches.atRoot(actor, org), (raised) =>
            onlyIf(Access.isAllowed(raised, org, access), raised)
          )
        : Effect.map(reaches.isAllowedSomewhere(actor, org, access), (isAllowed) =>
            onlyIf(isAllowed)
          ),
      wireOf
    )
  }

  /** 403, or 401 where another session of the actor counts. */
  const refuse = (actor: Actor, routed: RoutedRequest) => {
    const elsewhere = actor.uncounted?.find(({ org }) => org === routed.params.org)
    if (elsewhere !== undefined)
      return uncounted(elsewhere, isSession(routed.request) ? "session" : "API key")
    return Effect.zipRight(recordDenial(actor, routed), denialOf(routed))
  }

  /** INVARIANT: an actor without permission is denied before it takes a token from the org's bucket. */
  const authorizeActor = (
    actor: Actor,
    routed: RoutedRequest
  ): Effect.Effect<Actor, HttpError.HttpError> => {
    const ofCredential = limiters.credential(actor.key_id)
    if (Option.isSome(ofCredential)) return ofCredential.value
    return Effect.flatMap(permitted(actor, routed), (found) => {
      if (Option.isNone(found)) return refuse(actor, routed)
      const { org } = routed.params
      const ofOrg = org === undefined ? Option.none() : limiters.org(org, isWrite(routed))
      if (Option.isSome(ofOrg)) return ofOrg.value
      return Effect.zipRight(checkFreshness(actor, routed), checkFeature(found.value, routed))
    })
  }

  /** The actor as a reader of a log that is public; none for all other logs and operations. */
  const visitor = (
    actor: Actor,
    { request, route, params }: RoutedRequest
  ): Effect.Effect<Option.Option<Actor>, HttpError.HttpError> => {
    const { org } = params
    if (!route.rule.opensPublicLog || !isOrgName(org)) return Effect.succeedNone
    const waitMs = limiters.visitingSource.take(request.remoteAddress)
    return waitMs > 0
      ? AccessLimits.tooMany(waitMs)
      : Effect.mapError(publicLogs.visitor(actor, org), wireOf)
  }

  /** The actor that may call the operation; `know` is given every actor that is authenticated, also a denied one. */
  const authorize = (
    routed: RoutedRequest,
    know: (actor: Actor) => void
  ): Effect.Effect<Actor, HttpError.HttpError> => {
    const { request, route, params } = routed
    if (route.rule.access === "open") return Effect.succeed(anonymous)
    const credentials = Authentication.read(request, route.rule.schemes)
    const identified = Effect.map(
      Effect.suspend(() => authenticate(routed, credentials)),
      (actor) => {
        know(actor)
        return actor
      }
    )
    if (!route.rule.opensPublicLog) {
      return Effect.flatMap(identified, (actor) => authorizeActor(actor, routed))
    }
    return Effect.gen(function* () {
      // WHY only without credentials: a wrong credential gets 401.
      const known =
        credentials._tag === "Nothing"
          ? yield* Effect.mapError(ofHost(request, route.rule.schemes), wireOf)
          : Option.some(yield* identified)
      const actor = Option.getOrElse(known, () => anonymous)
      if (Access.isAllowed(actor, params.org ?? "", "org.read")) {
        return yield* authorizeActor(actor, routed)
      }
      const found = yield* visitor(actor, routed)
      if (Option.isSome(found)) return found.value
      return yield* authorizeActor(Option.isNone(known) ? yield* identified : actor, routed)
    })
  }

  return { authorize, authenticate, recordDenial } as const
})

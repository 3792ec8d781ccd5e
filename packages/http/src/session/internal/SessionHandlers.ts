/** Serves sessions: sets and clears the cookie of browsers, and gives command lines a session of their own. */
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import { SessionApi } from "@attestry/api/SessionApi"
import { type Actor, type ActorMembership, CurrentActor } from "@attestry/core/Actor"
import { InvalidCredential } from "@attestry/core/ApiKey"
import { DefaultOrgs } from "@attestry/core/DefaultOrgs"
import { find } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import { Reaches } from "@attestry/core/Reaches"
import { LIFETIME_SECONDS } from "@attestry/core/Session"
import { Sessions } from "@attestry/core/Sessions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { created, type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import * as Authentication from "../../shared/internal/Authentication.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as SessionCookie from "./SessionCookie.js"

/** The key of a new session: the `Authorization` header has precedence over the body. */
const keyOf = (
  incoming: IncomingRequest,
  inBody: string | undefined
): Effect.Effect<Redacted.Redacted<string>, BadRequest> => {
  if (incoming.headers("authorization").length > 0) {
    const given = Authentication.read(incoming, ["bearer"])
    return Effect.succeed(given._tag === "Nothing" ? Redacted.make("") : given.text)
  }
  return inBody === undefined
    ? invalid({ api_key: "Field required [input: None]" })
    : Effect.succeed(Redacted.make(inBody))
}

/** INVARIANT: the request was authenticated with a cookie; its session may have ended since. */
const cookieOf = (incoming: IncomingRequest) =>
  Option.match(Authentication.sessionCookie(incoming), {
    onNone: () => new InvalidCredential(),
    onSome: Effect.succeed
  })

/** Serves browser sessions. */
export const SessionHandlers = group(
  SessionApi,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const defaults = yield* DefaultOrgs
    const base = yield* PublicUrl
    const providers = yield* Providers
    const connections = yield* ProviderConnections
    const reaches = yield* Reaches

    /** What the caller may do in an org; a permission that is about providers exists only where there are some. */
    const orgOf = (actor: Actor) => (membership: ActorMembership) =>
      Effect.map(reaches.ownAccess(actor, membership), ({ permissions, spaces }) => ({
        name: membership.org,
        role: membership.role,
        permissions: permissions.filter(
          (permission) => permission !== "sign-in.write" || providers.length > 0
        ),
        ...(spaces.length === 0 ? {} : { spaces })
      }))

    /** Where the browser goes on to sign out at the provider too; none where it need not. */
    const signOutOf = ({ signed_in: signedIn }: Actor) => {
      const provider = signedIn === undefined ? undefined : find(providers, signedIn.provider)
      return provider === undefined
        ? Effect.succeedNone
        : connections.endSession({ provider, returnTo: `${base.replace(/\/+$/, "")}/` })
    }

    return {
      open: ({ payload, incoming, authenticate }) =>
        Effect.gen(function* () {
          const actor = yield* authenticate(yield* keyOf(incoming, payload.api_key))
          const { text, csrfToken } = yield* sessions.open(actor)
          return {
            ...created({ csrf_token: Redacted.value(csrfToken) }),
            headers: {
              "set-cookie": SessionCookie.print(base, Redacted.value(text), LIFETIME_SECONDS)
            }
          }
        }).pipe(toWire),
      get: ({ incoming }) =>
        Effect.gen(function* () {
          const { actor, csrfToken, expiresAt } = yield* sessions.resume(yield* cookieOf(incoming))
          return ok({
            csrf_token: Redacted.value(csrfToken),
            actor: { kind: actor.kind, id: actor.id, name: actor.name },
            default_org: Option.getOrNull(yield* defaults.get()),
            orgs: yield* Effect.forEach(actor.memberships, orgOf(actor)),
            expires_at: expiresAt,
            sign_in: providers.map(({ id }) => id),
            ...(actor.signed_in === undefined ? {} : { signed_in: actor.signed_in }),
            ...(actor.uncounted === undefined
              ? {}
              : {
                  uncounted: actor.uncounted.map(({ org, sign_in }) => ({ name: org, sign_in }))
                })
          })
        }).pipe(toWire),
      close: ({ incoming }) =>
        Effect.gen(function* () {
          const location = yield* signOutOf(yield* CurrentActor)
          const text = Authentication.sessionText(incoming)
          if (Option.isNone(text)) return yield* new InvalidCredential()
          yield* sessions.close(text.value)
          return {
            ...ok(Option.isSome(location) ? { location: location.value } : ("OK" as const)),
            headers: { "set-cookie": SessionCookie.print(base, "", 0) }
          }
        }).pipe(toWire),
      offer: ({ payload, incoming }) =>
        Effect.gen(function* () {
          const text = yield* cookieOf(incoming)
          const { code, claimUntil } = yield* sessions.offer(text, payload.challenge)
          return created({ code: Redacted.value(code), claim_until: claimUntil })
        }).pipe(toWire),
      claim: ({ payload }) =>
        Effect.gen(function* () {
          const code = Redacted.make(payload.code)
          const { text, expiresAt } = yield* sessions.claim(code, Redacted.make(payload.verifier))
          return created({ token: Redacted.value(text), expires_at: expiresAt })
        }).pipe(toWire)
    }
  })
)

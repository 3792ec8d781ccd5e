/** Serves browser sessions: what goes into the cookie, and what takes it away. */
import { CurrentActor } from "@attestry/core/Actor"
import { InvalidCredential } from "@attestry/core/ApiKey"
import { LIFETIME_SECONDS } from "@attestry/core/Session"
import { Sessions } from "@attestry/core/Sessions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SESSION_COOKIE, sessionCookie } from "../shared/Authentication.js"
import { created, type IncomingRequest, ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import { PublicUrl } from "../shared/Links.js"
import { toWire } from "../shared/WireErrors.js"
import { SessionApi } from "./SessionApi.js"

/** No script reads it and no other site sends it; over TLS only, where the deployment is reached so. */
const setCookie = (base: string, text: string, seconds: number): string =>
  [
    `${SESSION_COOKIE}=${text}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${seconds}`,
    ...(base.startsWith("https:") ? ["Secure"] : [])
  ].join("; ")

/** INVARIANT: whoever came this far came with a cookie; it may have ended in the meantime. */
const cookieOf = (incoming: IncomingRequest) =>
  Option.match(sessionCookie(incoming), {
    onNone: () => new InvalidCredential(),
    onSome: Effect.succeed
  })

/** Serves browser sessions. */
export const SessionHandlers = group(
  SessionApi,
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const base = yield* PublicUrl
    return {
      open: () =>
        Effect.gen(function* () {
          const actor = yield* CurrentActor
          const { text, csrfToken, expiresAt } = yield* sessions.open(actor)
          return {
            ...created({
              user: actor.name,
              csrf_token: Redacted.value(csrfToken),
              expires_at: expiresAt
            }),
            headers: {
              "set-cookie": setCookie(base, Redacted.value(text), LIFETIME_SECONDS),
              "cache-control": "no-store"
            }
          }
        }).pipe(toWire),
      close: ({ incoming }) =>
        Effect.gen(function* () {
          yield* sessions.close(yield* cookieOf(incoming))
          return { ...ok("OK" as const), headers: { "set-cookie": setCookie(base, "", 0) } }
        }).pipe(toWire)
    }
  })
)

/** Serves the operations of sign-in with providers. */
import { SignInApi } from "@attestry/api/SignInApi"
import { InvalidCredential } from "@attestry/core/ApiKey"
import type { OrgName } from "@attestry/core/Identifier"
import { Identities } from "@attestry/core/Identities"
import { ProviderNotFound } from "@attestry/core/Identity"
import { offsetOf } from "@attestry/core/Page"
import { find, isOffered } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import * as ReturnPath from "@attestry/core/ReturnPath"
import { Sessions } from "@attestry/core/Sessions"
import { SignInRules } from "@attestry/core/SignInRules"
import { fromInput, type SignInSettings } from "@attestry/core/SignInSettings"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import * as Authentication from "../../shared/internal/Authentication.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Paging from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as PendingCookie from "./PendingCookie.js"
import * as SignInContext from "./SignInContext.js"

/** INVARIANT: the request was authenticated with a cookie; its session may have ended since. */
const cookieOf = (incoming: IncomingRequest) =>
  Option.match(Authentication.sessionCookie(incoming), {
    onNone: () => new InvalidCredential(),
    onSome: Effect.succeed
  })

/** Serves the operations of sign-in with providers. */
export const SignInHandlers = group(
  SignInApi,
  Effect.gen(function* () {
    const rules = yield* SignInRules
    const identities = yield* Identities
    const sessions = yield* Sessions
    const providers = yield* Providers
    const connections = yield* ProviderConnections
    const base = yield* PublicUrl

    const shown = (org: OrgName, settings: SignInSettings) =>
      ok({
        ...settings,
        offered: providers.filter((each) => isOffered(each, org)).map(({ id }) => id)
      })

    return {
      providers: () =>
        Effect.succeed(
          ok({
            providers: providers.map(({ id, label }) => ({
              id,
              label,
              path: `${PendingCookie.PATH}${id}`
            }))
          })
        ),
      get: ({ path }) =>
        rules.get(path.org).pipe(
          toWire,
          Effect.map((settings) => shown(path.org, settings))
        ),
      put: ({ path, payload }) =>
        rules.put(path.org, fromInput(payload)).pipe(
          toWire,
          Effect.map((settings) => shown(path.org, settings))
        ),
      attempts: ({ path, urlParams, incoming }) => {
        const page = Paging.pageOf(urlParams)
        return rules.attempts(path.org, { offset: offsetOf(page), limit: page.perPage }).pipe(
          toWire,
          Effect.map(({ items, total }) =>
            ok({
              ...Paging.counters(base, incoming, { total, page }),
              sign_ins: items.map(({ user_id: _user, ...attempt }) => attempt)
            })
          )
        )
      },
      identities: () =>
        identities.own().pipe(
          toWire,
          Effect.map((own) =>
            ok({ identities: own.map(({ user_id: _user, ...identity }) => identity) })
          )
        ),
      link: ({ path, payload, incoming }) =>
        Effect.gen(function* () {
          const provider = find(providers, path.provider)
          if (provider === undefined) return yield* new ProviderNotFound(path)
          const session = yield* sessions.resume(yield* cookieOf(incoming))
          const user = yield* identities.checkMayLink(session)
          const { location, sealed } = yield* connections.begin({
            provider,
            redirectUri: PendingCookie.callbackOf(base, provider.id),
            maxAge: null,
            context: SignInContext.print({ next: ReturnPath.sanitise(payload.next), link: user })
          })
          return {
            ...ok({ location }),
            headers: { "set-cookie": PendingCookie.print(base, provider.id, sealed) }
          }
        }).pipe(toWire),
      unlink: ({ path }) =>
        identities.unlinkOwn(path.provider).pipe(toWire, Effect.as(ok("OK" as const)))
    }
  })
)

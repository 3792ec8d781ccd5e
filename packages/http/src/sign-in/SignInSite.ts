/**
 * Where browsers begin to sign in with a provider, and come back to: `/_/sign-in/{provider}` and its `callback`.
 *
 * They are navigations, which answer with redirects and pages and not with the errors of the API, so they are not part
 * of the contract. Without providers nothing is put in front of the API.
 */
import * as IdentityClaims from "@attestry/core/IdentityClaims"
import { find, type Provider } from "@attestry/core/Provider"
import { ProviderConnections } from "@attestry/core/ProviderConnections"
import { Providers } from "@attestry/core/Providers"
import * as ReturnPath from "@attestry/core/ReturnPath"
import type { FailureClass } from "@attestry/core/SignIn"
import { SignIns } from "@attestry/core/SignIns"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SessionCookie from "../session/internal/SessionCookie.js"
import type { Dispatch, IncomingRequest, OutgoingResponse } from "../shared/HttpMessage.js"
import * as RateLimiter from "../shared/internal/RateLimiter.js"
import { PublicUrl } from "../shared/PublicUrl.js"
import * as FailurePage from "./internal/FailurePage.js"
import * as PendingCookie from "./internal/PendingCookie.js"
import * as SignInContext from "./internal/SignInContext.js"

/** The most requests of one source in a minute: each may cost a request to a provider. */
export const PER_MINUTE = 60

/** The most sources that are counted. */
const SOURCES_MAX = 10_000

/** The oldest sign-in that a page can ask for, in seconds. */
const MAX_AGE_SECONDS = 86_400

const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

const redirect = (status: number, location: string, cookie: string): OutgoingResponse => ({
  status,
  headers: { ...NO_STORE, location, "set-cookie": cookie },
  body: ""
})

const text = (status: number, body: string, headers = {}): OutgoingResponse => ({
  status,
  headers: { ...NO_STORE, "content-type": "text/plain; charset=utf-8", ...headers },
  body
})

const maxAgeOf = (query: URLSearchParams): number | null => {
  const given = query.get("max_age")
  return given !== null && /^[0-9]{1,5}$/.test(given) && Number(given) <= MAX_AGE_SECONDS
    ? Number(given)
    : null
}

const ROUTE = /^\/_\/sign-in\/([^/]+)(\/callback)?$/

/** A failure with whom the provider named. */
interface Failed {
  readonly _tag: "Failed"
  readonly failure: FailureClass
  readonly subject: string | null
}

const failed = (failure: FailureClass, subject: string | null = null): Failed => ({
  _tag: "Failed",
  failure,
  subject
})

const makeServe = Effect.gen(function* () {
  const signIns = yield* SignIns
  const connections = yield* ProviderConnections
  const base = (yield* PublicUrl).replace(/\/+$/, "")

  const page = (provider: Provider, { failure, subject }: Failed): OutgoingResponse =>
    FailurePage.make({ failure, provider, subject, home: `${PendingCookie.pathOf(base)}/` })

  const begin = (provider: Provider, query: URLSearchParams) =>
    connections
      .begin({
        provider,
        redirectUri: PendingCookie.callbackOf(base, provider.id),
        maxAge: maxAgeOf(query),
        context: SignInContext.print({ next: ReturnPath.sanitise(query.get("next")) })
      })
      .pipe(
        Effect.map(({ location, sealed }) =>
          redirect(302, location, PendingCookie.print(base, provider.id, sealed))
        ),
        Effect.tapError((error) => Effect.logWarning(error.message)),
        Effect.mapError(({ failure }) => failed(failure))
      )

  /** What the provider has confirmed, and what it was asked for. */
  const finish = (provider: Provider, request: IncomingRequest) =>
    Effect.gen(function* () {
      const { claims, context } = yield* connections
        .finish({
          provider,
          url: base + request.url,
          sealed: PendingCookie.read(request, provider.id)
        })
        .pipe(
          Effect.tapError((error) => Effect.logWarning(error.message)),
          Effect.mapError(({ failure }) => failed(failure))
        )
      const read = IdentityClaims.read(provider, claims)
      const purpose = SignInContext.parse(context)
      if (Option.isNone(read)) return yield* Effect.fail(failed("refused"))
      if (Option.isNone(purpose)) return yield* Effect.fail(failed("expired"))
      return { claims: read.value, purpose: purpose.value }
    })

  const callback = (provider: Provider, request: IncomingRequest) =>
    Effect.gen(function* () {
      const { claims, purpose } = yield* finish(provider, request)
      const next = PendingCookie.pathOf(base) + ReturnPath.sanitise(purpose.next)
      const refusal = failed("refused", claims.subject)
      if (purpose.link !== undefined) {
        return yield* signIns.linkTo(purpose.link, claims).pipe(
          Effect.as(text(303, "", { location: next })),
          Effect.catchTags({
            IdentityTaken: () => Effect.fail(refusal),
            SignInRefused: () => Effect.fail(refusal)
          })
        )
      }
      const opened = yield* Effect.catchTag(
        signIns.complete(provider, claims),
        "SignInRefused",
        () => Effect.fail(refusal)
      )
      const cookie = SessionCookie.print(base, Redacted.value(opened.text), opened.lifetimeSeconds)
      return redirect(303, next, cookie)
    })

  /** The page of a failure, which is kept; a refusal of a known subject was kept already. */
  const failing =
    (provider: Provider) =>
    (error: Failed): Effect.Effect<OutgoingResponse> =>
      Effect.as(
        error.failure === "refused" && error.subject !== null
          ? Effect.void
          : signIns.fail(provider.id, error.failure),
        page(provider, error)
      )

  return (provider: Provider, request: IncomingRequest, isCallback: boolean) => {
    const [, search = ""] = request.url.split("?", 2)
    const served: Effect.Effect<OutgoingResponse, Failed | { readonly _tag: "StoreError" }> =
      isCallback ? callback(provider, request) : begin(provider, new URLSearchParams(search))
    return Effect.catchTags(served, {
      Failed: failing(provider),
      StoreError: (error) =>
        Effect.as(
          Effect.logWarning("a sign-in could not be stored", error),
          text(503, "the service cannot answer at the moment: please try again\n", {
            "retry-after": "1"
          })
        )
    })
  }
})

/** Puts the paths of sign-in in front of the API, where the host has providers; `now` is for limits. */
export const front = (
  dispatch: Dispatch,
  now: () => number = () => performance.now()
): Effect.Effect<Dispatch, never, SignIns> =>
  Effect.gen(function* () {
    const providers = yield* Providers
    if (providers.length === 0) return dispatch
    const serve = yield* makeServe
    const limiter = RateLimiter.make({ perMinute: PER_MINUTE, keysMax: SOURCES_MAX, now })
    return (request) => {
      const [path = ""] = request.url.split("?", 1)
      const [, id = "", tail] = ROUTE.exec(path) ?? []
      if (id === "") return dispatch(request)
      const provider = find(providers, id)
      if (provider === undefined)
        return Effect.succeed(text(404, "there is no provider of that name\n"))
      if (request.method !== "GET") return Effect.succeed(text(405, "only GET\n", { allow: "GET" }))
      const millis = request.remoteAddress === "" ? 0 : limiter.take(request.remoteAddress)
      return millis > 0
        ? Effect.succeed(
            text(429, "too many requests\n", { "retry-after": String(Math.ceil(millis / 1_000)) })
          )
        : serve(provider, request, tail !== undefined)
    }
  })

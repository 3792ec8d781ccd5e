/**
 * Fetches the keys of issuers that some rule names: discovery, then the JWK set. The host says how JSON is fetched and
 * when to look.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as IssuerKeys from "./IssuerKeys.js"
import { WorkloadIdentityStore } from "./WorkloadIdentityStore.js"

/** The keys of an issuer cannot be fetched; the reason names no address. */
export class IssuerUnreachable extends Schema.TaggedError<IssuerUnreachable>()(
  "IssuerUnreachable",
  { reason: Schema.String }
) {
  override get message(): string {
    return this.reason
  }
}

/** The JSON of an https URL, or why there is none. */
export type FetchJson = (url: string) => Effect.Effect<unknown, IssuerUnreachable>

const Discovery = Schema.Struct({ issuer: Schema.String, jwks_uri: Schema.String })
const decodeDiscovery = Schema.decodeUnknownOption(Discovery)

const refused = (reason: string) => new IssuerUnreachable({ reason })

/** The keys of an issuer; its discovery document must name the same issuer. */
const keysOf = (issuer: string, fetchJson: FetchJson) =>
  Effect.gen(function* () {
    const document = decodeDiscovery(
      yield* fetchJson(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`)
    )
    if (Option.isNone(document)) return yield* refused("no discovery document")
    if (document.value.issuer !== issuer) return yield* refused("discovery of another issuer")
    const keys = IssuerKeys.parse(yield* fetchJson(document.value.jwks_uri))
    return Option.isSome(keys) ? keys.value : yield* refused("no set of keys")
  })

/** Use case: fetches the keys of issuers. */
export class IssuerRefresh extends Effect.Service<IssuerRefresh>()("@attestry/core/IssuerRefresh", {
  effect: Effect.gen(function* () {
    const issuers = yield* WorkloadIdentityStore

    /** Fetches the keys of one issuer; 0 where that fails, which the store keeps. */
    const refreshOne = (issuer: string, fetchJson: FetchJson) =>
      keysOf(issuer, fetchJson).pipe(
        Effect.flatMap((keys) => Effect.as(issuers.saveKeys(issuer, keys), 1)),
        Effect.catchTag("IssuerUnreachable", ({ reason }) =>
          Effect.as(issuers.failKeys(issuer, reason), 0)
        )
      )

    /** Fetches the keys of every issuer that is due; returns how many could be fetched. */
    const refresh = Effect.fn("IssuerRefresh.refresh")(function* (fetchJson: FetchJson) {
      const due = yield* issuers.listDueIssuers(IssuerKeys.REFRESH_SECONDS)
      const fetched = yield* Effect.forEach(due, (issuer) => refreshOne(issuer, fetchJson), {
        concurrency: 4
      })
      return fetched.reduce((sum: number, one) => sum + one, 0)
    })

    return { refresh } as const
  })
}) {}

/**
 * Fetches the keys of issuers that some rule names: discovery, then the JWK set. The host says how JSON is fetched and
 * when to look.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoreError } from "../shared/StoreError.js"
import * as IssuerKeys from "./IssuerKeys.js"
import { IssuerStore } from "./IssuerStore.js"

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
const fetchKeys = (issuer: string, fetch: FetchJson) =>
  Effect.gen(function* () {
    const document = decodeDiscovery(
      yield* fetch(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`)
    )
    if (Option.isNone(document)) return yield* refused("no discovery document")
    if (document.value.issuer !== issuer) return yield* refused("discovery of another issuer")
    const keys = IssuerKeys.parse(yield* fetch(document.value.jwks_uri))
    return Option.isSome(keys) ? keys.value : yield* refused("no set of keys")
  })

/** Fetches the keys of every issuer that is due; returns how many could be fetched. */
export const refresh = (fetch: FetchJson): Effect.Effect<number, StoreError, IssuerStore> =>
  Effect.gen(function* () {
    const issuers = yield* IssuerStore
    const due = yield* issuers.listDue(IssuerKeys.REFRESH_SECONDS)
    const fetched = yield* Effect.forEach(
      due,
      (issuer) =>
        fetchKeys(issuer, fetch).pipe(
          Effect.flatMap((keys) => Effect.as(issuers.save(issuer, keys), 1)),
          Effect.catchTag("IssuerUnreachable", ({ reason }) =>
            Effect.as(issuers.fail(issuer, reason), 0)
          )
        ),
      { concurrency: 4 }
    )
    return fetched.reduce((sum: number, one) => sum + one, 0)
  })

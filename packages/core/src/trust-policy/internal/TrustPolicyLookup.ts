/** Finds the trust policy that applies in an org: the latest version, or one that trusts no signature. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as TrustPolicyDocument from "../TrustPolicyDocument.js"
import { TrustPolicyStore } from "../TrustPolicyStore.js"

/** The function that finds the trust policy of an org. */
export const make: Effect.Effect<
  (org: OrgId) => Effect.Effect<TrustPolicyDocument.TrustPolicyDocument, StoreError>,
  never,
  TrustPolicyStore
> = Effect.map(
  TrustPolicyStore,
  (store) => (org) =>
    Effect.map(
      store.findLatest(org),
      Option.match({
        onNone: () => TrustPolicyDocument.NONE,
        // WHY no error: a text is parsed before it is saved; one that a later release refuses trusts nothing.
        onSome: ({ text }) =>
          Either.getOrElse(TrustPolicyDocument.parse(text), () => TrustPolicyDocument.NONE)
      })
    )
)

/**
 * Port inside core: the trust policy of an org.
 *
 * The default is an org without one, which trusts no signature.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { NONE, type TrustPolicyDocument } from "../trust-policy/TrustPolicyDocument.js"

/** Finds trust policies. */
export interface TrustPolicyFinder {
  /** The newest trust policy of an org; `NONE` for an org without one. */
  readonly find: (org: OrgId) => Effect.Effect<TrustPolicyDocument, StoreError>
}

/** Port: the trust policy of an org. */
export class TrustPolicyInForce extends Context.Reference<TrustPolicyInForce>()(
  "@attestry/core/TrustPolicyInForce",
  { defaultValue: (): TrustPolicyFinder => ({ find: () => Effect.succeed(NONE) }) }
) {}

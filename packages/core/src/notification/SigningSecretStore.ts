/** Port: the secrets that sign the webhooks of orgs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { SigningSecret } from "./SigningSecret.js"

/** Port: signing secrets. */
export class SigningSecretStore extends Context.Tag("@attestry/core/SigningSecretStore")<
  SigningSecretStore,
  {
    /** The org's secrets; none before the first. */
    readonly findSecret: (
      org: OrgId,
      locking?: Locking
    ) => Effect.Effect<Option.Option<SigningSecret>, StoreError>
    /** Adds an org's first secret and returns true; returns false and does nothing when it has one. */
    readonly insertSecret: (secret: SigningSecret) => Effect.Effect<boolean, StoreError>
    /** Replaces the org's secrets. The caller holds the lock. */
    readonly updateSecret: (secret: SigningSecret) => Effect.Effect<void, StoreError>
  }
>() {}

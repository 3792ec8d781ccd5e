/** Port: the secrets with which orgs sign their webhooks. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { SigningSecret } from "./SigningSecret.js"

/** Port: signing secrets. */
export class SigningSecretStore extends Context.Tag("@attestry/core/SigningSecretStore")<
  SigningSecretStore,
  {
    /** The org's secrets. */
    readonly find: (org: OrgId) => Effect.Effect<Option.Option<SigningSecret>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (org: OrgId) => Effect.Effect<Option.Option<SigningSecret>, StoreError>
    /** Adds an org's first secret; `false`, and nothing done, when it has one. */
    readonly insert: (secret: SigningSecret) => Effect.Effect<boolean, StoreError>
    /** Replaces the org's secrets. */
    readonly update: (secret: SigningSecret) => Effect.Effect<void, StoreError>
  }
>() {}

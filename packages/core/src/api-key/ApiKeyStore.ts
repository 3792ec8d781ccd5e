/** Port: credentials. They are global: a key is looked up before anybody knows which org it opens. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Actor } from "../access/Actor.js"
import type { ApiKeyId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { ApiKey } from "./ApiKey.js"

/** A key with the actor that it stands for, as of one instant. */
export interface Credential {
  readonly key: ApiKey
  readonly actor: Actor
  /** The store's clock when the credential was read. */
  readonly now: Timestamp
}

/** Port: credentials. */
export class ApiKeyStore extends Context.Tag("@attestry/core/ApiKeyStore")<
  ApiKeyStore,
  {
    /** The key with its actor and the actor's memberships; one round trip, whatever the number of orgs. */
    readonly findCredential: (id: ApiKeyId) => Effect.Effect<Option.Option<Credential>, StoreError>
    /** Adds a key. Ids are fresh, so there is nothing to collide with. */
    readonly insert: (key: ApiKey) => Effect.Effect<void, StoreError>
  }
>() {}

/**
 * Port: credentials. They are global: a key is looked up before it is known which org it opens.
 *
 * INVARIANT: a transaction around a call about the key of a service account is one of that account's org.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Actor } from "../access/Actor.js"
import type { ApiKeyId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { ApiKey, ApiKeyOwner } from "./ApiKey.js"

/** A key with the actor that it stands for, as of one instant. */
export interface Credential {
  readonly key: ApiKey
  readonly actor: Actor
  /** The store's clock when the credential was read. */
  readonly now: Timestamp
}

/** One of an owner's keys. */
export interface OwnedKey {
  readonly owner: ApiKeyOwner
  readonly id: ApiKeyId
}

/** Port: credentials. */
export class ApiKeyStore extends Context.Tag("@attestry/core/ApiKeyStore")<
  ApiKeyStore,
  {
    /**
     * The key, valid or not, with its actor: a user with every membership, or a service account with its
     * one org and its privilege. One round trip, whatever the number of orgs; `last_used_at` may be that
     * of a moment ago.
     */
    readonly findCredential: (id: ApiKeyId) => Effect.Effect<Option.Option<Credential>, StoreError>
    /** Adds a key. Ids are fresh, so there is nothing to collide with. */
    readonly insert: (key: ApiKey) => Effect.Effect<void, StoreError>
    /**
     * The owner's keys that are valid at the instant, oldest first, then by id; none where the owner is
     * neither a member nor an account of the org.
     */
    readonly list: (
      org: OrgId,
      owner: ApiKeyOwner,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<ApiKey>, StoreError>
    /** The owner's key of that id, valid or not; another owner's is not found. */
    readonly find: (key: OwnedKey) => Effect.Effect<Option.Option<ApiKey>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lock: (key: OwnedKey) => Effect.Effect<Option.Option<ApiKey>, StoreError>
    /** Writes when the key of that id was revoked and when its grace period ends, and nothing else. */
    readonly update: (key: ApiKey) => Effect.Effect<void, StoreError>
    /** Removes a key that nobody has seen: what a failed rotation may leave. */
    readonly remove: (key: OwnedKey) => Effect.Effect<void, StoreError>
    /**
     * Remembers that a key opened something. Costs no write of its own: values are collected and written
     * every few seconds, this process sees them at once, and a crash may lose them.
     */
    readonly markUsed: (id: ApiKeyId, at: Timestamp) => Effect.Effect<void>
  }
>() {}

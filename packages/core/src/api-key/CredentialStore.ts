/**
 * Port: API keys and browser sessions. They are global: a credential is looked up before its org is known.
 *
 * INVARIANT: a call about the key of a service account runs outside a transaction, or in one of the account's org.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Actor } from "../access/Actor.js"
import type { KeySession, PersonSession, Session } from "../session/Session.js"
import type { ApiKeyId, OrgId, ServiceAccountId, SessionId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Locking } from "../shared/Transaction.js"
import type { ApiKey, ApiKeyOwner } from "./ApiKey.js"

/** A key with its actor, as of one instant. */
export interface Credential {
  readonly key: ApiKey
  readonly actor: Actor
  /** The store's clock when the credential was read. */
  readonly now: Timestamp
  /** The orgs that have ended the browser sessions of the actor, and when. */
  readonly sessionsAfter: ReadonlyMap<OrgId, Timestamp>
}

/** One of an owner's keys. */
export interface OwnedKey {
  readonly owner: ApiKeyOwner
  readonly id: ApiKeyId
}

/** Which keys of an org are listed; an absent condition selects all. */
export interface OrgKeyFilter {
  /** Keys that are valid then. */
  readonly at: Timestamp
  /** Keys that were last used, or made where they never were, at that instant or before. */
  readonly unusedSince?: Timestamp
  /** Keys that end at that instant or before. */
  readonly endsUntil?: Timestamp
  readonly isScoped?: boolean
  /** Keys of these service accounts alone. */
  readonly accounts?: ReadonlyArray<ServiceAccountId>
  /** Keys for emergencies alone. */
  readonly isEmergency?: true
}

/** A key that counts in an org, with the login of its user or the name of its account. */
export interface OrgKey {
  readonly key: ApiKey
  readonly ownerName: string
}

type Draft<A> = Omit<A, "created_at" | "expires_at"> & { readonly lifetimeSeconds: number }

/** A session before the store sets its beginning. */
export type SessionDraft = Draft<KeySession> | Draft<PersonSession>

/** A session for a command line, which counts once it is claimed. */
export interface SessionOffer {
  readonly id: SessionId
  /** The session whose person, beginning and end it has. */
  readonly source: SessionId
  readonly digest: string
  readonly challenge: string
  /** For how long it can be claimed. */
  readonly claimSeconds: number
}

/** What a command line claims an offered session with. */
export interface SessionClaim {
  readonly id: SessionId
  readonly digest: string
  readonly challenge: string
  /** The digest of the secret that the session has from now on. */
  readonly newDigest: string
}

/** Port: API keys and browser sessions. */
export class CredentialStore extends Context.Tag("@attestry/core/CredentialStore")<
  CredentialStore,
  {
    /**
     * The key of that id, valid or not, with its actor: a user with all memberships that are not suspended, or a
     * service account with its org and role. None when there is no such key. `last_used_at` may be out of date by a few
     * seconds.
     */
    readonly findCredential: (id: ApiKeyId) => Effect.Effect<Option.Option<Credential>, StoreError>
    /** Adds a key. The caller generates a fresh id. */
    readonly insertKey: (key: ApiKey) => Effect.Effect<void, StoreError>
    /**
     * The keys of an owner that are valid at the instant, oldest first, then by id. Empty when the owner is
     * neither a member nor a service account of the org.
     */
    readonly listKeys: (
      org: OrgId,
      owner: ApiKeyOwner,
      at: Timestamp
    ) => Effect.Effect<ReadonlyArray<ApiKey>, StoreError>
    /** A page of the keys of an org's members and service accounts that count in it, oldest first, then by id. */
    readonly listOrgKeys: (
      org: OrgId,
      filter: OrgKeyFilter,
      page: Page
    ) => Effect.Effect<Paged<OrgKey>, StoreError>
    /** The key of that id and owner, valid or not; none when the key has another owner. */
    readonly findKey: (
      key: OwnedKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<ApiKey>, StoreError>
    /** Writes `revoked_at` and `grace_period_expires_at` of the key of that id, and no other field. */
    readonly updateKey: (key: ApiKey) => Effect.Effect<void, StoreError>
    /** Removes a key; does nothing when there is none. Only for the new key of a rotation that failed. */
    readonly removeKey: (key: OwnedKey) => Effect.Effect<void, StoreError>
    /**
     * Sets `last_used_at`. A store may write the value later, within a few seconds; reads of the same process
     * see it at once, and a crash may lose it.
     */
    readonly markKeyUsed: (id: ApiKeyId, at: Timestamp) => Effect.Effect<void>
    /**
     * Adds a session that begins now, and returns it; deletes expired sessions. A session of a person needs the
     * identity of the user at its provider, and is removed with it.
     */
    readonly insertSession: (draft: SessionDraft) => Effect.Effect<Session, StoreError>
    /** The session of that id; none when there is none or it has expired. */
    readonly findSession: (id: SessionId) => Effect.Effect<Option.Option<Session>, StoreError>
    /**
     * Adds a session that `findSession` does not find before it is claimed, and returns it; none when its source
     * has ended. Deletes sessions that were not claimed in time.
     */
    readonly offerSession: (
      offer: SessionOffer
    ) => Effect.Effect<Option.Option<Session>, StoreError>
    /**
     * Gives an offered session its new secret; none, and nothing changes, when there is none of that digest and
     * challenge, when it was claimed, when its time is over, or when its source was removed. Of concurrent claims one
     * returns the session.
     */
    readonly claimSession: (
      claim: SessionClaim
    ) => Effect.Effect<Option.Option<Session>, StoreError>
    /** Removes a session; does nothing when there is none. */
    readonly removeSession: (id: SessionId) => Effect.Effect<void, StoreError>
  }
>() {}

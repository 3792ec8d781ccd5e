/**
 * Port: identities of users, the sign-in settings of orgs, and attempts to sign in.
 *
 * Identities and attempts are global: they are looked up before an org is known. Settings belong to an org.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ActorMembership } from "../access/Actor.js"
import type { User } from "../membership/Membership.js"
import type { Slice } from "../membership/MembershipStore.js"
import type { OrgId, UserId } from "../shared/Identifier.js"
import type { Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Identity, UserIdentity } from "./Identity.js"
import type { OrgSettings, SameAddress } from "./Joining.js"
import type { ProviderId } from "./Provider.js"
import type { ListedSignIn, SignInDraft } from "./SignIn.js"
import type { SignInSettings } from "./SignInSettings.js"

/** A user with the memberships that count. */
export interface Person {
  readonly user: User
  /** In the order of joining. */
  readonly memberships: ReadonlyArray<ActorMembership>
  /** The orgs that have ended the browser sessions of the user, and when. */
  readonly sessionsAfter: ReadonlyMap<OrgId, Timestamp>
}

/** An identity before the store sets the instant of its link. */
export type IdentityDraft = Omit<UserIdentity, "linked_at">

/** The attempts that an org may see. */
export interface SignInFilter {
  /** Attempts without a user are listed for these providers. */
  readonly providers: ReadonlyArray<ProviderId>
}

/** Port: identities of users, sign-in settings of orgs, and attempts to sign in. */
export class SignInStore extends Context.Tag("@attestry/core/SignInStore")<
  SignInStore,
  {
    /** The identity with its user; none when it is not linked. */
    readonly findIdentity: (
      identity: Identity
    ) => Effect.Effect<Option.Option<UserIdentity>, StoreError>
    /** The identities of a user, by provider. */
    readonly listIdentities: (
      user: UserId
    ) => Effect.Effect<ReadonlyArray<UserIdentity>, StoreError>
    /**
     * Links an identity now and returns it; none, and nothing changes, when it is linked already or the user has one
     * of that provider. Of concurrent links one returns the identity.
     */
    readonly insertIdentity: (
      draft: IdentityDraft
    ) => Effect.Effect<Option.Option<UserIdentity>, StoreError>
    /**
     * Removes the identity of a user at a provider and ends the sessions that it opened; false when there is none.
     */
    readonly removeIdentity: (
      user: UserId,
      provider: ProviderId
    ) => Effect.Effect<boolean, StoreError>
    /**
     * At most two users with that address, compared without regard to the case of ASCII letters, by id; without users
     * whom one org alone has, because that org has written the address.
     */
    readonly findByAddress: (email: string) => Effect.Effect<ReadonlyArray<SameAddress>, StoreError>
    /** The user of that id with all memberships that are not suspended; none when there is none. */
    readonly findPerson: (id: UserId) => Effect.Effect<Option.Option<Person>, StoreError>
    /** The settings of those of these orgs that have set some. */
    readonly findSettings: (
      orgs: ReadonlyArray<OrgId>
    ) => Effect.Effect<ReadonlyMap<OrgId, SignInSettings>, StoreError>
    /** Replaces the settings of an org. */
    readonly putSettings: (org: OrgId, settings: SignInSettings) => Effect.Effect<void, StoreError>
    /** Every org with a join rule of that provider, by name, with its settings. */
    readonly listJoining: (
      provider: ProviderId
    ) => Effect.Effect<ReadonlyArray<OrgSettings>, StoreError>
    /**
     * Stores an attempt at the store's current instant and returns true. Returns false and stores nothing when one
     * that is equal exists in the same minute. Deletes attempts older than `RETENTION_SECONDS`. Needs no transaction.
     */
    readonly insertSignIn: (draft: SignInDraft) => Effect.Effect<boolean, StoreError>
    /** A slice of the attempts of members of the org, and of those without a user, newest first; and their number. */
    readonly listSignIns: (
      org: OrgId,
      filter: SignInFilter,
      slice: Slice
    ) => Effect.Effect<Paged<ListedSignIn>, StoreError>
  }
>() {}

/**
 * Port: copies of what was recorded that are no records: answers that are stored for repeated requests, deliveries that
 * wait or have failed, what was allowed before, creators and addresses of notifications, what rows of snapshots say of
 * commits, and accounts of people. An erasure reaches them by the erased texts.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as NotificationTarget from "../notification/NotificationTarget.js"
import type { EnvironmentId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** What a delivery says. */
export interface DeliveryCopy {
  readonly id: string
  readonly notification: unknown
}

/** Erased texts, and what is left of each. */
export interface ErasedTexts {
  readonly texts: ReadonlyArray<string>
  readonly left: string
}

/** Texts in what was allowed in an environment. */
export interface AllowedPeriodTexts extends ErasedTexts {
  readonly environment: string
}

/** Texts in a notification of environments or flows. */
export interface NotificationTexts extends ErasedTexts {
  readonly number: number
}

/** Texts in what rows of snapshots say of commits of a trail. */
export interface CommitTexts extends ErasedTexts {
  /** The id of the trail. */
  readonly trail: string
}

/** Addresses of notifications. */
export interface AddressTexts extends NotificationTarget.Addresses {
  /** The id of the target; null for deliveries of every target of the org, and no target. */
  readonly target: string | null
  readonly at: Timestamp
}

/** A snapshot of a physical environment. */
export interface SnapshotKey {
  readonly environment: EnvironmentId
  readonly index: number
}

/** The members of a commit that can be erased. */
export const COMMIT_MEMBERS = ["author", "author_username", "message", "signer_username"] as const

/** Texts about a user. */
export interface PersonTexts extends ErasedTexts {
  /** The id of the user. */
  readonly user: string
}

/** The login of an account whose login was erased: an account needs one that no other has. */
export const erasedLogin = (user: string): string => `erased-${user}`

/** Port: copies. */
export class ErasureStore extends Context.Tag("@attestry/core/ErasureStore")<
  ErasureStore,
  {
    /** Withholds stored answers that contain one of the parts: the request counts as answered, its answer is gone. */
    readonly withholdAnswers: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /** The deliveries whose notification, as JSON, contains one of the parts. */
    readonly listDeliveries: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<DeliveryCopy>, StoreError>
    /** Replaces what a delivery says. */
    readonly putDelivery: (org: OrgId, copy: DeliveryCopy) => Effect.Effect<void, StoreError>
    /** Replaces reasons and creators that are equal to a text, in all that was ever allowed in an environment. */
    readonly eraseAllowedPeriods: (
      org: OrgId,
      texts: AllowedPeriodTexts
    ) => Effect.Effect<void, StoreError>
    /** The snapshots in which rows began that say one of the texts of a commit of the trail. */
    readonly listCommits: (
      org: OrgId,
      texts: Omit<CommitTexts, "left">
    ) => Effect.Effect<ReadonlyArray<SnapshotKey>, StoreError>
    /** Replaces members of commits of the trail that are equal to a text, in rows of all snapshots. */
    readonly eraseCommits: (org: OrgId, texts: CommitTexts) => Effect.Effect<void, StoreError>
    /**
     * Takes addresses out of a target and of its deliveries (`NotificationTarget.without`). A target that has none left
     * is disabled, and its deliveries are removed.
     */
    readonly eraseAddresses: (org: OrgId, texts: AddressTexts) => Effect.Effect<void, StoreError>
    /** Replaces the creator of a notification that is equal to a text. */
    readonly eraseCreator: (org: OrgId, texts: NotificationTexts) => Effect.Effect<void, StoreError>
    /**
     * Replaces the names of a user that are equal to a text: in the history of memberships of the org, and, unless the
     * user is a member of another org, in the account and in refused requests. A login becomes `erasedLogin`.
     */
    readonly erasePerson: (org: OrgId, texts: PersonTexts) => Effect.Effect<void, StoreError>
  }
>() {}

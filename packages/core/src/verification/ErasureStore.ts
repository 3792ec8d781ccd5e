/**
 * Port: copies of recorded values outside of the records: stored answers for repeated requests, waiting and failed
 * deliveries, earlier entries of allow-lists, creators and addresses of notifications, commits in rows of snapshots,
 * and accounts of people. An erasure finds them by the erased texts.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as NotificationTarget from "../notification/NotificationTarget.js"
import type { EnvironmentId, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"

/** A delivery with its notification. */
export interface DeliveryCopy {
  readonly id: string
  readonly notification: unknown
}

/** Erased texts, each with its replacement. */
export interface ErasedTexts {
  readonly texts: ReadonlyArray<string>
  readonly left: string
}

/** Texts in all earlier entries of an environment's allow-list. */
export interface AllowedPeriodTexts extends ErasedTexts {
  readonly environment: string
}

/** Texts in a notification of environments or flows. */
export interface NotificationTexts extends ErasedTexts {
  readonly number: number
}

/** Texts in the commits of a trail, in rows of snapshots. */
export interface CommitTexts extends ErasedTexts {
  /** The id of the trail. */
  readonly trail: string
}

/** Addresses of notifications. */
export interface AddressTexts extends NotificationTarget.Addresses {
  /** The id of the target. Null means the deliveries of every target of the org, and no target. */
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

/** The login that replaces an erased one: an account needs a unique login. */
export const erasedLogin = (user: string): string => `erased-${user}`

/** Port: copies. */
export class ErasureStore extends Context.Tag("@attestry/core/ErasureStore")<
  ErasureStore,
  {
    /** Removes stored answers that contain one of the parts. The request still counts as answered. */
    readonly withholdAnswers: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<void, StoreError>
    /** The deliveries whose notification, as JSON, contains one of the parts. */
    readonly listDeliveries: (
      org: OrgId,
      parts: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<DeliveryCopy>, StoreError>
    /** Replaces the notification of a delivery. */
    readonly putDelivery: (org: OrgId, copy: DeliveryCopy) => Effect.Effect<void, StoreError>
    /** Replaces reasons and creators that equal a text, in all entries that an environment's allow-list ever had. */
    readonly eraseAllowedPeriods: (
      org: OrgId,
      texts: AllowedPeriodTexts
    ) => Effect.Effect<void, StoreError>
    /** The snapshots in which rows began whose commit of the trail has one of the texts. */
    readonly listCommits: (
      org: OrgId,
      texts: Omit<CommitTexts, "left">
    ) => Effect.Effect<ReadonlyArray<SnapshotKey>, StoreError>
    /** Replaces members of the trail's commits that equal a text, in rows of all snapshots. */
    readonly eraseCommits: (org: OrgId, texts: CommitTexts) => Effect.Effect<void, StoreError>
    /**
     * Removes addresses from a target and its deliveries (`NotificationTarget.without`). A target without an address
     * is disabled, and its deliveries are removed.
     */
    readonly eraseAddresses: (org: OrgId, texts: AddressTexts) => Effect.Effect<void, StoreError>
    /** Replaces the creator of a notification if it equals a text. */
    readonly eraseCreator: (org: OrgId, texts: NotificationTexts) => Effect.Effect<void, StoreError>
    /**
     * Replaces the names of a user that equal a text: in the membership history of the org and, unless the user is a
     * member of another org, in the account and in refused requests. A login becomes `erasedLogin`.
     */
    readonly erasePerson: (org: OrgId, texts: PersonTexts) => Effect.Effect<void, StoreError>
  }
>() {}

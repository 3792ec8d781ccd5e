/**
 * Port: copies of what was recorded that are no records: answers that are stored for repeated requests, deliveries that
 * wait or have failed, what was allowed before, creators of notifications, and accounts of people. An erasure reaches
 * them by the erased texts.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

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
export interface AllowanceTexts extends ErasedTexts {
  readonly environment: string
}

/** Texts in a notification of environments or flows. */
export interface NotificationTexts extends ErasedTexts {
  readonly number: number
}

/** Texts about a user. */
export interface PersonTexts extends ErasedTexts {
  /** The id of the user. */
  readonly user: string
}

/** The login of an account whose login was erased: an account needs one that no other has. */
export const erasedLogin = (user: string): string => `erased-${user}`

/** Port: copies. */
export class CopyStore extends Context.Tag("@attestry/core/CopyStore")<
  CopyStore,
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
    readonly eraseAllowances: (org: OrgId, texts: AllowanceTexts) => Effect.Effect<void, StoreError>
    /** Replaces the creator of a notification that is equal to a text. */
    readonly eraseCreator: (org: OrgId, texts: NotificationTexts) => Effect.Effect<void, StoreError>
    /**
     * Replaces the names of a user that are equal to a text: in the history of memberships of the org, and, unless the
     * user is a member of another org, in the account and in refused requests. A login becomes `erasedLogin`.
     * DECISION B-390
     */
    readonly erasePerson: (org: OrgId, texts: PersonTexts) => Effect.Effect<void, StoreError>
  }
>() {}

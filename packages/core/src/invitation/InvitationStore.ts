/** Port: the invitations of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Org } from "../org/Org.js"
import type { InvitationId, OrgId } from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { Invitation, InvitationKey } from "./Invitation.js"

/** An invitation with its org, as of one instant. */
export interface FoundInvitation {
  readonly invitation: Invitation
  readonly org: Pick<Org, "id" | "name">
  /** The store's clock when it was read. */
  readonly now: Timestamp
}

/** Port: the invitations of an org. */
export class InvitationStore extends Context.Tag("@attestry/core/InvitationStore")<
  InvitationStore,
  {
    /** The invitation of that id in any org, whatever its state; none when there is none. */
    readonly findAnywhere: (
      id: InvitationId
    ) => Effect.Effect<Option.Option<FoundInvitation>, StoreError>
    /**
     * The number of invitations that are open at the instant. Another transaction that asks for the same org waits
     * until this one ends.
     */
    readonly lockOpen: (org: OrgId, now: Timestamp) => Effect.Effect<number, StoreError>
    /** Adds an invitation. The caller generates a fresh id. */
    readonly insert: (invitation: Invitation) => Effect.Effect<void, StoreError>
    /** The invitation, locked until the transaction ends; none when there is none. */
    readonly lock: (key: InvitationKey) => Effect.Effect<Option.Option<Invitation>, StoreError>
    /** Writes acceptance and revocation of the invitation, and no other field. The caller holds its lock. */
    readonly end: (invitation: Invitation) => Effect.Effect<void, StoreError>
    /** A page of all invitations of the org, newest first, then by id. */
    readonly list: (org: OrgId, page: Page) => Effect.Effect<Paged<Invitation>, StoreError>
  }
>() {}

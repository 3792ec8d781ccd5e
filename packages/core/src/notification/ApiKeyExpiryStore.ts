/** Port: the keys and members that the expiry scan reads. Only `listOrgs` spans orgs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Org } from "../org/Org.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { ExpiringKey, Mailbox } from "./ApiKeyExpiry.js"

/** Port: keys that expire. */
export class ApiKeyExpiryStore extends Context.Tag("@attestry/core/ApiKeyExpiryStore")<
  ApiKeyExpiryStore,
  {
    /**
     * The orgs with a key that passes `ApiKeyExpiry.counts`, expires within so many seconds by the store's
     * clock, and whose expiry itself is not notified; in ascending order of id.
     */
    readonly listExpiringOrgs: (
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<Pick<Org, "id" | "name">>, StoreError>
    /**
     * These keys of one org, in ascending order of id, with the fewest days left that `OutboxStore.settle` has
     * marked.
     */
    readonly listExpiringKeys: (
      org: OrgId,
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<ExpiringKey>, StoreError>
    /** Every member of the org, in ascending order of user id. */
    readonly listMailboxes: (org: OrgId) => Effect.Effect<ReadonlyArray<Mailbox>, StoreError>
  }
>() {}

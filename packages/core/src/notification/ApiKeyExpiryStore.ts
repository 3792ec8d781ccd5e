/** Port: what the expiry scan asks about keys and people. Only `listOrgs` spans orgs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Org } from "../org/Org.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { ExpiringKey, Mailbox } from "./ApiKeyExpiry.js"

/** Port: keys that end. */
export class ApiKeyExpiryStore extends Context.Tag("@attestry/core/ApiKeyExpiryStore")<
  ApiKeyExpiryStore,
  {
    /**
     * The orgs with a key that `ApiKeyExpiry.counts`, ends within so many seconds by the store's clock, and
     * whose end itself has not been told; by id.
     */
    readonly listOrgs: (
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<Pick<Org, "id" | "name">>, StoreError>
    /** The same keys of one org, by id, with the fewest days left that `OutboxStore.settle` marked told. */
    readonly listKeys: (
      org: OrgId,
      withinSeconds: number
    ) => Effect.Effect<ReadonlyArray<ExpiringKey>, StoreError>
    /** Every member of the org, by user id. */
    readonly listMailboxes: (org: OrgId) => Effect.Effect<ReadonlyArray<Mailbox>, StoreError>
  }
>() {}

/** Port: the service accounts of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Locking } from "../shared/Transaction.js"
import type { ServiceAccount, ServiceAccountKey } from "./ServiceAccount.js"

/** Port: the service accounts of an org. */
export class ServiceAccountStore extends Context.Tag("@attestry/core/ServiceAccountStore")<
  ServiceAccountStore,
  {
    /** The account of that name; none when there is none. */
    readonly findByName: (
      key: ServiceAccountKey,
      locking?: Locking
    ) => Effect.Effect<Option.Option<ServiceAccount>, StoreError>
    /** Every account of an org, by name in ascending order of code points. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<ServiceAccount>, StoreError>
    /** Adds an account and returns true; returns false and does nothing when the name is taken. */
    readonly insert: (account: ServiceAccount) => Effect.Effect<boolean, StoreError>
    /** Replaces privilege and description of the account of that id. The caller holds the lock. */
    readonly update: (account: ServiceAccount) => Effect.Effect<void, StoreError>
    /** Removes the account, and removes or revokes its keys: none is valid any more. The caller holds the lock. */
    readonly remove: (account: ServiceAccount) => Effect.Effect<void, StoreError>
  }
>() {}

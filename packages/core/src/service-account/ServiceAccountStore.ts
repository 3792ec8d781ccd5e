/** Port: the service accounts of an org. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { ServiceAccount, ServiceAccountKey } from "./ServiceAccount.js"

/** Port: the service accounts of an org. */
export class ServiceAccountStore extends Context.Tag("@attestry/core/ServiceAccountStore")<
  ServiceAccountStore,
  {
    /** The account of that name. */
    readonly findByName: (
      key: ServiceAccountKey
    ) => Effect.Effect<Option.Option<ServiceAccount>, StoreError>
    /** The same, kept from other writers until the transaction ends. */
    readonly lockByName: (
      key: ServiceAccountKey
    ) => Effect.Effect<Option.Option<ServiceAccount>, StoreError>
    /** Every account of an org, by name in the order of code points. */
    readonly list: (org: OrgId) => Effect.Effect<ReadonlyArray<ServiceAccount>, StoreError>
    /** Adds an account; `false`, and nothing done, when the name is taken. */
    readonly insert: (account: ServiceAccount) => Effect.Effect<boolean, StoreError>
    /** Replaces privilege and description of the account of that id. */
    readonly update: (account: ServiceAccount) => Effect.Effect<void, StoreError>
    /** Removes the account; every key of it is revoked, and opens nothing any more. */
    readonly remove: (account: ServiceAccount) => Effect.Effect<void, StoreError>
  }
>() {}

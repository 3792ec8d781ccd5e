/** Port: issuers and their keys. They are global: several orgs may trust one issuer, whose keys are fetched once. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { StoreError } from "../shared/StoreError.js"
import type { Issuer, PublicKey } from "./IssuerKeys.js"

/** Port: issuers and their keys. */
export class IssuerStore extends Context.Tag("@attestry/core/IssuerStore")<
  IssuerStore,
  {
    /** The issuer with its keys; none where no rule names it. */
    readonly findIssuer: (issuer: string) => Effect.Effect<Option.Option<Issuer>, StoreError>
    /**
     * Has the keys of an issuer fetched soon, where they were neither fetched nor wanted in the last so many seconds,
     * and returns whether they will be. Does nothing for an issuer that no rule names.
     */
    readonly wantKeys: (issuer: string, withinSeconds: number) => Effect.Effect<boolean, StoreError>
    /**
     * The issuers of some rule whose keys were never fetched, are wanted, or were last tried longer than so many
     * seconds ago; in ascending order.
     */
    readonly listDueIssuers: (
      afterSeconds: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Replaces the keys of an issuer, which are fetched now; they are no longer wanted. */
    readonly saveKeys: (
      issuer: string,
      keys: ReadonlyArray<PublicKey>
    ) => Effect.Effect<void, StoreError>
    /** Notes that the keys could not be fetched now; earlier ones stay, and they are no longer wanted. */
    readonly failKeys: (issuer: string, error: string) => Effect.Effect<void, StoreError>
  }
>() {}

/**
 * Port: the rules of service accounts for id tokens, the tokens that were used, the keys that were exchanged, and
 * the issuers of tokens with their keys. Issuers are global: several orgs may trust one issuer, whose keys are
 * fetched once.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { ServiceAccount } from "../service-account/ServiceAccount.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { IdentityRule } from "./IdentityRule.js"
import type { Issuer, PublicKey } from "./IssuerKeys.js"

/** An account with its rules. */
export interface AccountRules {
  readonly account: ServiceAccount
  readonly rules: ReadonlyArray<IdentityRule>
}

/** A token that may be used once. */
export interface TokenUse {
  readonly org: OrgId
  /** A digest of the token's issuer and id. */
  readonly token: string
  /** From when on the use need not be known any more. */
  readonly endsAt: Timestamp
}

/** Port: the rules of service accounts, and the issuers that they name. */
export class WorkloadIdentityStore extends Context.Tag("@attestry/core/WorkloadIdentityStore")<
  WorkloadIdentityStore,
  {
    /** The rules of an account, in their order; empty where it has none. */
    readonly listRules: (
      account: Pick<ServiceAccount, "org_id" | "id">
    ) => Effect.Effect<ReadonlyArray<IdentityRule>, StoreError>
    /** Every account of an org with a rule of that issuer, by name, with all of its rules. */
    readonly listAccounts: (
      org: OrgId,
      issuer: string
    ) => Effect.Effect<ReadonlyArray<AccountRules>, StoreError>
    /**
     * Replaces the rules of an account. An issuer is known as long as some rule names it. Deleting the account deletes
     * its rules. Inside of a transaction; the caller holds the account's lock.
     */
    readonly replaceRules: (
      account: Pick<ServiceAccount, "org_id" | "id">,
      rules: ReadonlyArray<IdentityRule>
    ) => Effect.Effect<void, StoreError>
    /**
     * Notes the use of a token and returns true; returns false when it was used before. Of concurrent uses one returns
     * true. Also forgets uses of the org that have ended.
     */
    readonly useToken: (use: TokenUse) => Effect.Effect<boolean, StoreError>
    /**
     * Deletes exchanged keys of an account that ended before the instant: keys whose expiry is the end of their grace.
     */
    readonly removeEndedKeys: (
      account: Pick<ServiceAccount, "org_id" | "id">,
      endedBefore: Timestamp
    ) => Effect.Effect<void, StoreError>
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

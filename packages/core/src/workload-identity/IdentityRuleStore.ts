/** Port: the rules of service accounts for id tokens, the tokens that were used, and the keys that were exchanged. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { ServiceAccount } from "../service-account/ServiceAccount.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { IdentityRule } from "./IdentityRule.js"

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

/** Port: the rules of service accounts. */
export class IdentityRuleStore extends Context.Tag("@attestry/core/IdentityRuleStore")<
  IdentityRuleStore,
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
     * Replaces the rules of an account, and names their issuers, so that `IssuerStore` knows them as long as some rule
     * names them. Deleting the account deletes its rules. Inside of a transaction; the caller holds the account's lock.
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
  }
>() {}

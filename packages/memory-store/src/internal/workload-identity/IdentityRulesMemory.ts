/**
 * Identity rules of `WorkloadIdentityStore` in memory. Rules of an account that was deleted are not found, because
 * their account is not.
 */
import type { ApiKey } from "@attestry/core/ApiKey"
import type { IdentityRule } from "@attestry/core/IdentityRule"
import type { ServiceAccount } from "@attestry/core/ServiceAccount"
import type { Timestamp } from "@attestry/core/Timestamp"
import type { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { isOwner, keys } from "../api-key/ApiKeyTable.js"
import { accounts } from "../service-account/ServiceAccountStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** The rules of accounts, by org and id. */
export const rules = table<ReadonlyArray<IdentityRule>>("identity_rule")

const uses = table<{ readonly org: string; readonly endsAt: Timestamp }>("identity_token_use")

type Account = Pick<ServiceAccount, "org_id" | "id">

const keyOf = ({ org_id, id }: Account): string => key(org_id, id)

const isForgotten = (apiKey: ApiKey, before: Timestamp): boolean =>
  apiKey.expires_at !== null &&
  apiKey.expires_at === apiKey.grace_period_expires_at &&
  apiKey.expires_at < before

/** Identity rules of `WorkloadIdentityStore` in memory. */
export const make: Effect.Effect<
  Pick<
    WorkloadIdentityStore["Type"],
    "listRules" | "listAccounts" | "replaceRules" | "useToken" | "removeEndedKeys"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const ruleRows = yield* MemoryRows.make(rules)
  const accountRows = yield* MemoryRows.make(accounts)
  const list = (account: Account) =>
    Effect.map(
      ruleRows.find(keyOf(account)),
      Option.getOrElse((): ReadonlyArray<IdentityRule> => [])
    )
  return {
    listRules: list,
    listAccounts: (org, issuer) =>
      Effect.gen(function* () {
        const own = (yield* accountRows.values).filter(({ org_id }) => org_id === org)
        const all = yield* Effect.forEach(own, (account) =>
          Effect.map(list(account), (found) => ({ account, rules: found }))
        )
        return all
          .filter(({ rules: found }) => found.some((rule) => rule.issuer === issuer))
          .sort((left, right) => (left.account.name < right.account.name ? -1 : 1))
      }),
    replaceRules: (account, next) => ruleRows.set(keyOf(account), next),
    useToken: ({ org, token, endsAt }) =>
      state.transaction((now) =>
        state.modify(uses, (all) => {
          const left = HashMap.filter(all, (use) => use.org !== org || now < use.endsAt)
          const name = key(org, token)
          return HashMap.has(left, name)
            ? [false, left]
            : [true, HashMap.set(left, name, { org, endsAt })]
        })
      ),
    removeEndedKeys: (account, before) => {
      const owner = {
        kind: "service-account",
        org_id: account.org_id,
        service_account_id: account.id
      } as const
      return state.modify(keys, (all) => [
        undefined,
        HashMap.filter(all, (each) => !isOwner(owner, each) || !isForgotten(each, before))
      ])
    }
  }
})

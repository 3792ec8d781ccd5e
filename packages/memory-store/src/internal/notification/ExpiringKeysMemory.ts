/** Expiring keys of `NotificationStore` in memory: reads the tables of keys, accounts and people. */
import type { ApiKey } from "@attestry/core/ApiKey"
import * as ApiKeyExpiry from "@attestry/core/ApiKeyExpiry"
import type { NotificationStore } from "@attestry/core/NotificationStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { keys } from "../api-key/ApiKeyTable.js"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import { orgs } from "../org/OrgStoreMemory.js"
import { accounts } from "../service-account/ServiceAccountStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState } from "../shared/MemoryState.js"
import { notices } from "./NotificationTables.js"

interface FoundKey extends ApiKeyExpiry.ExpiringKey {
  readonly org_id: string
}

const byId = (left: { readonly id: string }, right: { readonly id: string }): number =>
  left.id < right.id ? -1 : 1

/** Expiring keys of `NotificationStore` in memory. */
export const make: Effect.Effect<
  Pick<
    NotificationStore["Type"],
    "listExpiringOrgs" | "listExpiringKeys" | "listNotices" | "listMailboxes"
  >,
  never,
  MemoryState
> = Effect.gen(function* () {
  const state = yield* MemoryState
  const keyRows = yield* MemoryRows.make(keys)
  const accountRows = yield* MemoryRows.make(accounts)
  const noticeRows = yield* MemoryRows.make(notices)
  const orgRows = yield* MemoryRows.make(orgs)
  const userRows = yield* MemoryRows.make(users)
  const memberRows = yield* MemoryRows.make(memberships)

  const found = (apiKey: ApiKey): Effect.Effect<ReadonlyArray<FoundKey>> =>
    Effect.gen(function* () {
      const { owner, expires_at } = apiKey
      if (owner.kind !== "service-account" || expires_at === null) return []
      const account = (yield* accountRows.values).find(({ id }) => id === owner.service_account_id)
      if (account === undefined) return []
      const notice = yield* noticeRows.find(key(owner.org_id, "api_key_expiry", apiKey.id))
      return [
        {
          org_id: owner.org_id,
          id: apiKey.id,
          description: apiKey.description,
          service_account: account.name,
          creating_user_id: account.creating_user_id,
          expires_at,
          notified_days: Option.getOrNull(Option.map(notice, ({ days }) => days))
        }
      ]
    })

  const ending = (withinSeconds: number): Effect.Effect<ReadonlyArray<FoundKey>> =>
    state.transaction((now) =>
      Effect.gen(function* () {
        const until = Timestamp.plusSeconds(now, withinSeconds)
        const counting = (yield* keyRows.values).filter(ApiKeyExpiry.counts)
        const all = (yield* Effect.forEach(counting, found)).flat()
        return all
          .filter(({ expires_at, notified_days }) => expires_at <= until && notified_days !== 0)
          .sort(byId)
      })
    )

  return {
    listExpiringOrgs: (withinSeconds) =>
      Effect.zipWith(ending(withinSeconds), orgRows.values, (all, named) => {
        const ids = new Set(all.map(({ org_id }) => org_id))
        return named
          .filter(({ id }) => ids.has(id))
          .map(({ id, name }) => ({ id, name }))
          .sort(byId)
      }),
    listExpiringKeys: (org, withinSeconds) =>
      Effect.map(ending(withinSeconds), (all) =>
        all.filter(({ org_id }) => org_id === org).map(({ org_id: _, ...found }) => found)
      ),
    listNotices: ({ org, type }) =>
      Effect.map(
        noticeRows.values,
        (all) =>
          new Map(
            all
              .filter((mark) => mark.org === org && mark.type === type)
              .map(({ days, subject }) => [subject, days])
          )
      ),
    listMailboxes: (org) =>
      Effect.zipWith(memberRows.values, userRows.values, (members, people) =>
        members
          .filter(({ org_id, suspended_at }) => org_id === org && suspended_at === null)
          .flatMap(({ user_id, role }) => {
            const person = people.find(({ id }) => id === user_id)
            return person === undefined ? [] : [{ user_id, role, email: person.email }]
          })
          .sort((left, right) => (left.user_id < right.user_id ? -1 : 1))
      )
  }
})

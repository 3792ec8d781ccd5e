/** `ServiceAccountStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { ServiceAccount, ServiceAccountKey } from "@attestry/core/ServiceAccount"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import { isOwner, keys } from "../api-key/ApiKeyTable.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** Accounts by org and name. */
export const accounts = table<ServiceAccount>("service_account")

const byName = (left: ServiceAccount, right: ServiceAccount) => (left.name < right.name ? -1 : 1)

/** `ServiceAccountStore` in memory. */
export const layer: Layer.Layer<ServiceAccountStore, never, MemoryState> = Layer.effect(
  ServiceAccountStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(accounts)
    const find = ({ org, name }: ServiceAccountKey) => rows.find(key(org, name))
    const keyOf = (account: ServiceAccount) => key(account.org_id, account.name)
    return ServiceAccountStore.of({
      findByName: find,
      list: (org) =>
        Effect.map(rows.values, (all) => all.filter(({ org_id }) => org_id === org).sort(byName)),
      insert: (account) => rows.insert(keyOf(account), account),
      update: (account) => rows.replace(keyOf(account), account),
      remove: (account) => {
        const owner = {
          kind: "service-account",
          org_id: account.org_id,
          service_account_id: account.id
        } as const
        return state.transaction(() =>
          Effect.zipRight(
            rows.remove(keyOf(account)),
            state.modify(keys, (all) => [
              undefined,
              HashMap.filter(all, (apiKey) => !isOwner(owner, apiKey))
            ])
          )
        )
      }
    })
  })
)

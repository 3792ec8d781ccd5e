/** `ApiKeyStore` in memory. */
import type { Actor } from "@attestry/core/Actor"
import type { ApiKey } from "@attestry/core/ApiKey"
import { ApiKeyStore } from "@attestry/core/ApiKeyStore"
import { displayName } from "@attestry/core/Membership"
import type { Org } from "@attestry/core/Org"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { memberships, users } from "../membership/MembershipStoreMemory.js"
import { orgs } from "../org/OrgStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

const keys = table<ApiKey>("api_key")

/** `ApiKeyStore` in memory. */
export const layer: Layer.Layer<ApiKeyStore, never, MemoryState> = Layer.effect(
  ApiKeyStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(keys)
    const people = yield* MemoryRows.make(users)
    const members = yield* MemoryRows.make(memberships)
    const tenants = yield* MemoryRows.make(orgs)

    const actorOf = (apiKey: ApiKey) =>
      Effect.gen(function* () {
        const user = (yield* people.values).find(({ id }) => id === apiKey.user_id)
        const names = new Map((yield* tenants.values).map((org: Org) => [org.id, org.name]))
        const own = (yield* members.values).filter(({ user_id }) => user_id === apiKey.user_id)
        return Option.map(
          Option.fromNullable(user),
          (person): Actor => ({
            kind: "user",
            id: person.id,
            name: displayName(person),
            key_id: apiKey.id,
            memberships: own.flatMap(({ org_id, role }) => {
              const org = names.get(org_id)
              return org === undefined ? [] : [{ org_id, org, role }]
            })
          })
        )
      })

    return ApiKeyStore.of({
      findCredential: (id) =>
        state.transaction((now) =>
          Effect.gen(function* () {
            const apiKey = yield* rows.find(id)
            if (Option.isNone(apiKey)) return Option.none()
            const actor = yield* actorOf(apiKey.value)
            return Option.map(actor, (found) => ({ key: apiKey.value, actor: found, now }))
          })
        ),
      insert: (apiKey) => rows.set(apiKey.id, apiKey)
    })
  })
)

/** `ScimStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { OrgId } from "@attestry/core/Identifier"
import * as ScimFilter from "@attestry/core/ScimFilter"
import { fold } from "@attestry/core/ScimJson"
import { type DescribedUser, ScimStore } from "@attestry/core/ScimStore"
import * as ScimUser from "@attestry/core/ScimUser"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { orgs } from "../org/OrgStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** People as SCIM clients describe them, by org and id. */
export const people = table<ScimUser.ScimUser>("scim_user")
/** The org that alone has a user, by user. */
export const homes = table<OrgId>("user_home")

const createdFirst = (left: ScimUser.ScimUser, right: ScimUser.ScimUser) =>
  left.created_at - right.created_at || (left.id < right.id ? -1 : 1)

const describedFirst = (left: ScimUser.ScimUser, right: ScimUser.ScimUser) =>
  left.created_at - right.created_at || (left.org_id < right.org_id ? -1 : 1)

const isTaken = (rows: Iterable<ScimUser.ScimUser>, user: ScimUser.ScimUser) =>
  Array.from(rows).some(
    (other) =>
      other.org_id === user.org_id &&
      other.id !== user.id &&
      (fold(other.user_name) === fold(user.user_name) ||
        (other.external_id !== null && other.external_id === user.external_id))
  )

/** `ScimStore` in memory. */
export const layer: Layer.Layer<ScimStore, never, MemoryState> = Layer.effect(
  ScimStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(people)
    const homeRows = yield* MemoryRows.make(homes)
    const tenants = yield* MemoryRows.make(orgs)

    const select = (org: OrgId, keep: (user: ScimUser.ScimUser) => boolean) =>
      Effect.map(rows.values, (all) =>
        all.filter((user) => user.org_id === org && keep(user)).sort(createdFirst)
      )
    /** Writes a person unless another one has the name or the id. */
    const set = (user: ScimUser.ScimUser) =>
      state.modify(people, (all) =>
        isTaken(HashMap.values(all), user)
          ? [false, all]
          : [true, HashMap.set(all, key(user.org_id, user.id), user)]
      )

    return ScimStore.of({
      find: ({ id, org }) => rows.find(key(org, id)),
      list: (org, filter, { limit, offset }) =>
        Effect.map(
          select(org, (user) => ScimFilter.matches(filter, ScimUser.filtered(user))),
          (found) => ({ items: found.slice(offset, offset + limit), total: found.length })
        ),
      listAmong: (org, which) => {
        const wanted = new Set<string>("ids" in which ? which.ids : which.users)
        return select(org, ({ id, user_id }) => wanted.has("ids" in which ? id : user_id))
      },
      insert: set,
      update: set,
      remove: ({ id, org }) => rows.remove(key(org, id)),
      findHome: homeRows.find,
      listDescribed: (externalId) =>
        Effect.gen(function* () {
          const [all, named] = [yield* rows.values, yield* tenants.values]
          const found = all
            .filter(({ active, external_id }) => active && external_id === externalId)
            .sort(describedFirst)
          const described: Array<DescribedUser> = []
          for (const { org_id, user_id: user } of found) {
            const home = yield* homeRows.find(user)
            const org = named.find(({ id }) => id === org_id)
            if (Option.contains(home, org_id) && org !== undefined) described.push({ org, user })
          }
          return described
        }),
      setHome: (user, org) => (org === null ? homeRows.remove(user) : homeRows.set(user, org))
    })
  })
)

/** `MembershipStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { Membership, User } from "@attestry/core/Membership"
import * as MembershipEvent from "@attestry/core/MembershipEvent"
import { MembershipStore } from "@attestry/core/MembershipStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { orgs } from "../org/OrgStoreMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** Users by login. */
export const users = table<User>("user")
/** Memberships by org and user. */
export const memberships = table<Membership>("membership")

const defaults = table<Membership["org_id"]>("default_org")
const events = table<MembershipEvent.MembershipEvent>("membership_event")

const joinedFirst = (left: Membership, right: Membership) =>
  left.created_at - right.created_at || (left.org_id < right.org_id ? -1 : 1)

const beganFirst = (left: Membership, right: Membership) =>
  left.created_at - right.created_at || (left.user_id < right.user_id ? -1 : 1)

/** `MembershipStore` in memory. */
export const layer: Layer.Layer<MembershipStore, never, MemoryState> = Layer.effect(
  MembershipStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const people = yield* MemoryRows.make(users)
    const members = yield* MemoryRows.make(memberships)
    const chosen = yield* MemoryRows.make(defaults)
    const history = yield* MemoryRows.make(events)
    const tenants = yield* MemoryRows.make(orgs)
    return MembershipStore.of({
      findUser: people.find,
      findUserById: (wanted) =>
        Effect.map(people.values, (all) =>
          Option.fromNullable(all.find(({ id }) => id === wanted))
        ),
      insertUser: (user) => people.insert(user.login, user),
      listOrgs: (user) =>
        Effect.zipWith(members.values, tenants.values, (all, named) =>
          all
            .filter(({ user_id, suspended_at }) => user_id === user && suspended_at === null)
            .sort(joinedFirst)
            .flatMap(({ org_id, role }) => {
              const org = named.find(({ id }) => id === org_id)
              return org === undefined ? [] : [{ org_id, org: org.name, role }]
            })
        ),
      findDefaultOrg: chosen.find,
      setDefaultOrg: (user, org) =>
        state.modify(defaults, (rows) => {
          const before = HashMap.get(rows, user)
          return before._tag === "Some" && before.value === org
            ? [false, rows]
            : [true, HashMap.set(rows, user, org)]
        }),
      listMembers: (org, { offset, limit }) =>
        Effect.zipWith(members.values, people.values, (all, named) => {
          const found = all.filter(({ org_id }) => org_id === org).sort(beganFirst)
          const items = found.slice(offset, offset + limit).flatMap((member) => {
            const user = named.find(({ id }) => id === member.user_id)
            return user === undefined
              ? []
              : [{ ...member, login: user.login, display_name: user.display_name }]
          })
          return { items, total: found.length }
        }),
      listMembersAt: (org, at) =>
        Effect.zipWith(history.values, people.values, (all, named) => {
          const before = all.filter((event) => event.org_id === org && event.created_at <= at)
          const query = { sort: "when", direction: "asc" } as const
          const sorted = MembershipEvent.select(query, before)
          const logins = new Map(named.map(({ id, login }) => [id, login] as const))
          return [...new Map(sorted.map((event) => [event.user_id, event])).values()].flatMap(
            ({ role, suspended, user_id }) =>
              role === null
                ? []
                : [{ user_id, login: logins.get(user_id) ?? user_id, role, suspended }]
          )
        }),
      find: ({ org, user }) => members.find(key(org, user)),
      lock: ({ org, user }) => members.find(key(org, user)),
      lockAdmins: (org) =>
        Effect.map(members.values, (all) =>
          all
            .filter(
              ({ org_id, role, suspended_at }) =>
                org_id === org && role === "admin" && suspended_at === null
            )
            .map(({ user_id }) => user_id)
            .sort()
        ),
      insert: (member) =>
        members.insert(key(member.org_id, member.user_id), {
          ...member,
          suspended_at: null,
          sessions_after: null
        }),
      update: ({ org_id, user_id, role, suspended_at, sessions_after }) =>
        state.modify(memberships, (rows) => [
          undefined,
          HashMap.modify(rows, key(org_id, user_id), (member) => ({
            ...member,
            role,
            suspended_at,
            sessions_after
          }))
        ]),
      remove: ({ org, user }) => members.remove(key(org, user)),
      appendEvent: (event) => history.set(key(event.org_id, event.id), event),
      listEvents: (org, query, { offset, limit }) =>
        Effect.map(history.values, (all) => {
          const found = MembershipEvent.select(
            query,
            all.filter(({ org_id }) => org_id === org)
          )
          return { events: found.slice(offset, offset + limit), total: found.length }
        })
    })
  })
)

/** Reads members, users and the history of memberships. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../../access/Access.js"
import { CurrentActor } from "../../access/Actor.js"
import type { Login, OrgId, OrgName } from "../../shared/Identifier.js"
import type { MembershipEventQuery } from "../MembershipEvent.js"
import { MembershipStore, type Slice } from "../MembershipStore.js"

/** Every member of an org. */
const ALL: Slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

/** Makes the reads. */
export const make = Effect.gen(function* () {
  const store = yield* MembershipStore

  /** The history of an org's memberships, for admins. */
  const history = Effect.fn("Memberships.history")(function* (
    org: OrgName,
    query: MembershipEventQuery,
    slice: Slice
  ) {
    const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "membership.read")
    return yield* store.listEvents(orgId, query, slice)
  })

  /** The members of an org in the order of joining, for administrators of the deployment. */
  const list = Effect.fn("Memberships.list")((org: OrgId) =>
    Effect.map(store.listMembers(org, ALL), ({ items }) => items)
  )

  /** A slice of the members of an org in the order of joining, for its admins. */
  const members = Effect.fn("Memberships.members")(function* (org: OrgName, slice: Slice) {
    const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "membership.read")
    return yield* store.listMembers(orgId, slice)
  })

  /** The user of a login with all orgs; none when there is none. */
  const findUser = Effect.fn("Memberships.findUser")(function* (login: Login) {
    const user = yield* store.findUser(login)
    return Option.isNone(user)
      ? Option.none()
      : Option.some({ user: user.value, orgs: yield* store.listOrgs(user.value.id) })
  })

  return { history, list, members, findUser } as const
})

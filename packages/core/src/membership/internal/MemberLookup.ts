/** Finds members of an org by their login. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Login, OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { User } from "../Membership.js"
import type { MembershipStore } from "../MembershipStore.js"

/** The member of that login; none for a login that is no member of the org. */
export const findMember = (
  store: Context.Tag.Service<MembershipStore>,
  org: OrgId,
  login: Login
): Effect.Effect<Option.Option<User>, StoreError> =>
  Effect.gen(function* () {
    const user = yield* store.findUser(login)
    if (Option.isNone(user)) return Option.none()
    const orgs = yield* store.listOrgs(user.value.id)
    return orgs.some(({ org_id }) => org_id === org) ? user : Option.none()
  })

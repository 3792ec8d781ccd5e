/** Which accounts a caller manages, and which of them the caller may make a credential of. */
import * as Effect from "effect/Effect"
import { AccessDenied } from "../../access/Access.js"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { GrantStore } from "../../grant/GrantStore.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as ServiceAccount from "../ServiceAccount.js"

/** Makes the questions. */
export const make = Effect.gen(function* () {
  const reaches = yield* Reaches
  const grants = yield* GrantStore

  /** The accounts that the caller manages among some, in the same order. */
  const keepManaged = (
    granted: GrantedWithin,
    accounts: ReadonlyArray<ServiceAccount.ServiceAccount>
  ): Effect.Effect<ReadonlyArray<ServiceAccount.ServiceAccount>, StoreError> =>
    Effect.gen(function* () {
      const { actor, orgId, reach } = granted
      const kind = "service-account"
      const within = { orgId, readable: reach }
      const things = yield* reaches.keepReadable(within, {
        kind,
        things: accounts,
        idOf: ({ id }) => id
      })
      const ids = things.map(({ id }) => id)
      const isAdmin = yield* reaches.withRole(granted, "admin", { kind, ids })
      return things.filter((account) =>
        ServiceAccount.isManagedBy(account, { id: actor.id, isAdmin: isAdmin(account.id) })
      )
    })

  /** Fails if the caller does not manage an account: as absent where the caller reads nothing of its space. */
  const checkManaged = <E>(
    granted: GrantedWithin,
    account: ServiceAccount.ServiceAccount,
    notFound: () => E
  ): Effect.Effect<void, E | AccessDenied | StoreError> =>
    Effect.gen(function* () {
      const { actor, org, permission } = granted
      const thing = { kind: "service-account", id: account.id } as const
      yield* reaches.permit(granted, thing, notFound)
      const isAdmin = yield* reaches.hasRoleAt(granted, "admin", thing)
      return ServiceAccount.isManagedBy(account, { id: actor.id, isAdmin })
        ? undefined
        : yield* new AccessDenied({ org, permission })
    })

  /**
   * Refuses a new credential of an account that has a role which the caller does not have there: who makes one gives
   * all that the account has.
   */
  const checkGiven = (
    granted: GrantedWithin,
    { id, privilege }: ServiceAccount.ServiceAccount,
    at: Timestamp
  ): Effect.Effect<void, AccessDenied | StoreError> =>
    Effect.gen(function* () {
      const { org, orgId, permission, role } = granted
      const denied = new AccessDenied({ org, permission })
      if (!ServiceAccount.mayGrant(role, privilege)) return yield* denied
      if (role === "admin") return
      const bindings = yield* grants.listBindings(orgId, { kind: "service-account", id }, at)
      if (!(yield* reaches.hasEach(granted, bindings))) return yield* denied
    })

  return { keepManaged, checkManaged, checkGiven } as const
})

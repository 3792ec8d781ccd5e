/** The roles of callers where things are. */
import * as Effect from "effect/Effect"
import type { StoreError } from "../../shared/StoreError.js"
import type { OrgSpaces } from "../../space/internal/OrgSpaces.js"
import { rootOf } from "../../space/Space.js"
import type { SpaceStore, ThingsOfKind } from "../../space/SpaceStore.js"
import * as SpaceTree from "../../space/SpaceTree.js"
import type { PlacedThing } from "../../space/ThingPlace.js"
import type { Granted } from "../Access.js"
import type { Actor, ActorMembership } from "../Actor.js"
import { isAtLeast, type Role } from "../Role.js"
import * as Standing from "../Standing.js"

/** What is read to say which roles a caller has. */
export interface Sources {
  readonly places: SpaceStore["Type"]
  readonly spaces: OrgSpaces
  readonly standingOf: (
    actor: Actor,
    membership: ActorMembership
  ) => Effect.Effect<Standing.Standing, StoreError>
}

const membershipIn = (actor: Actor, org: string): ActorMembership | undefined =>
  actor.memberships.find((each) => each.org === org)

/** Makes the questions. */
export const make = ({ places, spaces, standingOf }: Sources) => {
  /** Where the caller has at least a role among some things, by id. */
  const withRole = (
    granted: Granted,
    wanted: Role,
    things: ThingsOfKind
  ): Effect.Effect<(id: string) => boolean, StoreError> =>
    Effect.gen(function* () {
      const { actor, orgId, role } = granted
      const membership = membershipIn(granted.actor, granted.org)
      if (isAtLeast(role, wanted)) return () => true
      if (membership === undefined || things.ids.length === 0) return () => false
      const tree = yield* spaces.of(orgId)
      const found = yield* places.placesOf(orgId, things)
      const standing = yield* standingOf(actor, membership)
      return (id: string) =>
        Standing.hasRole(standing, wanted, SpaceTree.pathOf(tree, found.get(id) ?? tree.root))
    })

  /** Whether the caller has at least a role where a thing is. */
  const hasRoleAt = (
    granted: Granted,
    wanted: Role,
    { id, kind }: PlacedThing
  ): Effect.Effect<boolean, StoreError> =>
    Effect.map(withRole(granted, wanted, { kind, ids: [id] }), (has) => has(id))

  /** Whether the caller has at least the role of each of some bindings where it is. */
  const hasEach = (
    granted: Granted,
    bindings: ReadonlyArray<Standing.Binding>
  ): Effect.Effect<boolean, StoreError> =>
    Effect.gen(function* () {
      const { actor, orgId, role: base } = granted
      if (bindings.every(({ role }) => isAtLeast(base, role))) return true
      const membership = membershipIn(granted.actor, granted.org)
      if (membership === undefined) return false
      const tree = yield* spaces.of(orgId)
      const standing = yield* standingOf(actor, membership)
      return bindings.every(({ role, space }) =>
        Standing.hasRole(standing, role, SpaceTree.pathOf(tree, space))
      )
    })

  /**
   * The actor, whose role in the org of that name counts its grants and break-glass at the root as well, for what is
   * asked in the whole org. An admin, and an actor from elsewhere, costs no query.
   *
   * WHY not for the last admin: that counts the base roles of memberships, which a grant does not change.
   */
  const atRoot = (actor: Actor, org: string): Effect.Effect<Actor, StoreError> => {
    const membership = membershipIn(actor, org)
    if (membership === undefined || membership.role === "admin") return Effect.succeed(actor)
    return Effect.map(standingOf(actor, membership), (standing) => {
      const role = Standing.roleAtRoot(standing, rootOf(membership.org_id))
      if (role === membership.role) return actor
      const memberships = actor.memberships.map((each) =>
        each === membership ? { ...each, role } : each
      )
      return { ...actor, memberships }
    })
  }

  return { withRole, hasRoleAt, hasEach, atRoot } as const
}

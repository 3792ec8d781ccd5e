/**
 * Where the caller has a permission, for use cases of things that have a place.
 *
 * A caller whose base role has the permission has it in the whole org, and costs no query. The grants of every other
 * caller are read at most once in 800 ms, so that their end holds in every process within a second.
 */
import * as Effect from "effect/Effect"
import { EnvironmentId, FlowId, type OrgId, type OrgName, SpaceId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import { rootOf } from "../space/Space.js"
import { SpaceStore, type ThingsOfKind } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import type { PlacedThing, ThingKind } from "../space/ThingPlace.js"
import * as Access from "./Access.js"
import { type Actor, type ActorMembership, CurrentActor } from "./Actor.js"
import * as Standings from "./internal/Standings.js"
import { leftOf } from "./KeyScope.js"
import type { Permission } from "./Permission.js"
import * as Reach from "./Reach.js"
import { isAtLeast, type Role } from "./Role.js"
import * as Standing from "./Standing.js"

/** A granted permission, where it is granted, and what the caller reads. */
export interface GrantedWithin extends Access.Granted {
  readonly permission: Permission
  readonly reach: Reach.Reach
  readonly readable: Reach.Reach
}

/** What a caller may do in an org. */
export interface OwnAccess {
  readonly permissions: ReadonlyArray<Permission>
  /** The roles that grants and break-glass give, by the path of their space, in order. */
  readonly spaces: ReadonlyArray<{ readonly space: string; readonly role: Role }>
}

/** Things of a kind, of which a caller may read only some. */
export interface ReadThings<A> {
  readonly kind: ThingKind
  readonly things: ReadonlyArray<A>
  readonly idOf: (thing: A) => string
}

/** A permission that is granted in the whole org, for use cases of things that have a place. */
export const everywhere = (granted: Access.Granted, permission: Permission): GrantedWithin => ({
  ...granted,
  permission,
  reach: Reach.whole,
  readable: Reach.whole
})

const membershipIn = (actor: Actor, org: string): ActorMembership | undefined =>
  actor.memberships.find((each) => each.org === org)

interface Sources {
  readonly places: SpaceStore["Type"]
  readonly spaces: OrgSpaces
  readonly standingOf: (
    actor: Actor,
    membership: ActorMembership
  ) => Effect.Effect<Standing.Standing, StoreError>
}

/** What of an org a caller reads, as conditions of lists of a store, and the roles of callers at things. */
const readingOf = ({ places, spaces, standingOf }: Sources) => {
  /** The ids of the readable things of a kind; undefined for a caller who reads the whole org. */
  const readableThings = (
    { orgId, readable }: Pick<GrantedWithin, "orgId" | "readable">,
    kind: ThingKind
  ): Effect.Effect<ReadonlyArray<string> | undefined, StoreError> => {
    const within = Reach.idsOf(readable)
    return within === undefined ? Effect.succeed(undefined) : places.listThings(orgId, kind, within)
  }

  /** The condition of a list of a store: all, or what the flows that the caller reads have. */
  const readableFlows = (
    granted: Pick<GrantedWithin, "orgId" | "readable">
  ): Effect.Effect<{ readonly flows?: ReadonlyArray<FlowId> }, StoreError> =>
    Effect.map(readableThings(granted, "flow"), (ids) =>
      ids === undefined ? {} : { flows: ids.map((id) => FlowId.make(id)) }
    )

  /** The condition of a list of a store: all, or what the environments that the caller reads have. */
  const readableEnvironments = (
    granted: Pick<GrantedWithin, "orgId" | "readable">
  ): Effect.Effect<{ readonly environments?: ReadonlyArray<EnvironmentId> }, StoreError> =>
    Effect.map(readableThings(granted, "environment"), (ids) =>
      ids === undefined ? {} : { environments: ids.map((id) => EnvironmentId.make(id)) }
    )

  /** What a caller may do in an org, anywhere in it. An admin costs no query. */
  const ownAccess = (
    actor: Actor,
    membership: ActorMembership
  ): Effect.Effect<OwnAccess, StoreError> =>
    Effect.gen(function* () {
      const { role: base, org_id: org } = membership
      if (base === "admin") return { permissions: leftOf(actor.scope, base), spaces: [] }
      const standing = yield* standingOf(actor, membership)
      const given = standing.bindings.filter(
        ({ role, space }) => role !== base || space !== rootOf(org)
      )
      const permissions = Standing.permissionsOf(standing, base)
      if (given.length === 0) return { permissions, spaces: [] }
      const tree = yield* spaces.of(org)
      const labels = new Map(
        given.flatMap(({ role, space }) => {
          const path = SpaceTree.labelOf(tree, space)
          return path === "" ? [] : [[`${path} ${role}`, { space: path, role }] as const]
        })
      )
      return { permissions, spaces: [...labels].sort().map(([, own]) => own) }
    })

  /** Whether the caller has at least a role where a thing is. */
  const hasRoleAt = (
    { actor, org, orgId, role }: GrantedWithin,
    wanted: Role,
    { id, kind }: PlacedThing
  ): Effect.Effect<boolean, StoreError> =>
    Effect.gen(function* () {
      const membership = membershipIn(actor, org)
      if (isAtLeast(role, wanted)) return true
      if (membership === undefined) return false
      const tree = yield* spaces.of(orgId)
      const space = (yield* places.placesOf(orgId, { kind, ids: [id] })).get(id) ?? tree.root
      const path = tree.paths.get(space) ?? []
      return Standing.hasRole(yield* standingOf(actor, membership), wanted, path)
    })

  return { readableThings, readableFlows, readableEnvironments, ownAccess, hasRoleAt } as const
}

/** Where the caller has a permission. */
export class Reaches extends Effect.Service<Reaches>()("@attestry/core/Reaches", {
  effect: Effect.gen(function* () {
    const places = yield* SpaceStore
    const spaces = yield* OrgSpaces
    const standingOf = yield* Standings.make
    /** Whether an actor has a permission anywhere in the org of that name; false for a text that is no org name. */
    const isAllowedSomewhere = (
      actor: Actor,
      org: string,
      permission: Permission
    ): Effect.Effect<boolean, StoreError> => {
      const membership = membershipIn(actor, org)
      if (membership === undefined) return Effect.succeed(false)
      return Access.isAllowed(actor, org, permission)
        ? Effect.succeed(true)
        : Effect.map(
            standingOf(actor, membership),
            (standing) => Standing.spacesOf(standing, permission).length > 0
          )
    }

    const reachOf = (
      actor: Actor,
      membership: ActorMembership,
      permission: Permission
    ): Effect.Effect<Reach.Reach, StoreError> =>
      Access.isAllowed(actor, membership.org, permission)
        ? Effect.succeed(Reach.whole)
        : Effect.map(
            Effect.all([standingOf(actor, membership), spaces.of(membership.org_id)]),
            ([standing, tree]) => Reach.of(standing, permission, tree)
          )

    /** Grants a permission of the caller in some places of an org, or denies it where there are none. */
    const authorize = (
      org: OrgName,
      permission: Permission
    ): Effect.Effect<GrantedWithin, Access.AccessDenied | StoreError, CurrentActor> =>
      Effect.gen(function* () {
        const actor = yield* CurrentActor
        const membership = membershipIn(actor, org)
        const denied = new Access.AccessDenied({ org, permission })
        if (membership === undefined) return yield* denied
        const { org_id: orgId, role } = membership
        const granted = { orgId, org, role, actor, permission }
        const isWhole = Access.isAllowed(actor, org, permission)
        if (isWhole && Access.isAllowed(actor, org, "org.read"))
          return { ...granted, reach: Reach.whole, readable: Reach.whole }
        const reach = yield* reachOf(actor, membership, permission)
        if (reach._tag === "Part" && reach.spaces.size === 0) return yield* denied
        return { ...granted, reach, readable: yield* reachOf(actor, membership, "org.read") }
      })

    /** The spaces at which the grants of the caller give a permission, and the tree that they are in. */
    const grantedSpaces = ({ actor, org, permission }: GrantedWithin) =>
      Effect.gen(function* () {
        const membership = membershipIn(actor, org)
        if (membership === undefined) return []
        return Standing.spacesOf(yield* standingOf(actor, membership), permission)
      })

    /** Which things of a kind a reach holds, by id. */
    const held = (
      org: OrgId,
      reach: Reach.Reach,
      things: ThingsOfKind
    ): Effect.Effect<(id: string) => boolean, StoreError> => {
      if (reach._tag === "Whole") return Effect.succeed(() => true)
      return Effect.map(places.placesOf(org, things), (found) => (id) => {
        const space = found.get(id)
        return space !== undefined && Reach.holds(reach, space)
      })
    }

    /** What the caller reads of some spaces, by id, and of all below them; unknown ones have nothing. */
    const narrowed = (
      { orgId, readable }: Pick<GrantedWithin, "orgId" | "readable">,
      ids: ReadonlyArray<string> | undefined
    ): Effect.Effect<Reach.Reach, StoreError> =>
      ids === undefined || ids.includes(orgId)
        ? Effect.succeed(readable)
        : Effect.map(spaces.of(orgId), (tree) => {
            const found = ids.flatMap((id) => {
              const space = SpaceId.make(id)
              return tree.paths.has(space) ? [...SpaceTree.within(tree, space)] : []
            })
            return Reach.narrow(readable, new Set(found))
          })

    /** The things that the caller reads, in the same order. */
    const keepReadable = <A>(
      { orgId, readable }: Pick<GrantedWithin, "orgId" | "readable">,
      { idOf, kind, things }: ReadThings<A>
    ): Effect.Effect<ReadonlyArray<A>, StoreError> =>
      readable._tag === "Whole"
        ? Effect.succeed(things)
        : Effect.map(held(orgId, readable, { kind, ids: things.map(idOf) }), (isHeld) =>
            things.filter((thing) => isHeld(idOf(thing)))
          )

    /** Whether the caller reads a thing. */
    const isReadable = (
      granted: Pick<GrantedWithin, "orgId" | "readable">,
      { id, kind }: PlacedThing
    ): Effect.Effect<boolean, StoreError> =>
      Effect.map(held(granted.orgId, granted.readable, { kind, ids: [id] }), (isHeld) => isHeld(id))

    /**
     * Fails where the permission does not reach a thing: as absent where the caller does not read it, else denied.
     * INVARIANT: a write asks after it has locked the thing, so that a concurrent move does not pass it.
     */
    const permit = <E>(
      granted: GrantedWithin,
      thing: PlacedThing,
      notFound: () => E
    ): Effect.Effect<void, E | Access.AccessDenied | StoreError> =>
      Effect.gen(function* () {
        const { org, orgId, permission, reach } = granted
        if (reach._tag === "Whole") return
        const isReached = yield* held(orgId, reach, { kind: thing.kind, ids: [thing.id] })
        if (isReached(thing.id)) return
        if (yield* isReadable(granted, thing))
          return yield* new Access.AccessDenied({ org, permission })
        return yield* Effect.fail(notFound())
      })

    /** As `permit`, and denied also where the caller does not read the thing: its name is taken. */
    const permitTaken = (
      granted: GrantedWithin,
      thing: PlacedThing
    ): Effect.Effect<void, Access.AccessDenied | StoreError> => {
      const { org, permission } = granted
      return permit(granted, thing, () => new Access.AccessDenied({ org, permission }))
    }

    /** Denies a permission that the caller does not have in a space. */
    const checkIn = (
      org: OrgName,
      permission: Permission,
      space: SpaceId
    ): Effect.Effect<void, Access.AccessDenied | StoreError, CurrentActor> =>
      Effect.flatMap(authorize(org, permission), ({ reach }) =>
        Reach.holds(reach, space) ? Effect.void : new Access.AccessDenied({ org, permission })
      )

    /** Denies a permission that the caller does not have at a thing. */
    const checkAt = (org: OrgName, permission: Permission, thing: PlacedThing) =>
      Effect.flatMap(authorize(org, permission), (granted) => permitTaken(granted, thing))

    return {
      standingOf,
      isAllowedSomewhere,
      authorize,
      grantedSpaces,
      narrowed,
      ...readingOf({ places, spaces, standingOf }),
      keepReadable,
      isReadable,
      permit,
      permitTaken,
      checkIn,
      checkAt
    } as const
  })
}) {}

/** The ids of the readable spaces, for a list of a store; undefined for a caller who reads the whole org. */
export const readableIds = ({
  readable
}: Pick<GrantedWithin, "readable">): ReadonlyArray<SpaceId> | undefined => Reach.idsOf(readable)

/** The condition of a list of a store: all, or what is in the readable spaces. */
export const readableWithin = (
  granted: Pick<GrantedWithin, "readable">
): { readonly within?: ReadonlyArray<SpaceId> } => {
  const within = readableIds(granted)
  return within === undefined ? {} : { within }
}

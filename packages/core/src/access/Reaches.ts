/**
 * Where the caller has a permission, for use cases of things that have a place.
 *
 * A caller whose base role has the permission has it in the whole org, and costs no query. The grants of every other
 * caller are read at most once in 800 ms, so that their end holds in every process within a second.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EnvironmentId, FlowId, type OrgId, type OrgName, SpaceId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { OrgSpaces } from "../space/internal/OrgSpaces.js"
import type { PlaceId } from "../space/PlaceId.js"
import { rootOf } from "../space/Space.js"
import { SpaceStore, type ThingsOfKind } from "../space/SpaceStore.js"
import * as SpaceTree from "../space/SpaceTree.js"
import type { PlacedThing, ThingKind } from "../space/ThingPlace.js"
import * as Access from "./Access.js"
import { type Actor, type ActorMembership, CurrentActor } from "./Actor.js"
import * as RolesAt from "./internal/RolesAt.js"
import * as Standings from "./internal/Standings.js"
import { leftOf, namesPlaces } from "./KeyScope.js"
import type { Permission } from "./Permission.js"
import * as Reach from "./Reach.js"
import type { Role } from "./Role.js"
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

/** What of an org a caller reads, as conditions of lists of a store. */
const readingOf = ({ places, spaces, standingOf }: RolesAt.Sources) => {
  /** The ids of the readable things of a kind; undefined for a caller who reads the whole org. */
  const readableThings = (
    { orgId, readable }: Pick<GrantedWithin, "orgId" | "readable">,
    kind: ThingKind
  ): Effect.Effect<ReadonlyArray<string> | undefined, StoreError> => {
    const within = Reach.spaceIdsOf(readable)
    if (readable._tag === "Whole" || within === undefined) return Effect.succeed(undefined)
    const named = Reach.thingsOf(readable, kind)
    const found = within.length === 0 ? Effect.succeed([]) : places.listThings(orgId, kind, within)
    return Effect.map(found, (ids) =>
      named.size === 0 ? ids : [...new Set([...ids, ...named])].sort()
    )
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
      if (base === "admin" && !namesPlaces(actor.scope))
        return { permissions: leftOf(actor.scope, base), spaces: [] }
      const standing = yield* standingOf(actor, membership)
      const given = standing.bindings.filter(
        ({ role, space }) => role !== base || space !== rootOf(org)
      )
      const permissions = Standing.permissionsOf(standing, rootOf(org))
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

  return {
    readableThings,
    readableFlows,
    readableEnvironments,
    ownAccess
  } as const
}

/** Where the flows and environments are that the key of a caller names. */
const namedPlacesIn =
  (places: SpaceStore["Type"]) =>
  (
    { scope }: Actor,
    { org_id: org }: ActorMembership
  ): Effect.Effect<Reach.NamedPlaces, StoreError> => {
    const of = (kind: ThingKind, ids: ReadonlyArray<string> | undefined) =>
      ids === undefined || ids.length === 0
        ? Effect.succeed(new Map<string, SpaceId>())
        : Effect.map(
            places.placesOf(org, { kind, ids }),
            (found) => new Map(ids.map((id) => [id, found.get(id) ?? rootOf(org)] as const))
          )
    return Effect.all({
      flows: of("flow", scope?.flows),
      environments: of("environment", scope?.environments)
    })
  }

/** What a caller reads of some spaces, by id, and of all below them; unknown ones have nothing. */
const narrowedIn =
  (spaces: OrgSpaces) =>
  (
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

/** Where a caller has a permission in an org. */
const reachIn = ({ places, spaces, standingOf }: RolesAt.Sources) => {
  const namedPlaces = namedPlacesIn(places)
  return (
    actor: Actor,
    membership: ActorMembership,
    permission: Permission
  ): Effect.Effect<Reach.Reach, StoreError> =>
    Access.isAllowed(actor, membership.org, permission)
      ? Effect.succeed(Reach.whole)
      : Effect.gen(function* () {
          const standing = yield* standingOf(actor, membership)
          const tree = yield* spaces.of(membership.org_id)
          const named = yield* namedPlaces(actor, membership)
          return Reach.of(standing, permission, { ...tree, named })
        })
}

/** Which things a caller reads. */
const keepingOf = ({ places }: RolesAt.Sources) => {
  /** Which things of a kind a reach holds, by id. */
  const held = (
    org: OrgId,
    reach: Reach.Reach,
    things: ThingsOfKind
  ): Effect.Effect<(id: string) => boolean, StoreError> => {
    if (reach._tag === "Whole") return Effect.succeed(() => true)
    const { ids, kind } = things
    const named = Reach.thingsOf(reach, kind)
    if (ids.every((id) => named.has(id))) return Effect.succeed((id) => named.has(id))
    return Effect.map(
      places.placesOf(org, things),
      (found) => (id) => Reach.holdsThing(reach, { id, kind }, found.get(id))
    )
  }

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

  return { keepReadable, isReadable } as const
}

/** Where the caller has a permission. */
export class Reaches extends Effect.Service<Reaches>()("@attestry/core/Reaches", {
  effect: Effect.gen(function* () {
    const places = yield* SpaceStore
    const spaces = yield* OrgSpaces
    const standingOf = yield* Standings.make
    const sources: RolesAt.Sources = { places, spaces, standingOf }
    const reachOf = reachIn(sources)
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
        if (Reach.isNothing(reach)) return yield* denied
        return { ...granted, reach, readable: yield* reachOf(actor, membership, "org.read") }
      })

    /** The highest spaces at which the caller has a permission by grants, and by the spaces that its key names. */
    const grantedSpaces = ({ actor, org, orgId, permission, reach }: GrantedWithin) =>
      Effect.gen(function* () {
        const membership = membershipIn(actor, org)
        if (membership === undefined) return []
        const given = Standing.spacesOf(yield* standingOf(actor, membership), permission)
        if (!namesPlaces(actor.scope)) return given
        const tree = yield* spaces.of(orgId)
        const asked = (actor.scope?.spaces ?? []).map((id) => SpaceId.make(id))
        const both = [...new Set([...given, ...asked])].filter((id) => Reach.holds(reach, id))
        return both.filter((id) =>
          both.every((other) => other === id || !SpaceTree.pathOf(tree, id).includes(other))
        )
      })

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
        const { org, orgId, permission, reach, readable } = granted
        if (reach._tag === "Whole") return
        // WHY once: between two readings a move could make it readable and not permitted, which it never was.
        const found = yield* places.placesOf(orgId, { kind: thing.kind, ids: [thing.id] })
        const space = found.get(thing.id)
        if (Reach.holdsThing(reach, thing, space)) return
        if (Reach.holdsThing(readable, thing, space))
          return yield* new Access.AccessDenied({ org, permission })
        return yield* Effect.fail(notFound())
      })

    /**
     * The thing that was found by its name, where the permission reaches it. For a name that nothing has, the same is
     * read as for a hidden thing, so that the time of an answer does not tell them apart.
     */
    const permitFound = <A, E>(
      granted: GrantedWithin,
      found: Option.Option<A>,
      {
        idOf,
        kind,
        notFound
      }: {
        readonly kind: ThingKind
        readonly idOf: (thing: A) => string
        readonly notFound: () => E
      }
    ): Effect.Effect<A, E | Access.AccessDenied | StoreError> => {
      const id = Option.match(found, { onNone: () => "", onSome: idOf })
      return Effect.zipRight(
        permit(granted, { kind, id }, notFound),
        Effect.suspend(() =>
          Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(notFound())
        )
      )
    }

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
      narrowed: narrowedIn(spaces),
      ...readingOf(sources),
      ...keepingOf(sources),
      ...RolesAt.make(sources),
      permit,
      permitFound,
      permitTaken,
      checkIn,
      checkAt
    } as const
  })
}) {}

/** The readable places, for a list of a store; undefined for a caller who reads the whole org. */
export const readableIds = ({
  readable
}: Pick<GrantedWithin, "readable">): ReadonlyArray<PlaceId> | undefined => Reach.idsOf(readable)

/** The condition of a list of a store: all, or what is in the readable places. */
export const readableWithin = (
  granted: Pick<GrantedWithin, "readable">
): { readonly within?: ReadonlyArray<PlaceId> } => {
  const within = readableIds(granted)
  return within === undefined ? {} : { within }
}

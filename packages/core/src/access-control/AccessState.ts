/**
 * Who could do what in an org at one instant, and why: every member and account with what its base role and the grants
 * give. Pure and total.
 *
 * It says the same as `Standing.decide` says of each of them, and names the reason. SPEC §4.32
 */

import { lowest, type Permission } from "../access/Permission.js"
import { type BaseRole, isAtLeast, Role } from "../access/Role.js"
import type { Binding } from "../access/Standing.js"
import type { BreakGlass } from "../break-glass/BreakGlass.js"
import type { Grant } from "../grant/Grant.js"
import type { SpaceId } from "../shared/Identifier.js"

/** A member or a service account of an org at an instant. */
export interface Holder {
  readonly kind: "user" | "service-account"
  readonly id: string
  readonly name: string
  readonly role: BaseRole
  /** A suspended member has nothing. */
  readonly suspended: boolean
}

/** The access of an org at an instant. */
export interface AccessState {
  readonly root: SpaceId
  readonly holders: ReadonlyArray<Holder>
  /** The grants that count at the instant. */
  readonly grants: ReadonlyArray<Grant>
  /** The openings of break-glass that count at the instant. */
  readonly openings: ReadonlyArray<Pick<BreakGlass, "number" | "role" | "space_id" | "user_id">>
  /** Who is in which team at the instant. */
  readonly teamMembers: ReadonlyArray<{ readonly team_id: string; readonly user_id: string }>
}

/**
 * A binding with its reason: the base role, a grant for the holder, for a team of the holder, or for everyone, or
 * break-glass.
 */
export interface ReasonedBinding extends Binding {
  readonly kind: "base" | "grant" | "team" | "everyone" | "break-glass"
  readonly grant: Grant | null
  /** The number of the grant, or of the opening. */
  readonly number: number | null
}

/** A holder with the bindings that give a permission. */
export interface Allowed {
  readonly holder: Holder
  readonly role: Role
  readonly via: ReadonlyArray<ReasonedBinding>
}

const KINDS = ["base", "grant", "team", "everyone", "break-glass"] as const

const byReason = (left: ReasonedBinding, right: ReasonedBinding): number =>
  KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind) || (left.number ?? 0) - (right.number ?? 0)

/** Makes the lookup of what grants are for holders, each with its reason. */
const granted = (
  grants: ReadonlyArray<Grant>,
  { teamMembers }: Pick<AccessState, "teamMembers">
): ((holder: Holder) => ReadonlyArray<ReasonedBinding>) => {
  const bySubject = new Map<string, Array<Grant>>()
  for (const grant of grants) {
    const key = `${grant.subject.kind} ${grant.subject.id}`
    const found = bySubject.get(key)
    if (found === undefined) bySubject.set(key, [grant])
    else found.push(grant)
  }
  const teamsOf = new Map<string, Array<string>>()
  for (const { team_id, user_id } of teamMembers) {
    const found = teamsOf.get(user_id)
    if (found === undefined) teamsOf.set(user_id, [team_id])
    else found.push(team_id)
  }
  const owned = (kind: ReasonedBinding["kind"], key: string): ReadonlyArray<ReasonedBinding> =>
    (bySubject.get(key) ?? []).map((grant) => ({
      role: grant.role,
      space: grant.space_id,
      kind,
      grant,
      number: grant.number
    }))
  return ({ id, kind, suspended }) => {
    if (suspended) return []
    const teams = kind === "user" ? (teamsOf.get(id) ?? []) : []
    return [
      ...owned("grant", `${kind} ${id}`),
      ...teams.flatMap((team) => owned("team", `team ${team}`)),
      ...owned("everyone", "everyone ")
    ].sort(byReason)
  }
}

/** Makes the lookup of the bindings of holders, each with its reason;
 * the base role first, then grants by number, then break-glass. */
export const bindings = (
  state: AccessState
): ((holder: Holder) => ReadonlyArray<ReasonedBinding>) => {
  const given = granted(
    state.grants.filter((grant) => !grant.eligible),
    state
  )
  const baseOf = ({ role, suspended }: Holder): ReadonlyArray<ReasonedBinding> =>
    role === "none" || suspended
      ? []
      : [{ role, space: state.root, kind: "base", grant: null, number: null }]
  const openOf = ({ id, kind, suspended }: Holder): ReadonlyArray<ReasonedBinding> =>
    kind !== "user" || suspended
      ? []
      : state.openings
          .filter(({ user_id }) => user_id === id)
          .map(({ number, role, space_id }) => ({
            role,
            space: space_id,
            kind: "break-glass",
            grant: null,
            number
          }))
  return (holder) => [...baseOf(holder), ...given(holder), ...openOf(holder)]
}

/** Makes the lookup of what people may open break-glass for, by their eligible grants. */
export const eligible = (
  state: AccessState
): ((holder: Holder) => ReadonlyArray<ReasonedBinding>) => {
  const given = granted(
    state.grants.filter((grant) => grant.eligible),
    state
  )
  return (holder) => (holder.kind === "user" ? given(holder) : [])
}

/** The bindings that give a permission at a place: the ids of a space and of all above it. */
export const deciding = (
  owned: ReadonlyArray<ReasonedBinding>,
  permission: Permission,
  path: ReadonlyArray<SpaceId>
): ReadonlyArray<ReasonedBinding> =>
  owned.filter(({ role, space }) => isAtLeast(role, lowest(permission)) && path.includes(space))

/** The highest role of some bindings; undefined without any. */
export const highest = (owned: ReadonlyArray<ReasonedBinding>): Role | undefined =>
  Role.literals.find((role) => owned.some((each) => each.role === role))

/** The holders whose bindings give a permission at a place. */
const holdersOf = (
  { holders }: AccessState,
  bindingsOf: (holder: Holder) => ReadonlyArray<ReasonedBinding>,
  { path, permission }: { readonly permission: Permission; readonly path: ReadonlyArray<SpaceId> }
): ReadonlyArray<Allowed> =>
  holders.flatMap((holder) => {
    const via = deciding(bindingsOf(holder), permission, path)
    const role = highest(via)
    return role === undefined ? [] : [{ holder, role, via }]
  })

/** All who have a permission at a place, in the order of the holders. */
export const whoCan = (
  state: AccessState,
  permission: Permission,
  path: ReadonlyArray<SpaceId>
): ReadonlyArray<Allowed> => holdersOf(state, bindings(state), { permission, path })

/** All who may open break-glass for a permission at a place, in the order of the holders. */
export const whoMayOpen = (
  state: AccessState,
  permission: Permission,
  path: ReadonlyArray<SpaceId>
): ReadonlyArray<Allowed> => holdersOf(state, eligible(state), { permission, path })

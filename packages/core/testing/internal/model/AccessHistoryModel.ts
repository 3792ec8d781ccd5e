/**
 * The model of who may do what with one thing while its world changes: grants as a list, spaces by their parents, and a
 * walk from the thing's space upwards. Slow and plain.
 */
import { type BaseRole, isAtLeast, type Role } from "@attestry/core/Role"

/** The people of a history. */
export const PEOPLE = ["pat", "sam"] as const
/** Its spaces; those of a model are below each other, or below the root. */
export const SPACES = ["a", "b", "c"] as const
/** Whom its grants are for. */
export const SUBJECTS = [...PEOPLE, "team", "everyone"] as const

export type Person = (typeof PEOPLE)[number]
export type SpaceName = (typeof SPACES)[number]
export type SubjectName = (typeof SUBJECTS)[number]

/** A change of access; one that changes nothing is allowed. */
export type AccessChange =
  | {
      readonly what: "give"
      readonly subject: SubjectName
      readonly space: SpaceName
      readonly role: Role
    }
  | { readonly what: "end"; readonly subject: SubjectName; readonly space: SpaceName }
  | { readonly what: "join" | "leave" | "suspend" | "restore"; readonly person: Person }
  | { readonly what: "role"; readonly person: Person; readonly role: BaseRole }
  | { readonly what: "move"; readonly to: SpaceName }
  | { readonly what: "moveSpace"; readonly space: SpaceName; readonly to: SpaceName }

/** The state of access. */
export interface AccessWorld {
  /** The role of each grant, by subject and space. */
  readonly grants: ReadonlyMap<string, Role>
  readonly team: ReadonlySet<Person>
  readonly suspended: ReadonlySet<Person>
  readonly roles: ReadonlyMap<Person, BaseRole>
  /** The space of the thing. */
  readonly thing: SpaceName
  /** The spaces that are not below the root. */
  readonly parents: ReadonlyMap<SpaceName, SpaceName>
}

/** People without roles, and the thing in `b`, which is below `a`. */
export const initial: AccessWorld = {
  grants: new Map(),
  team: new Set(),
  suspended: new Set(),
  roles: new Map(PEOPLE.map((person) => [person, "none"])),
  thing: "b",
  parents: new Map([["b", "a"]])
}

const upwards = (parents: AccessWorld["parents"], from: SpaceName): ReadonlyArray<SpaceName> => {
  const walked: Array<SpaceName> = []
  for (let at: SpaceName | undefined = from; at !== undefined; at = parents.get(at)) walked.push(at)
  return walked
}

const changed = <Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value | undefined) => {
  const copy = new Map(map)
  if (value === undefined) copy.delete(key)
  else copy.set(key, value)
  return copy
}

const without = <Value>(set: ReadonlySet<Value>, value: Value) =>
  new Set([...set].filter((each) => each !== value))

/** Whether a space may go below another one: not below itself, nor below what is below it. */
export const mayMove = (world: AccessWorld, space: SpaceName, to: SpaceName): boolean =>
  !upwards(world.parents, to).includes(space)

/** The world after a change. */
export const apply = (world: AccessWorld, change: AccessChange): AccessWorld => {
  const { grants, parents, roles, suspended, team } = world
  switch (change.what) {
    case "give":
      return { ...world, grants: changed(grants, `${change.subject} ${change.space}`, change.role) }
    case "end":
      return { ...world, grants: changed(grants, `${change.subject} ${change.space}`, undefined) }
    case "join":
      return { ...world, team: new Set([...team, change.person]) }
    case "leave":
      return { ...world, team: without(team, change.person) }
    case "suspend":
      return { ...world, suspended: new Set([...suspended, change.person]) }
    case "restore":
      return { ...world, suspended: without(suspended, change.person) }
    case "role":
      return { ...world, roles: changed(roles, change.person, change.role) }
    case "move":
      return { ...world, thing: change.to }
    case "moveSpace":
      return mayMove(world, change.space, change.to)
        ? { ...world, parents: changed(parents, change.space, change.to) }
        : world
  }
}

/** Whether a person has at least a role where the thing is. */
export const has = (world: AccessWorld, person: Person, role: Role): boolean => {
  if (world.suspended.has(person)) return false
  const subjects = [person, "everyone", ...(world.team.has(person) ? ["team"] : [])]
  const given = upwards(world.parents, world.thing).flatMap((space) =>
    subjects.map((subject) => world.grants.get(`${subject} ${space}`))
  )
  return [world.roles.get(person), ...given].some(
    (own) => own !== undefined && isAtLeast(own, role)
  )
}

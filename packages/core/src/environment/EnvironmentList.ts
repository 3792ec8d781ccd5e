/** Which environments of an org a list shows, and in which order. */

import type { PolicyId } from "../shared/Identifier.js"
import * as Tags from "../shared/Tags.js"
import type { Verdict } from "../shared/Verdict.js"
import type { PlaceId } from "../space/PlaceId.js"
import { type Environment, enforcedOf } from "./Environment.js"
import { fromWord, type KindWord } from "./EnvironmentKind.js"

/** The keys of sorting. By `due_at` the list has only environments with a due instant. */
export const SORTS = ["name", "last_modified_at", "last_changed_at", "due_at"] as const
/** The keys of sorting. */
export type Sort = (typeof SORTS)[number]

/** Whether one of some policies is attached and counts. */
export interface Enforcing {
  readonly policies: ReadonlyArray<PolicyId>
  readonly is: boolean
}

/** How many environments there are, and for each of several sets of policies how many enforce one of them. */
export interface EnforcingCount {
  readonly total: number
  readonly enforcing: ReadonlyArray<number>
}

/** Which environments are listed. Filters combine with AND, the values of one with OR; absent means any. */
export interface EnvironmentQuery {
  /** Part of the name, in any case. */
  readonly name?: string
  /** Either word of each kind. */
  readonly types?: ReadonlyArray<KindWord>
  /** `key` or `key:value`. */
  readonly tags?: ReadonlyArray<string>
  /** Only environments that are in one of these spaces now; one in the root is in none. */
  readonly within?: ReadonlyArray<PlaceId>
  /** The verdict of the latest snapshot; environments without one are not evaluated. */
  readonly verdict?: Verdict
  /** Whether they have missed their cadence. */
  readonly silent?: boolean
  /** Only physical environments. */
  readonly physical?: true
  readonly enforcing?: Enforcing
  readonly sort?: Sort
  readonly descending?: boolean
}

const byName = (left: Environment, right: Environment): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

const comparing = (sort: Sort) => (left: Environment, right: Environment) =>
  sort === "name" ? byName(left, right) : (left[sort] ?? 0) - (right[sort] ?? 0)

const isPhysical = ({ type }: Environment): boolean => type !== "logical"

const enforces =
  (policies: ReadonlySet<string>) =>
  (environment: Environment): boolean =>
    enforcedOf(environment).some((policy) => policies.has(policy))

const isWanted =
  ({ name, types, tags, verdict, silent, physical, enforcing, sort }: EnvironmentQuery) =>
  (environment: Environment): boolean =>
    (sort !== "due_at" || environment.due_at !== undefined) &&
    (verdict === undefined || (environment.verdict ?? "Unknown") === verdict) &&
    (silent === undefined || (environment.silent_since !== undefined) === silent) &&
    (physical === undefined || isPhysical(environment)) &&
    (enforcing === undefined ||
      enforces(new Set(enforcing.policies))(environment) === enforcing.is) &&
    (name === undefined || environment.name.toLowerCase().includes(name.toLowerCase())) &&
    (types === undefined || types.some((word) => fromWord(word) === environment.type)) &&
    (tags === undefined || tags.some((filter) => Tags.matches(environment.tags, filter)))

/** The environments that pass the query, in its order; equal ones by name. */
export const select = (
  environments: ReadonlyArray<Environment>,
  query: EnvironmentQuery
): ReadonlyArray<Environment> => {
  const compare = comparing(query.sort ?? "name")
  const sign = query.descending === true ? -1 : 1
  return environments
    .filter(isWanted(query))
    .sort((left, right) => sign * compare(left, right) || byName(left, right))
}

/** How many of the physical environments enforce one of each set of policies. */
export const countEnforcing = (
  environments: ReadonlyArray<Environment>,
  sets: ReadonlyArray<ReadonlyArray<PolicyId>>
): EnforcingCount => {
  const counted = environments.filter(isPhysical)
  return {
    total: counted.length,
    enforcing: sets.map((policies) => counted.filter(enforces(new Set(policies))).length)
  }
}

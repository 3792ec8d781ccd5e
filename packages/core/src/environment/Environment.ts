/**
 * An environment: a place where artifacts run, whose state is kept as numbered snapshots.
 *
 * A physical one is reported to; a logical one groups physical ones and shows what runs in them. How an
 * environment may be refused is in `EnvironmentFailure`.
 */
import * as Schema from "effect/Schema"
import {
  EnvironmentId,
  EnvironmentName,
  NAME_LENGTH_MAX,
  OrgId,
  type OrgName
} from "../shared/Identifier.js"
import * as Tags from "../shared/Tags.js"
import { Timestamp, toSeconds } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import { EnvironmentKind } from "./EnvironmentKind.js"

/** An environment. Its name is unique among those not archived; its kind never changes. DECISION D4.2 */
export const Environment = Schema.Struct({
  org_id: OrgId,
  id: EnvironmentId,
  name: EnvironmentName,
  type: EnvironmentKind,
  description: Schema.String,
  /** Whether a change of instance counts alone makes a snapshot. DECISION D4.9 */
  include_scaling: Schema.Boolean,
  /** The members of a logical environment, in the order in which they joined; null for a physical one. */
  included: Schema.NullOr(Schema.Array(EnvironmentId)),
  tags: Tags.Tags,
  created_at: Timestamp,
  last_modified_at: Timestamp,
  last_reported_at: Schema.NullOr(Timestamp),
  last_changed_at: Schema.NullOr(Timestamp),
  /** The verdict of the latest snapshot; null before the first. */
  verdict: Schema.NullOr(Verdict),
  archived_at: Schema.NullOr(Timestamp)
})
/** An environment. */
export type Environment = typeof Environment.Type

/** What an environment is asked to be. An empty description does not clear the stored one. */
export interface EnvironmentDraft {
  readonly name: EnvironmentName
  readonly type: EnvironmentKind
  readonly description?: string
  readonly include_scaling?: boolean
  /** Names of the members of a logical environment. */
  readonly included_environments?: ReadonlyArray<string>
}

/** What is to change about an environment; what is absent stays, an empty description clears. */
export interface EnvironmentPatch {
  readonly description?: string
  readonly include_scaling?: boolean
  readonly included_environments?: ReadonlyArray<string>
}

/** A name that means one environment in one org. */
export interface EnvironmentKey {
  readonly org: OrgId
  readonly name: EnvironmentName
}

/** One environment, whatever it is called at the moment. */
export interface EnvironmentRef {
  readonly org: OrgId
  readonly environment: EnvironmentId
}

/** An environment as it is shown: with the name of its org and those of its members. */
export interface EnvironmentView {
  readonly org: OrgName
  readonly environment: Environment
  readonly included: ReadonlyArray<EnvironmentName> | null
}

/** The reference to an environment. */
export const ref = (environment: Pick<Environment, "org_id" | "id">): EnvironmentRef => ({
  org: environment.org_id,
  environment: environment.id
})

/** The environment that a patch makes of the current one. */
export const revise = (
  current: Environment,
  patch: Pick<EnvironmentPatch, "description" | "include_scaling"> & {
    readonly included?: ReadonlyArray<EnvironmentId> | null
  },
  at: Timestamp
): Environment => ({
  ...current,
  description: patch.description ?? current.description,
  include_scaling: patch.include_scaling ?? current.include_scaling,
  included: patch.included ?? current.included,
  last_modified_at: at
})

/** Whether two environments have the same members, in any order. */
export const sameMembers = (left: Environment, right: Environment): boolean => {
  const [one, other] = [new Set(left.included), new Set(right.included)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}

/** Whether two environments have the same settings, whenever they were written. */
export const sameSettings = (left: Environment, right: Environment): boolean =>
  left.description === right.description &&
  left.include_scaling === right.include_scaling &&
  sameMembers(left, right)

/** The environment once archived; it leaves its name to others. DECISION D4.19 */
export const archive = (current: Environment, at: Timestamp): Environment => {
  const suffix = `-archived-at-${Math.floor(toSeconds(at))}`
  const name = current.name.slice(0, NAME_LENGTH_MAX - suffix.length) + suffix
  return { ...current, name: EnvironmentName.make(name), archived_at: at, last_modified_at: at }
}

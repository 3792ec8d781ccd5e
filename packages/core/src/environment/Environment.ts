/** An environment: a place where artifacts run, whose state is kept as numbered snapshots. */
import * as Schema from "effect/Schema"
import { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { PhysicalKind } from "./EnvironmentKind.js"

/** An environment. Its name is unique in the org; its kind never changes. DECISION D4.2 */
export const Environment = Schema.Struct({
  org_id: OrgId,
  id: EnvironmentId,
  name: EnvironmentName,
  type: PhysicalKind,
  description: Schema.String,
  /** Whether a change of instance counts alone makes a snapshot. DECISION D4.9 */
  include_scaling: Schema.Boolean,
  created_at: Timestamp,
  last_modified_at: Timestamp,
  last_reported_at: Schema.NullOr(Timestamp),
  last_changed_at: Schema.NullOr(Timestamp)
})
/** An environment. */
export type Environment = typeof Environment.Type

/** What an environment is asked to be. An empty description does not clear the stored one. */
export interface EnvironmentDraft {
  readonly name: EnvironmentName
  readonly type: PhysicalKind
  readonly description?: string
  readonly include_scaling?: boolean
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

/** The reference to an environment. */
export const ref = (environment: Pick<Environment, "org_id" | "id">): EnvironmentRef => ({
  org: environment.org_id,
  environment: environment.id
})

/** There is no environment of that name. */
export class EnvironmentNotFound extends Schema.TaggedError<EnvironmentNotFound>()(
  "EnvironmentNotFound",
  { org: OrgName, environment: EnvironmentName }
) {
  override get message(): string {
    return `there is no environment \`${this.environment}\` in org \`${this.org}\``
  }
}

/** The environment is of one kind and was addressed as another. DECISION D4.2, D4.4 */
export class EnvironmentKindMismatch extends Schema.TaggedError<EnvironmentKindMismatch>()(
  "EnvironmentKindMismatch",
  { environment: EnvironmentName, kind: PhysicalKind, asked: PhysicalKind }
) {
  override get message(): string {
    return `environment \`${this.environment}\` is of type \`${this.kind}\`, not \`${this.asked}\``
  }
}

/** The environment that a draft makes of the current one. */
export const revise = (
  current: Environment,
  draft: EnvironmentDraft,
  at: Timestamp
): Environment => ({
  ...current,
  description: draft.description || current.description,
  include_scaling: draft.include_scaling ?? current.include_scaling,
  last_modified_at: at
})

/** Whether two environments have the same settings, whenever they were written. */
export const sameSettings = (left: Environment, right: Environment): boolean =>
  left.description === right.description && left.include_scaling === right.include_scaling

/** The errors of environments that are absent, archived, or of the wrong kind. */
import * as Schema from "effect/Schema"
import { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { EnvironmentKind } from "./EnvironmentKind.js"

/** There is no environment of that name. */
export class EnvironmentNotFound extends Schema.TaggedError<EnvironmentNotFound>()(
  "EnvironmentNotFound",
  { org: OrgName, environment: Schema.String }
) {
  override get message(): string {
    return `there is no environment \`${this.environment}\` in org \`${this.org}\``
  }
}

/** The environment of that name is archived, and the name is free. */
export class EnvironmentArchived extends Schema.TaggedError<EnvironmentArchived>()(
  "EnvironmentArchived",
  { org: OrgName, environment: Schema.String }
) {
  override get message(): string {
    return `environment \`${this.environment}\` of org \`${this.org}\` has been archived`
  }
}

/** An environment that is absent or archived. */
export type EnvironmentMissing = EnvironmentNotFound | EnvironmentArchived

/** The environment is of one kind, and the request names another. */
export class EnvironmentKindMismatch extends Schema.TaggedError<EnvironmentKindMismatch>()(
  "EnvironmentKindMismatch",
  { environment: EnvironmentName, kind: EnvironmentKind, asked: EnvironmentKind }
) {
  override get message(): string {
    return `environment \`${this.environment}\` is of type \`${this.kind}\`, not \`${this.asked}\``
  }
}

/** Only a logical environment has members. */
export class EnvironmentNotLogical extends Schema.TaggedError<EnvironmentNotLogical>()(
  "EnvironmentNotLogical",
  { environment: EnvironmentName, kind: EnvironmentKind }
) {
  override get message(): string {
    return `environment \`${this.environment}\` is of type \`${this.kind}\` and has no members`
  }
}

/** A logical environment groups physical ones only. */
export class EnvironmentNotPhysical extends Schema.TaggedError<EnvironmentNotPhysical>()(
  "EnvironmentNotPhysical",
  { environment: EnvironmentName }
) {
  override get message(): string {
    return `environment \`${this.environment}\` is logical, and a physical one is needed here`
  }
}

/** A logical environment does not report, so it has no cadence. */
export class CadenceOfLogicalEnvironment extends Schema.TaggedError<CadenceOfLogicalEnvironment>()(
  "CadenceOfLogicalEnvironment",
  { environment: EnvironmentName, field: Schema.Literal("report_every", "when_silent") }
) {
  override get message(): string {
    return `environment \`${this.environment}\` is logical: set the cadence of its members`
  }
}

/** Another environment has that name. */
export class EnvironmentNameTaken extends Schema.TaggedError<EnvironmentNameTaken>()(
  "EnvironmentNameTaken",
  { org: OrgName, environment: EnvironmentName }
) {
  override get message(): string {
    return `org \`${this.org}\` has another environment \`${this.environment}\``
  }
}

/** A mode is given to a policy that is not attached. */
export class PolicyNotAttached extends Schema.TaggedError<PolicyNotAttached>()(
  "PolicyNotAttached",
  { policy: Schema.String }
) {
  override get message(): string {
    return `policy \`${this.policy}\` is not attached, so it has no mode here`
  }
}

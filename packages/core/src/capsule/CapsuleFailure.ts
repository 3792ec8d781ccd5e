/** Why no capsule is made. */
import * as Schema from "effect/Schema"
import { OrgName } from "../shared/Identifier.js"

/** A selection has more than a capsule may have. */
export class CapsuleTooLarge extends Schema.TaggedError<CapsuleTooLarge>()("CapsuleTooLarge", {
  what: Schema.Literal("entries", "bytes", "files"),
  count: Schema.Int,
  max: Schema.Int
}) {
  override get message(): string {
    const { count, max, what } = this
    return `the selection has ${count} ${what}, and a capsule has at most ${max}; select less`
  }
}

/** Another capsule of the org is being made. */
export class CapsuleBusy extends Schema.TaggedError<CapsuleBusy>()("CapsuleBusy", {
  org: OrgName
}) {
  override get message(): string {
    return `another capsule of org \`${this.org}\` is being made`
  }
}

/** A selected snapshot is in no published checkpoint yet, or not in the one that was asked for. */
export class CapsulePending extends Schema.TaggedError<CapsulePending>()("CapsulePending", {
  org: OrgName
}) {
  override get message(): string {
    return `the log of org \`${this.org}\` does not have every selected snapshot yet`
  }
}

/** There is no artifact of a fingerprint. */
export class CapsuleArtifactNotFound extends Schema.TaggedError<CapsuleArtifactNotFound>()(
  "CapsuleArtifactNotFound",
  { org: OrgName, fingerprint: Schema.String }
) {
  override get message(): string {
    return `there is no artifact \`${this.fingerprint}\` in org \`${this.org}\``
  }
}

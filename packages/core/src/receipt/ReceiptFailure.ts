/** Why there is no receipt of a decision. */
import * as Schema from "effect/Schema"
import { EnvironmentName, OrgName } from "../shared/Identifier.js"

/** An entry that the decision rests on is in no published checkpoint yet. It will be soon. */
export class ReceiptPending extends Schema.TaggedError<ReceiptPending>()("ReceiptPending", {
  org: OrgName
}) {
  override get message(): string {
    return `the log of org \`${this.org}\` does not have every entry of this decision yet`
  }
}

/** No row of the snapshot runs with a known fingerprint, or with this one. */
export class ReceiptWithoutSubject extends Schema.TaggedError<ReceiptWithoutSubject>()(
  "ReceiptWithoutSubject",
  {
    environment: EnvironmentName,
    index: Schema.Int,
    /** Null for the whole snapshot. */
    fingerprint: Schema.NullOr(Schema.String)
  }
) {
  override get message(): string {
    return `snapshot ${this.index} of environment \`${this.environment}\` runs no such artifact`
  }
}

/** A flow that the caller may not read knows the artifact, so the receipt would name what the caller may not see. */
export class ReceiptOfHidden extends Schema.TaggedError<ReceiptOfHidden>()("ReceiptOfHidden", {
  fingerprint: Schema.String
}) {
  override get message(): string {
    return `a flow that you may not read knows artifact \`${this.fingerprint}\`, and a receipt names what it knows`
  }
}

/** A snapshot runs more artifacts than a receipt can name. */
export class TooManySubjects extends Schema.TaggedError<TooManySubjects>()("TooManySubjects", {
  environment: EnvironmentName,
  index: Schema.Int,
  subjects: Schema.Int,
  max: Schema.Int
}) {
  override get message(): string {
    return `snapshot ${this.index} runs ${this.subjects} artifacts, and a receipt names at most ${this.max}`
  }
}

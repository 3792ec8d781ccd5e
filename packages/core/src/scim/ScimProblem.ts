/** Why a SCIM request is refused, in the words of RFC 7644, section 3.12. */
import * as Schema from "effect/Schema"

/** The kind of a refusal. */
export const ScimType = Schema.Literal(
  "invalidFilter",
  "invalidPath",
  "invalidSyntax",
  "invalidValue",
  "mutability",
  "noTarget",
  "tooMany"
)
/** The kind of a refusal. */
export type ScimType = typeof ScimType.Type

/** A request that has no effect, because of what it says. */
export class ScimInvalid extends Schema.TaggedError<ScimInvalid>()("ScimInvalid", {
  scimType: ScimType,
  detail: Schema.String
}) {
  override get message(): string {
    return this.detail
  }
}

/** Another resource of the org has the value. */
export class ScimTaken extends Schema.TaggedError<ScimTaken>()("ScimTaken", {
  attribute: Schema.Literal("userName", "externalId", "displayName"),
  value: Schema.String
}) {
  override get message(): string {
    return `there is another resource with the ${this.attribute} \`${this.value}\``
  }
}

/** There is no such resource in the org. */
export class ScimNotFound extends Schema.TaggedError<ScimNotFound>()("ScimNotFound", {
  id: Schema.String
}) {
  override get message(): string {
    return `there is no resource \`${this.id.slice(0, 100)}\``
  }
}

/**
 * A type of attestation that an org defines: a schema for its data, rules that decide compliance, and a
 * summary. Each change adds a version; a description alone adds none.
 */
import * as Schema from "effect/Schema"
import { CUSTOM_NAME_PATTERN } from "../flow/AttestationTypePattern.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { NAME_LENGTH_MAX, OrgId, OrgName } from "../shared/Identifier.js"
import { optional } from "../shared/OptionalField.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The most rules, and the most summary lines, of a type. */
export const RULES_MAX = 100
/** The most characters of a rule or an expression. */
export const EXPRESSION_LENGTH_MAX = 4_096

/** The name of a type. */
export const AttestationTypeName = Schema.String.pipe(
  Schema.maxLength(NAME_LENGTH_MAX),
  Schema.pattern(new RegExp(CUSTOM_NAME_PATTERN)),
  Schema.brand("AttestationTypeName")
)
/** The name of a type. */
export type AttestationTypeName = typeof AttestationTypeName.Type

/** A jq program. */
export const Expression = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "" || "String should not be blank"),
  Schema.maxLength(EXPRESSION_LENGTH_MAX)
)

const Rules = Schema.Array(Expression).pipe(Schema.maxItems(RULES_MAX))

/** What decides compliance: rules, or the schema alone. */
export const Evaluator = Schema.Union(
  Schema.Struct({
    content_type: Schema.Literal("jq"),
    rules: Rules
  }),
  Schema.Struct({ content_type: Schema.Literal("default") })
)
/** What decides compliance. */
export type Evaluator = typeof Evaluator.Type

/** What a request gives to decide compliance: `jq` and its rules, or `default` without any. */
export const EvaluatorInput = Schema.Struct({
  content_type: optional(Schema.Literal("jq", "default")),
  rules: optional(Rules)
}).pipe(
  Schema.filter(({ content_type, rules }) => {
    const isDefault = content_type === "default"
    if (isDefault === (rules === undefined)) return undefined
    const message = isDefault
      ? "Extra inputs are not permitted where `content_type` is `default`"
      : "Field required"
    return { path: ["rules"], message }
  })
)

/** The evaluator that a request gives; the schema alone where it gives none. */
export const evaluatorOf = (given: typeof EvaluatorInput.Type | undefined): Evaluator =>
  given?.rules === undefined
    ? { content_type: "default" }
    : { content_type: "jq", rules: given.rules }

/** One line of the summary. */
export const SummaryLine = Schema.Struct({
  name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NAME_LENGTH_MAX)),
  expression: Expression
})

/** The lines of the summary. */
export const Summary = Schema.Array(SummaryLine).pipe(Schema.maxItems(RULES_MAX))

/** The content of a version. */
export const TypeContent = Schema.Struct({
  type_schema: Schema.Unknown,
  evaluator: Evaluator,
  summary: Schema.NullOr(Summary)
})
/** The content of a version. */
export type TypeContent = typeof TypeContent.Type

/** One version; numbers count from 1. */
export const TypeVersion = Schema.Struct({
  ...TypeContent.fields,
  version: Schema.Int,
  timestamp: Timestamp,
  created_by: Schema.String
})
/** One version. */
export type TypeVersion = typeof TypeVersion.Type

/** A type with all its versions, oldest first. */
export const AttestationType = Schema.Struct({
  org_id: OrgId,
  name: AttestationTypeName,
  description: Schema.NullOr(Schema.String),
  archived: Schema.Boolean,
  versions: Schema.NonEmptyArray(TypeVersion),
  created_by: Schema.String,
  created_at: Timestamp,
  last_modified_at: Timestamp
})
/** A type with all its versions. */
export type AttestationType = typeof AttestationType.Type

/** The name of a type in an org. */
export interface TypeKey {
  readonly org: OrgId
  readonly name: AttestationTypeName
}

/** The type that a request gives. */
export interface TypeDraft extends TypeContent {
  readonly name: AttestationTypeName
  readonly description: string | null
}

/** The version that new attestations are evaluated by. */
export const newest = ({ versions: [first, ...others] }: AttestationType): TypeVersion =>
  others.reduce((best, next) => (next.version > best.version ? next : best), first)

/** Whether two contents are equal. */
export const sameContent = (left: TypeContent, right: TypeContent): boolean => {
  const contentOf = ({ type_schema, evaluator, summary }: TypeContent) => ({
    type_schema,
    evaluator,
    summary
  })
  return CanonicalJson.equals(contentOf(left), contentOf(right))
}

/** There is no type of that name, or it has been archived. */
export class AttestationTypeNotFound extends Schema.TaggedError<AttestationTypeNotFound>()(
  "AttestationTypeNotFound",
  { org: OrgName, type: Schema.String }
) {
  override get message(): string {
    return `there is no attestation type \`${this.type}\` in org \`${this.org}\``
  }
}

/** The type has no such version. */
export class TypeVersionNotFound extends Schema.TaggedError<TypeVersionNotFound>()(
  "TypeVersionNotFound",
  { type: Schema.String, version: Schema.Int }
) {
  override get message(): string {
    return `attestation type \`${this.type}\` has no version ${this.version}`
  }
}

/** The schema, a rule or an expression is invalid. */
export class InvalidAttestationType extends Schema.TaggedError<InvalidAttestationType>()(
  "InvalidAttestationType",
  { problems: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String })) }
) {
  override get message(): string {
    return `the definition has ${this.problems.length} problems`
  }
}

/**
 * The data does not fit the schema of its type, or exceeds the limits of its evaluation. It is not recorded, because it
 * is not evidence of that type.
 */
export class InvalidAttestationData extends Schema.TaggedError<InvalidAttestationData>()(
  "InvalidAttestationData",
  { type: Schema.String, problem: Schema.String }
) {
  override get message(): string {
    return `the data cannot be judged by attestation type \`${this.type}\``
  }
}

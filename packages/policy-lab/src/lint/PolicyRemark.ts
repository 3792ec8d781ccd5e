/**
 * A remark of lint about a valid policy.
 *
 * A warning is probably a mistake; an info is something to know. Neither keeps a policy from being saved.
 */
import * as Schema from "effect/Schema"

/** The kinds of remarks. */
export const RemarkCode = Schema.Literal(
  "condition_never_true",
  "condition_always_true",
  "condition_always_error",
  "dead_rule",
  "dead_exception",
  "rule_implied",
  "exception_without_requirement",
  "max_age_without_requirement",
  "exception_not_enough",
  "duplicate_rule",
  "unknown_fact",
  "may_error",
  "unknown_flow",
  "unknown_tag",
  "unknown_tag_value",
  "unknown_custom_type",
  "unknown_control",
  "archived_control",
  "unknown_attestation_name",
  "exception_unused",
  "rule_unused",
  "rule_always_fails"
).annotations({ identifier: "PolicyRemarkCode" })
/** The kind of a remark. */
export type RemarkCode = typeof RemarkCode.Type

/** One remark; the path is dotted, and the position is that of its key in the text. */
export const PolicyRemark = Schema.Struct({
  code: RemarkCode,
  severity: Schema.Literal("warning", "info"),
  path: Schema.String,
  line: Schema.Int,
  column: Schema.Int,
  message: Schema.String,
  /** A text to write instead; null where there is none. */
  suggestion: Schema.NullOr(Schema.String)
}).annotations({ identifier: "PolicyRemark" })
/** One remark. */
export type PolicyRemark = typeof PolicyRemark.Type

const INFOS: ReadonlyArray<RemarkCode> = [
  "rule_implied",
  "may_error",
  "exception_unused",
  "rule_unused"
]

/** The severity of a kind of remarks. */
export const severityOf = (code: RemarkCode): PolicyRemark["severity"] =>
  INFOS.includes(code) ? "info" : "warning"

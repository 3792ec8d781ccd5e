/** The operation that asserts an artifact. SPEC §2.24, §4.13 */
import { RecordStatus } from "@attestry/core/ComplianceStatus"
import { hiddenField } from "@attestry/core/Hidden"
import { FlowName } from "@attestry/core/Identifier"
import { PolicyDecision } from "@attestry/core/PolicyDecision"
import { PolicyReason } from "@attestry/core/PolicyReason"
import { EpochSeconds } from "@attestry/core/Timestamp"
import { waivedField } from "@attestry/core/WaivedResult"
import { REMEDIES_MAX } from "@attestry/policy-lab/PolicyRemedy"
import { PreviousCompliant, Remedy } from "@attestry/policy-lab/RemedyStep"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { answeredAsOf, asOf } from "../history/AsOfFields.js"
import { noBody, Operation, rule } from "../shared/Operation.js"
import { org, wholeFingerprint } from "../shared/PathParam.js"
import * as QueryParam from "../shared/QueryParam.js"

const { attestations_statuses, flow_reasons_for_non_compliance, is_compliant, status } =
  RecordStatus.fields

/** The artifact in one flow. */
export const AssertedFlow = Schema.Struct({
  flow: Schema.String,
  trail: Schema.String,
  compliance_status: Schema.Struct({
    status,
    is_compliant,
    attestations_statuses,
    flow_reasons_for_non_compliance
  })
}).annotations({ identifier: "AssertedFlow" })

/** The response; it has `policy_evaluations` where the request names policies, in their order. */
export const AssertionResponse = Schema.Struct({
  compliant: Schema.Boolean,
  /** Only where it is compliant because the allow-list of the environment has it, whatever its policies decide. */
  is_allowed: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /**
   * The instant at which a compliant artifact ceases to be so by time alone; absent if there is none. Beside
   * `is_allowed`, the end of the entry.
   */
  expires_at: Schema.optionalWith(EpochSeconds, { exact: true }),
  /** With `expires_at`: one for each rule and flow that fails from then on. */
  reasons_at_expiry: Schema.optionalWith(Schema.Array(PolicyReason), { exact: true }),
  scope: Schema.Literal("flow", "environment", "policy"),
  environment: Schema.optionalWith(Schema.String, { exact: true }),
  policy_evaluations: Schema.optionalWith(Schema.Array(PolicyDecision), { exact: true }),
  /** One for each rule and flow that fails, with the missing evidence. */
  reasons_for_incompliance: Schema.Array(PolicyReason),
  /** The reasons of policies that only warn; absent without such policies. */
  warnings: Schema.optionalWith(Schema.Array(PolicyReason), { exact: true }),
  /** The results that waivers turned; absent where there is none. */
  ...waivedField,
  /** With `remedies`: ways to make it compliant, cheapest first; the last may be an entry of the allow-list. */
  remedies: Schema.optionalWith(Schema.Array(Remedy), { exact: true }),
  /** With `remedies`: the nearest earlier artifact of the same slot that is compliant now; null where there is none. */
  previous_compliant: Schema.optionalWith(Schema.NullOr(PreviousCompliant), { exact: true }),
  flows: Schema.Array(AssertedFlow),
  html_url: Schema.String,
  /** Only where a flow knows it that the caller may not read: `flows` leaves it out, and there are no remedies. */
  ...hiddenField,
  ...answeredAsOf
}).annotations({ identifier: "Assertion" })

/** The policies and flows that an artifact is asserted against; by default, all its flows. */
export const AssertQuery = Schema.Struct({
  as_of: asOf,
  flow_name: QueryParam.optional(FlowName, "Only evidence of the flow of this name counts."),
  environment_name: QueryParam.optional(
    Schema.String,
    "Judge by the policies that are attached to this environment."
  ),
  policy_name: QueryParam.optional(
    QueryParam.repeatable(Schema.String),
    "Judge by this policy. May be repeated; not together with `environment_name`."
  ),
  remedies: QueryParam.optional(
    QueryParam.integer(0, REMEDIES_MAX),
    "How many ways to make the artifact compliant are answered, each the smallest of its kind and confirmed by " +
      "evaluation. Adds `remedies` and `previous_compliant`; without it neither is there. Not together with `as_of`."
  )
}).pipe(
  Schema.filter(({ as_of, remedies }) =>
    as_of !== undefined && remedies !== undefined
      ? { path: ["remedies"], message: "Input should be left out where `as_of` is given" }
      : undefined
  )
)

/** The operation that asserts an artifact. */
export class AssertionApi extends HttpApiGroup.make("assertion")
  .add(
    HttpApiEndpoint.get("assert")`/asserts/${org}/fingerprint/${wholeFingerprint}`
      .setUrlParams(AssertQuery)
      .addSuccess(AssertionResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Ask whether an artifact is compliant, and why not")
      .annotate(
        OpenApi.Description,
        "Evaluates the artifact now: by the templates of its flows, by the policies of an " +
          "environment, or by named policies. Answers 200 whether or not it is compliant. An " +
          "artifact on the allow-list of the environment is compliant; policies also evaluate " +
          "one that no flow knows. " +
          "`remedies` adds steps that would make it compliant. With `as_of` it is evaluated by " +
          "the evidence, the attached policies and their versions of that instant."
      )
  )
  .annotate(OpenApi.Title, "Assertions")
  .annotate(
    OpenApi.Description,
    "Whether an artifact is compliant: in an environment, against policies, or in its flows."
  ) {}

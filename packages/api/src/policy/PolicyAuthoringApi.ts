/** The operations of writing policies: they only ask, and store nothing. SPEC §4.6 */
import { hiddenRowsField } from "@attestry/core/Hidden"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { Facts } from "@attestry/core/PolicyFacts"
import { PolicyReason } from "@attestry/core/PolicyReason"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import { PolicyRemark } from "@attestry/policy-lab/PolicyRemark"
import { TestRun } from "@attestry/policy-lab/PolicyTests"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { jsonBody, Operation, rule } from "../shared/Operation.js"
import { org } from "../shared/PathParam.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The most environments of one question. */
export const ENVIRONMENTS_MAX = 100

const source = {
  policy_yaml: optional(
    Schema.String.annotations({ description: "The text of the policy; or name a stored one." })
  ),
  policy_name: optional(PolicyName),
  version: optional(
    Schema.Int.pipe(Schema.greaterThanOrEqualTo(1)).annotations({
      description: "The version of the named policy; the latest by default."
    })
  )
}

const environments = Schema.Array(EnvironmentName).pipe(Schema.maxItems(ENVIRONMENTS_MAX))

/** A policy to compare: a text, or a version of a stored policy. */
export const ComparedPolicy = Schema.Struct(source).annotations({ identifier: "ComparedPolicy" })

/** A policy to lint. */
export const LintPolicy = Schema.Struct({
  ...source,
  environments: optional(
    environments.annotations({
      description:
        "The environments whose running artifacts are examined; by default those to which a " +
        "named policy is attached."
    })
  )
}).annotations({ identifier: "LintPolicy" })

/** A policy and its tests. */
export const TestPolicy = Schema.Struct({ ...source, tests_yaml: Schema.String }).annotations({
  identifier: "TestPolicy"
})

/** Two policies to compare. */
export const ComparePolicies = Schema.Struct({
  old: ComparedPolicy,
  new: ComparedPolicy
}).annotations({ identifier: "ComparePolicies" })

/** The most days that a suggestion looks back. */
export const SUGGEST_DAYS_MAX = 366

/** Where a policy is suggested from. */
export const SuggestPolicy = Schema.Struct({
  environments: environments.pipe(Schema.minItems(1)),
  snapshot: optional(SnapshotExpression.FromText),
  days: optional(
    Schema.Int.pipe(Schema.between(1, SUGGEST_DAYS_MAX)).annotations({
      description:
        "Instead of `snapshot`: all artifacts that ran in the last days count, with their " +
        "current evidence."
    })
  ),
  min_artifacts: optional(
    Schema.Int.pipe(Schema.between(1, 1_000_000)).annotations({
      description: "The least number of artifacts to which a rule must apply; 3 by default."
    })
  ),
  conditions: optional(Schema.Array(Schema.Literal("flow.tags")).pipe(Schema.maxItems(1)))
}).annotations({ identifier: "SuggestPolicy" })

/** The remarks about a policy. */
export const LintResponse = Schema.Struct({
  remarks: Schema.Array(PolicyRemark)
}).annotations({ identifier: "PolicyLint" })

/** Facts that one policy accepts, and why the other one does not. */
export const AcceptedByOne = Schema.Struct({
  facts: Facts,
  reasons: Schema.Array(PolicyReason),
  /** The instant of the evaluation; only where a rule has a `max_age`. */
  now: Schema.optionalWith(Schema.Number, { exact: true })
}).annotations({ identifier: "AcceptedByOne" })

const direction = Schema.Union(AcceptedByOne, Schema.Null, Schema.Literal("unknown"))

const lines = Schema.Array(Schema.String)

/** The relation of two policies. */
export const CompareResponse = Schema.Struct({
  relation: Schema.Literal("equivalent", "stronger", "weaker", "incomparable", "unknown"),
  accepted_by_old_only: direction,
  accepted_by_new_only: direction,
  rules: Schema.Struct({ added: lines, removed: lines, changed: lines, same: lines })
}).annotations({ identifier: "PolicyComparison" })

/** A suggested policy. */
export const SuggestResponse = Schema.Struct({
  policy_yaml: Schema.String,
  rules: Schema.Array(
    Schema.Struct({ rule: Schema.String, artifacts: Schema.Int, flows: Schema.Int })
  ),
  left_out: Schema.Array(Schema.Struct({ rule: Schema.String, failing: lines })),
  compliant: Schema.Literal(true),
  ...hiddenRowsField
}).annotations({ identifier: "PolicySuggestion" })

const asks = rule("org.read", jsonBody, { reads: true })

/** The operations of writing policies. */
export class PolicyAuthoringApi extends HttpApiGroup.make("policyAuthoring")
  .add(
    HttpApiEndpoint.post("lint")`/policies/${org}/lint`
      .setPayload(LintPolicy)
      .addSuccess(LintResponse)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Get remarks about a policy")
      .annotate(
        OpenApi.Description,
        "Answers probable mistakes in a valid policy, each with its line and column: " +
          "conditions that are never true, rules that another rule implies, names that the org " +
          "does not have. An invalid policy is 400."
      )
  )
  .add(
    HttpApiEndpoint.post("test")`/policies/${org}/test`
      .setPayload(TestPolicy)
      .addSuccess(TestRun)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Run the tests of a policy")
      .annotate(
        OpenApi.Description,
        "Plays a file of tests against a policy and answers which passed, why others failed, and how often each " +
          "rule applied. Failing tests are 200; texts that cannot be read are 400."
      )
  )
  .add(
    HttpApiEndpoint.post("compare")`/policies/${org}/compare`
      .setPayload(ComparePolicies)
      .addSuccess(CompareResponse)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Compare two policies by the artifacts that they accept")
      .annotate(
        OpenApi.Description,
        "Answers whether the new policy is equivalent to the old one, stronger, weaker or neither, with facts " +
          "that only one of them accepts. `unknown` beyond the limits of the search, never a guess."
      )
  )
  .add(
    HttpApiEndpoint.post("suggest")`/policies/${org}/suggest`
      .setPayload(SuggestPolicy)
      .addSuccess(SuggestResponse)
      .annotate(Operation, asks)
      .annotate(OpenApi.Summary, "Suggest a policy from running artifacts")
      .annotate(
        OpenApi.Description,
        "Answers the text of a policy that every artifact running in the environments satisfies, with the " +
          "support of each rule, and the rules that some artifact fails. With `days` every artifact that ran in " +
          "the last days does."
      )
  )
  .annotate(OpenApi.Title, "Policy authoring")
  .annotate(
    OpenApi.Description,
    "Questions about a policy that is being written. They store nothing and are open to every role that reads."
  ) {}

/** The operations of policies. */
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { PolicyVersionRecord } from "@attestry/core/Policy"
import { PolicyEvent } from "@attestry/core/PolicyEvent"
import { EpochSeconds } from "@attestry/core/Timestamp"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Conflict } from "../shared/HttpError.js"
import { CreatedBody, OkBody } from "../shared/OkBody.js"
import { formBody, noBody, Operation, rule } from "../shared/Operation.js"
import { org, policyName } from "../shared/PathParam.js"
import { answeredSpace, newSpace } from "../shared/SpaceField.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const said = {
  description: optional(Schema.String),
  comment: optional(Schema.String),
  /** The only type of a policy. */
  type: optional(Schema.Literal("env")),
  /** The text in JSON. */
  policy_yaml: optional(Schema.String),
  /** The text as a file of a form. */
  policy_file: optional(Schema.String),
  space: newSpace,
  unless: optional(
    Schema.Literal("weaker").annotations({
      description:
        "Refuses with 409 a text that accepts an artifact that the latest version refuses, " +
        "or that may do so."
    })
  )
}

/**
 * A policy to save; its text is in `policy_yaml` or in a file. The specification has one form, and clients send the
 * other.
 */
export const PutPolicy = Schema.Struct({ name: optional(PolicyName), ...said }).annotations({
  identifier: "PutPolicy"
})

/** The same, with the name of the policy. */
export const PutNamedPolicy = Schema.Struct({ name: PolicyName, ...said }).annotations({
  identifier: "PutNamedPolicy"
})

const { comment, created_by, policy_yaml, version } = PolicyVersionRecord.fields

/** A version in a response. */
export const PolicyVersionResponse = Schema.Struct({
  version,
  comment,
  created_by,
  timestamp: EpochSeconds,
  policy_yaml
}).annotations({ identifier: "PolicyVersion" })

/** An event in a response. */
export const PolicyEventResponse = Schema.Struct({
  ...PolicyEvent.fields,
  timestamp: EpochSeconds
}).annotations({ identifier: "PolicyEvent" })

/** A policy in a response; versions and events are in ascending order. SPEC §2.7 */
export const PolicyResponse = Schema.Struct({
  name: PolicyName,
  description: Schema.String,
  archived: Schema.Literal(false),
  consuming_envs: Schema.Array(EnvironmentName),
  created_at: EpochSeconds,
  last_modified_at: EpochSeconds,
  created_by: Schema.String,
  events: Schema.Array(PolicyEventResponse),
  versions: Schema.Array(PolicyVersionResponse),
  space: answeredSpace
}).annotations({ identifier: "Policy" })

/** The operations of policies. */
export class PolicyApi extends HttpApiGroup.make("policy")
  .add(
    HttpApiEndpoint.put("put")`/policies/${org}/${policyName}`
      .setPayload(PutPolicy)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .addError(Conflict.Body)
      .annotate(Operation, rule("policy.write", formBody("payload", "policy_file")))
      .annotate(OpenApi.Summary, "Create a policy, or add a version where its text differs")
      .annotate(
        OpenApi.Description,
        "Creates a policy, or adds a version if the text differs from the latest one. " +
          "Environments to which the policy is attached are evaluated by the new version at " +
          "once. With `unless: weaker`, a text that accepts an artifact that the latest " +
          "version refuses, or that may do so, is 409 with facts that show it. Answers 201 " +
          "when the policy is new."
      )
  )
  .add(
    HttpApiEndpoint.put("putNamed")`/policies/${org}`
      .setPayload(PutNamedPolicy)
      .addSuccess(OkBody)
      .addSuccess(CreatedBody)
      .addError(Conflict.Body)
      .annotate(Operation, rule("policy.write", formBody("payload", "policy_file")))
      .annotate(OpenApi.Summary, "The same, with the name in the payload")
      .annotate(
        OpenApi.Description,
        "Creates a policy, or adds a version where the text differs, as the operation with " +
          "the name in the path does. Answers 201 when the policy is new."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/policies/${org}`
      .addSuccess(Schema.Array(PolicyResponse))
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "List policies, by name")
      .annotate(
        OpenApi.Description,
        "Answers every policy of the org with its versions, its history, and the " +
          "environments that it is attached to."
      )
  )
  .add(
    HttpApiEndpoint.get("get")`/policies/${org}/${policyName}`
      .addSuccess(PolicyResponse)
      .annotate(Operation, rule("org.read", noBody))
      .annotate(OpenApi.Summary, "Get a policy with its versions and its history")
      .annotate(
        OpenApi.Description,
        "Answers one policy with its versions and its history, oldest first, and the " +
          "environments that it is attached to."
      )
  )
  .annotate(OpenApi.Title, "Policies")
  .annotate(
    OpenApi.Description,
    "Versioned rules about artifacts that may run, attached to environments."
  ) {}

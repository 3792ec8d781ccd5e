/** Serves the operations of policies. */
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import { PolicyApi, type PolicyResponse, type PutPolicy } from "@attestry/api/PolicyApi"
import type { OrgName, PolicyName } from "@attestry/core/Identifier"
import { Policies } from "@attestry/core/Policies"
import type { PolicyDraft } from "@attestry/core/Policy"
import type { PolicyView } from "@attestry/core/PolicyView"
import { refuseWeaker } from "@attestry/policy-lab/WeakerVersion"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as OkBody from "../../shared/internal/OkBody.js"
import type { SpaceLabel } from "../../shared/internal/SpaceLabels.js"
import * as SpaceLabels from "../../shared/internal/SpaceLabels.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** The text of a policy, from one of two fields. */
const textOf = ({
  policy_file,
  policy_yaml
}: typeof PutPolicy.Type): Either.Either<string, BadRequest> => {
  if (policy_file !== undefined && policy_yaml !== undefined)
    return Either.left(invalid({ policy_yaml: "Send it here or as a file, not both [input: …]" }))
  const text = policy_file ?? policy_yaml
  return text === undefined
    ? Either.left(invalid({ policy_yaml: "Field required [input: None]" }))
    : Either.right(text)
}

const draftOf = (
  name: PolicyName,
  payload: typeof PutPolicy.Type
): Either.Either<PolicyDraft, BadRequest> => {
  if (payload.name !== undefined && payload.name !== name)
    return Either.left(
      invalid({ name: `Input should be the name in the path [input: ${payload.name}]` })
    )
  return Either.map(textOf(payload), (policy_yaml) => ({
    name,
    description: payload.description ?? "",
    comment: payload.comment ?? "",
    ...(payload.space === undefined ? {} : { space: payload.space }),
    policy_yaml
  }))
}

const responseOf = (
  { consumers, events, policy, versions }: PolicyView,
  label: SpaceLabel
): typeof PolicyResponse.Type => ({
  ...label,
  name: policy.name,
  description: policy.description,
  archived: false,
  consuming_envs: consumers,
  created_at: policy.created_at,
  last_modified_at: policy.last_modified_at,
  created_by: policy.created_by,
  events,
  versions: versions.map(({ comment, created_by, policy_yaml, timestamp, version }) => ({
    version,
    comment,
    created_by,
    timestamp,
    policy_yaml
  }))
})

/** Serves the operations of policies. */
export const PolicyHandlers = group(
  PolicyApi,
  Effect.map(Effect.all([Policies, SpaceLabels.make]), ([policies, labels]) => {
    const put = (org: OrgName, name: PolicyName, payload: typeof PutPolicy.Type) =>
      Effect.flatMap(draftOf(name, payload), (draft) =>
        policies.put(org, draft, payload.unless === "weaker" ? refuseWeaker(org) : undefined)
      ).pipe(toWire, Effect.map(OkBody.ofPut))
    return {
      put: ({ path, payload }) => put(path.org, path.name, payload),
      putNamed: ({ path, payload }) => put(path.org, payload.name, payload),
      list: ({ path }) =>
        policies.list(path.org).pipe(
          Effect.bindTo("views"),
          Effect.bind("label", ({ views }) =>
            labels(
              views[0]?.policy.org_id,
              "policy",
              views.map(({ policy }) => policy.id)
            )
          ),
          toWire,
          Effect.map(({ label, views }) =>
            ok(views.map((view) => responseOf(view, label(view.policy.id))))
          )
        ),
      get: ({ path }) =>
        policies.get(path.org, path.name).pipe(
          Effect.bindTo("view"),
          Effect.bind("label", ({ view: { policy } }) =>
            labels(policy.org_id, "policy", [policy.id])
          ),
          toWire,
          Effect.map(({ label, view }) => ok(responseOf(view, label(view.policy.id))))
        )
    }
  })
)

/** Serves the operations of writing policies. */

import { type BadRequest, invalid } from "@attestry/api/HttpError"
import {
  type ComparedPolicy,
  type CompareResponse,
  PolicyAuthoringApi,
  type SuggestPolicy
} from "@attestry/api/PolicyAuthoringApi"
import { toHiddenRows } from "@attestry/core/Hidden"
import type { OrgName } from "@attestry/core/Identifier"
import * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import type { PolicySource } from "@attestry/policy-lab/PolicyAuthoring"
import { PolicyAuthoring } from "@attestry/policy-lab/PolicyAuthoring"
import type { Comparison } from "@attestry/policy-lab/PolicyComparison"
import { PolicySuggestions } from "@attestry/policy-lab/PolicySuggestions"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

type Given = typeof ComparedPolicy.Type

/** The policy of a payload: a text or a name, and a version only with a name; undefined when there is neither. */
const givenIn = (
  { policy_name, policy_yaml, version }: Given,
  prefix: string
): Either.Either<PolicySource | undefined, BadRequest> => {
  if (policy_yaml !== undefined && (policy_name !== undefined || version !== undefined))
    return Either.left(
      invalid({
        [`${prefix}policy_yaml`]: "Send the text or name a stored policy, not both [input: …]"
      })
    )
  if (policy_yaml !== undefined) return Either.right({ policy_yaml })
  if (policy_name !== undefined) return Either.right({ policy_name, version })
  return version === undefined
    ? Either.right(undefined)
    : Either.left(invalid({ [`${prefix}policy_name`]: "Field required [input: None]" }))
}

const sourceOf = (given: Given, prefix = ""): Either.Either<PolicySource, BadRequest> =>
  Either.flatMap(givenIn(given, prefix), (source) =>
    source === undefined
      ? Either.left(invalid({ [`${prefix}policy_yaml`]: "Field required [input: None]" }))
      : Either.right(source)
  )

const compared = ({
  acceptedByNewOnly,
  acceptedByOldOnly,
  relation,
  rules
}: Comparison): typeof CompareResponse.Type => ({
  relation,
  accepted_by_old_only: acceptedByOldOnly,
  accepted_by_new_only: acceptedByNewOnly,
  rules
})

/** The least support of a suggested rule by default. */
const MIN_ARTIFACTS = 3

/** A policy suggested from a snapshot, or from what ran in the last days. */
const suggested = (
  suggestions: PolicySuggestions,
  org: OrgName,
  payload: typeof SuggestPolicy.Type
) =>
  Effect.gen(function* () {
    const { conditions = ["flow.tags"], days, environments, min_artifacts, snapshot } = payload
    const options = {
      minArtifacts: min_artifacts ?? MIN_ARTIFACTS,
      withTags: conditions.length > 0
    }
    if (days !== undefined && snapshot !== undefined)
      return yield* invalid({ days: "Does not go with `snapshot` [input: …]" })
    const expression = snapshot ?? SnapshotExpression.now
    const source = days === undefined ? { environments, expression } : { environments, days }
    return yield* suggestions.suggest(org, source, options)
  })

/** Serves the operations of writing policies. */
export const PolicyAuthoringHandlers = group(
  PolicyAuthoringApi,
  Effect.map(Effect.all([PolicyAuthoring, PolicySuggestions]), ([authoring, suggestions]) => ({
    lint: ({ path, payload }) =>
      Effect.flatMap(sourceOf(payload), (source) =>
        authoring.lint(path.org, source, payload.environments)
      ).pipe(
        toWire,
        Effect.map((remarks) => ok({ remarks }))
      ),
    test: ({ path, payload }) =>
      Effect.flatMap(givenIn(payload, ""), (source) =>
        authoring.test(path.org, source, payload.tests_yaml)
      ).pipe(toWire, Effect.map(ok)),
    compare: ({ path, payload }) =>
      Effect.flatMap(
        Either.all([sourceOf(payload.old, "old."), sourceOf(payload.new, "new.")]),
        ([before, after]) => authoring.compare(path.org, before, after)
      ).pipe(
        toWire,
        Effect.map((comparison) => ok(compared(comparison)))
      ),
    suggest: ({ path, payload }) =>
      suggested(suggestions, path.org, payload).pipe(
        toWire,
        Effect.map(({ hidden, leftOut, policy_yaml, rules }) =>
          ok({
            policy_yaml,
            rules,
            left_out: leftOut,
            compliant: true as const,
            ...toHiddenRows(hidden)
          })
        )
      )
  }))
)

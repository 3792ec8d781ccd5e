/** Reads the candidate of a dry run or backtest, and stored versions of policies. */

import type { PolicyName } from "@attestry/core/Identifier"
import { PolicyNotFound, PolicyVersionNotFound } from "@attestry/core/Policy"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import type * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The source of a candidate: a text and its name, or a stored version, the last by default. */
export type CandidateSource =
  | { readonly policy_yaml: string; readonly name?: PolicyName | undefined }
  | { readonly policy_name: PolicyName; readonly version?: number | undefined }

/** A candidate that can be evaluated. */
export interface Candidate {
  /** The name in decisions. */
  readonly name: string
  /** Null for a text. */
  readonly version: number | null
  readonly text: string
  readonly document: PolicyDocument.PolicyDocument
  readonly policy: PolicyEvaluation.PolicyVersion
}

/** The name of a text without a name. */
export const UNNAMED = "candidate"

/** Reads candidates. */
export class PolicyCandidates extends Effect.Service<PolicyCandidates>()(
  "@attestry/policy-lab/PolicyCandidates",
  {
    effect: Effect.gen(function* () {
      const store = yield* PolicyStore

      const reaches = yield* Reaches

      const textOf = (granted: GrantedWithin, source: CandidateSource) =>
        Effect.gen(function* () {
          const { org, orgId } = granted
          if ("policy_yaml" in source)
            return { name: source.name ?? UNNAMED, version: null, text: source.policy_yaml }
          const found = yield* store.findByName({ org: orgId, name: source.policy_name })
          const notFound = () => new PolicyNotFound({ org, policy: source.policy_name })
          if (Option.isNone(found)) return yield* notFound()
          yield* reaches.permit(granted, { kind: "policy", id: found.value.id }, notFound)
          const { id, name, version: latest } = found.value
          const version = source.version ?? latest
          const [record] = yield* store.listVersions(orgId, { keys: [{ id, version }] })
          if (record === undefined)
            return yield* new PolicyVersionNotFound({ org, policy: name, version })
          return { name, version, text: record.policy_yaml }
        })

      /** The candidate; fails for a text that is no policy. */
      const get = (granted: GrantedWithin, source: CandidateSource) =>
        Effect.gen(function* () {
          const { name, version, text } = yield* textOf(granted, source)
          const document = yield* PolicyDocument.parse(text)
          const policy = { id: UNNAMED, name, version: version ?? 0, document }
          return { name, version, text, document, policy } satisfies Candidate
        })

      return { get } as const
    })
  }
) {}

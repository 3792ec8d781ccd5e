/**
 * The policies of environments by name and by id, and the journal entries of their changes.
 *
 * Runs inside the transactions of use cases that write environments. Policies are locked before the
 * environment: a concurrent new version either sees the environment, or the environment sees the version.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Granted } from "../../access/Access.js"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import { Journals } from "../../journal/Journals.js"
import { PolicyNotFound } from "../../policy/Policy.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { type OrgId, type PolicyId, PolicyName } from "../../shared/Identifier.js"
import type { Environment as Env } from "../Environment.js"
import { PolicyHistory } from "./PolicyHistory.js"

const decodeName = Schema.decodeOption(PolicyName)

/** The policies of environments. */
export class AttachedPolicies extends Effect.Service<AttachedPolicies>()(
  "@attestry/core/AttachedPolicies",
  {
    effect: Effect.gen(function* () {
      const store = yield* PolicyStore
      const journals = yield* Journals
      const history = yield* PolicyHistory

      /** The ids of policies by their names, each once, in the order given; locked until the transaction ends. */
      const hold = ({ org, orgId }: Granted, names: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const distinct = [...new Set(names)]
          const found = yield* store.holdByNames(
            orgId,
            distinct.flatMap((name) => Option.toArray(decodeName(name)))
          )
          const ids = new Map<string, PolicyId>(found.map(({ id, name }) => [name, id]))
          const missing = distinct.find((name) => !ids.has(name))
          if (missing !== undefined) return yield* new PolicyNotFound({ org, policy: missing })
          return distinct.flatMap((name) => ids.get(name) ?? [])
        })

      const record = (writer: WriteContext, environment: Env, policy: PolicyId) => (kind: string) =>
        journals.record({
          ...writer,
          kind,
          subject: { type: "policy", id: policy },
          content: { environment: environment.name, environment_id: environment.id }
        })

      /** Journals the policies that an environment gained and lost. */
      const recordChanges = (writer: WriteContext, before: Pick<Env, "policies">, after: Env) =>
        Effect.gen(function* () {
          for (const id of after.policies)
            if (!before.policies.includes(id)) yield* record(writer, after, id)("policy_attached")
          for (const id of before.policies)
            if (!after.policies.includes(id)) yield* record(writer, after, id)("policy_detached")
        })

      /** The names of the policies of environments, by id. */
      const namesOf = (org: OrgId, environments: ReadonlyArray<Env>) =>
        Effect.map(
          store.listByIds(org, [...new Set(environments.flatMap(({ policies }) => policies))]),
          (found) =>
            ({ policies }: Env): ReadonlyArray<PolicyName> =>
              found.filter(({ id }) => policies.includes(id)).map(({ name }) => name)
        )

      const { policiesChanged: judge } = history

      return { hold, recordChanges, judge, namesOf } as const
    })
  }
) {}

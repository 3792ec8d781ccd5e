/** `ControlReferences` on the latest versions of policies and on environments. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  ControlReferences,
  type IdentifiedEnvironment
} from "../../control/internal/ControlReferences.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import type { OrgId, PolicyId } from "../../shared/Identifier.js"
import { modeOf } from "../Environment.js"
import { EnvironmentStore } from "../EnvironmentStore.js"

const make = Effect.gen(function* () {
  const policies = yield* PolicyStore
  const environments = yield* EnvironmentStore

  const policiesNaming = (org: OrgId, control: string) =>
    Effect.gen(function* () {
      const all = yield* policies.list(org)
      const latest = yield* policies.listVersions(org, { keys: all })
      const naming = new Set(
        latest
          .filter(({ dump }) =>
            dump.artifacts.attestations.some(({ for_control }) => for_control === control)
          )
          .map(({ policy_id }) => policy_id)
      )
      return all.filter(({ id }) => naming.has(id)).map(({ id, name }) => ({ id, name }))
    })

  const consuming = (org: OrgId) =>
    Effect.gen(function* () {
      const found = (yield* environments.list(org)).filter(({ type }) => type !== "logical")
      const attached = [...new Set(found.flatMap(({ policies: ids }) => ids))]
      const named = attached.length === 0 ? [] : yield* policies.list(org, attached)
      return found.map((environment): IdentifiedEnvironment => {
        const attachedHere = named.filter(({ id }) => environment.policies.includes(id))
        const isWarning = ({ id }: { readonly id: PolicyId }) => modeOf(environment, id) === "warn"
        return {
          id: environment.id,
          name: environment.name,
          policies: attachedHere.filter((policy) => !isWarning(policy)).map(({ name }) => name),
          warning: attachedHere.filter(isWarning).map(({ name }) => name)
        }
      })
    })

  return { policiesNaming, environments: consuming }
})

/** `ControlReferences` on the stores of policies and environments. */
export const layer: Layer.Layer<ControlReferences, never, PolicyStore | EnvironmentStore> =
  Layer.effect(ControlReferences, make)

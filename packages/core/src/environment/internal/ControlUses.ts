/** `ControlReferences` on the latest versions of policies and on environments. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ConsumingEnvironment } from "../../control/ControlCoverage.js"
import { ControlReferences, type CoverageQuery } from "../../control/internal/ControlReferences.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import type { OrgId, PolicyId } from "../../shared/Identifier.js"
import type { Page } from "../../shared/Page.js"
import { Transaction } from "../../shared/Transaction.js"
import { type Environment, modeOf } from "../Environment.js"
import type { EnvironmentQuery } from "../EnvironmentList.js"
import { EnvironmentStore } from "../EnvironmentStore.js"

const make = Effect.gen(function* () {
  const policies = yield* PolicyStore
  const environments = yield* EnvironmentStore
  const transaction = yield* Transaction

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

  const consuming = (org: OrgId, found: ReadonlyArray<Environment>) =>
    Effect.gen(function* () {
      const attached = [...new Set(found.flatMap(({ policies: ids }) => ids))]
      const named = attached.length === 0 ? [] : yield* policies.list(org, attached)
      return found.map((environment): ConsumingEnvironment => {
        const attachedHere = named.filter(({ id }) => environment.policies.includes(id))
        const isWarning = ({ id }: { readonly id: PolicyId }) => modeOf(environment, id) === "warn"
        return {
          name: environment.name,
          policies: attachedHere.filter((policy) => !isWarning(policy)).map(({ name }) => name),
          warning: attachedHere.filter(isWarning).map(({ name }) => name)
        }
      })
    })

  const coverage = (org: OrgId, query: CoverageQuery, page: Page) =>
    transaction.snapshot(
      org,
      Effect.gen(function* () {
        const { covered, search, policies: ids, within } = query
        const places = within === undefined ? {} : { within }
        const counted = yield* environments.countEnforcing(org, [ids], within)
        const listed: EnvironmentQuery = {
          physical: true,
          ...places,
          ...(search === undefined ? {} : { name: search }),
          ...(covered === undefined ? {} : { enforcing: { policies: ids, is: covered } })
        }
        const { items, total } = yield* environments.page(org, listed, page)
        return {
          total: counted.total,
          covered: counted.enforcing[0] ?? 0,
          environments: { items: yield* consuming(org, items), total }
        }
      })
    )

  return { policiesNaming, environments: coverage }
})

/** `ControlReferences` on the stores of policies and environments. */
export const layer: Layer.Layer<
  ControlReferences,
  never,
  PolicyStore | EnvironmentStore | Transaction
> = Layer.effect(ControlReferences, make)

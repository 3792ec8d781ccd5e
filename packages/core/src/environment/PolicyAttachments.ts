/** Attaches policies to environments and detaches them. SPEC §4.15 */

import * as Effect from "effect/Effect"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Reaches } from "../access/Reaches.js"
import type { PolicyMode } from "../policy/PolicyMode.js"
import { setOutcomeOf } from "../shared/CurrentOutcome.js"
import type { EnvironmentName, OrgName, PolicyId } from "../shared/Identifier.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import * as Environment from "./Environment.js"
import { EnvironmentStore } from "./EnvironmentStore.js"
import { AttachedPolicies } from "./internal/AttachedPolicies.js"
import * as PlacedEnvironments from "./internal/PlacedEnvironments.js"

/** Policies to detach, and why. */
export interface Detached {
  readonly names: ReadonlyArray<string>
  /** It is part of the event of each policy that changes. */
  readonly reason?: string
}

/** Policies to attach, how they count, and why. */
export interface Attached extends Detached {
  readonly mode?: PolicyMode
}

const isNames = (given: ReadonlyArray<string> | Attached): given is ReadonlyArray<string> =>
  Array.isArray(given)

const attachedOf = (given: ReadonlyArray<string> | Attached): Attached =>
  isNames(given) ? { names: given } : given

/** Use cases of attaching and detaching. */
export class PolicyAttachments extends Effect.Service<PolicyAttachments>()(
  "@attestry/core/PolicyAttachments",
  {
    effect: Effect.gen(function* () {
      const store = yield* EnvironmentStore
      const policies = yield* AttachedPolicies
      const reevaluations = yield* Reevaluations
      const reaches = yield* Reaches
      const present = yield* PlacedEnvironments.make

      /** Changes the policies of an environment; equal policies append no snapshot. */
      const change = (
        org: OrgName,
        // The mode of the named policies is absent where they keep theirs.
        target: Attached & { readonly environment: EnvironmentName },
        next: (
          attached: ReadonlyArray<PolicyId>,
          named: ReadonlyArray<PolicyId>
        ) => ReadonlyArray<PolicyId>
      ) =>
        Effect.gen(function* () {
          const granted = yield* reaches.authorize(org, "policy.write")
          return yield* reevaluations.change(granted.orgId, (scope) =>
            Effect.gen(function* () {
              const now = yield* scope.now
              const writer = WriteContext.make(granted, now)
              const named = yield* policies.holdReadable(granted, target.names)
              const { environment } = yield* Effect.flatMap(
                reevaluations.lock({ org: granted.orgId, name: target.environment }),
                present(granted, target.environment)
              )
              const after = Environment.revise(
                environment,
                {
                  policies: next(environment.policies, named),
                  modes: new Map(
                    target.mode === undefined
                      ? []
                      : named.map((id) => [id, target.mode ?? "enforce"])
                  )
                },
                now
              )
              const isSame = Environment.samePolicies(environment, after)
              yield* setOutcomeOf("environment", environment, isSame ? "unchanged" : "updated")
              if (isSame) return "unchanged" as const
              yield* policies.checkHeld(writer, environment, after)
              yield* store.update(after)
              yield* policies.recordChanges(writer, {
                before: environment,
                after,
                reason: target.reason
              })
              yield* policies.reevaluate(writer, after)
              return "updated" as const
            })
          )
        })

      /**
       * Attaches policies to an environment and evaluates it at once. A policy that is attached in the other mode is
       * switched; without a mode, new ones count and attached ones stay as they are.
       */
      const attach = (
        org: OrgName,
        environment: EnvironmentName,
        given: ReadonlyArray<string> | Attached
      ) =>
        change(org, { environment, ...attachedOf(given) }, (attached, named) => [
          ...new Set([...attached, ...named])
        ]).pipe(Effect.withSpan("PolicyAttachments.attach"))

      /** Detaches policies from an environment and evaluates it at once. */
      const detach = (
        org: OrgName,
        environment: EnvironmentName,
        given: ReadonlyArray<string> | Detached
      ) =>
        change(org, { environment, ...attachedOf(given) }, (attached, named) =>
          attached.filter((id) => !named.includes(id))
        ).pipe(Effect.withSpan("PolicyAttachments.detach"))

      return { attach, detach } as const
    })
  }
) {}

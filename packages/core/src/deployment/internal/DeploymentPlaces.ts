/** The environments and the flow by which deployments are listed, as conditions of a list of a store. */
import * as Effect from "effect/Effect"
import { type GrantedWithin, Reaches } from "../../access/Reaches.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../../environment/internal/PlacedEnvironments.js"
import * as ReadableFlows from "../../flow/internal/ReadableFlows.js"
import type { EnvironmentName, FlowName } from "../../shared/Identifier.js"

/** Makes the lookups. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const readableFlows = yield* ReadableFlows.make
  const present = yield* PlacedEnvironments.make
  const reaches = yield* Reaches

  /** The environment of a name; fails if the caller does not read it. */
  const environmentOf = (granted: GrantedWithin, name: EnvironmentName) =>
    Effect.map(
      Effect.flatMap(environments.findByName({ org: granted.orgId, name }), present(granted, name)),
      ({ environment }) => environment
    )

  /** The environments of these names; without names those that the caller reads. */
  const environmentIds = (
    granted: GrantedWithin,
    names: ReadonlyArray<EnvironmentName> | undefined
  ) =>
    names === undefined
      ? reaches.readableEnvironments(granted)
      : Effect.map(
          Effect.forEach(names, (name) => environmentOf(granted, name)),
          (found) => ({ environments: [...new Set(found.map(({ id }) => id))] })
        )

  /** The flow of a name; fails if the caller does not read it. */
  const flowId = (granted: GrantedWithin, name: FlowName | undefined) =>
    name === undefined
      ? Effect.succeed({})
      : Effect.map(readableFlows.find(granted, name), ({ id }) => ({ flow: id }))

  return { environmentOf, environmentIds, flowId } as const
})

/** Finds flows and trails by name, and gives attestations the names of theirs. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Attestation } from "../../attestation/Attestation.js"
import type { TrailPath } from "../../attestation/Attestations.js"
import { FlowNotFound } from "../../flow/Flow.js"
import { FlowStore } from "../../flow/FlowStore.js"
import { beside, show } from "../../shared/DamagedRecords.js"
import type { FlowName, OrgId, OrgName, TrailName } from "../../shared/Identifier.js"
import { TrailNotFound } from "../../trail/Trail.js"
import { TrailStore } from "../../trail/TrailStore.js"

/** An attestation with the names of its flow and trail. */
export interface AttestationView {
  readonly attestation: Attestation
  readonly flow: FlowName
  readonly trail: TrailName
}

/** The lookups, on the stores of flows and trails. */
export const make = Effect.gen(function* () {
  const flows = yield* FlowStore
  const trails = yield* TrailStore

  const findFlow = (org: OrgName, orgId: OrgId, flow: FlowName) =>
    Effect.flatMap(
      flows.findByName({ org: orgId, name: flow }),
      Either.fromOption(() => new FlowNotFound({ org, flow }))
    )

  const findTrail = (orgId: OrgId, at: TrailPath) =>
    Effect.flatMap(findFlow(at.org, orgId, at.flow), (flow) =>
      Effect.flatMap(
        trails.findByName({ org: orgId, flow: flow.id, name: at.trail }),
        Either.fromOption(() => new TrailNotFound({ ...at }))
      )
    )

  /** The attestations with the current names of their flows and trails. */
  const named = (orgId: OrgId, found: ReadonlyArray<Attestation>) =>
    Effect.gen(function* () {
      if (found.length === 0) return []
      const flowsById = new Map(
        (yield* beside(flows.listByIds(orgId, [...new Set(found.map((one) => one.flow_id))]))).map(
          (flow) => [flow.id, flow.name] as const
        )
      )
      const trailsById = new Map(
        (yield* beside(
          trails.listByIds(orgId, [...new Set(found.map((one) => one.trail_id))])
        )).map((trail) => [trail.id, trail.name] as const)
      )
      return yield* show(found, (attestation): AttestationView | undefined => {
        const flow = flowsById.get(attestation.flow_id)
        const trail = trailsById.get(attestation.trail_id)
        return flow && trail && { attestation, flow, trail }
      })
    })

  return { findFlow, findTrail, named } as const
})

/** `AttestationStore` in memory: the attestations of each trail, oldest first. */
import { type Attestation, factOf } from "@attestry/core/Attestation"
import { type AttestationFilter, AttestationStore } from "@attestry/core/AttestationStore"
import { CUSTOM_PREFIX } from "@attestry/core/AttestationTypePattern"
import type { AttestationId, OrgId, TrailId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { Trail } from "@attestry/core/Trail"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"
import { trails } from "../trail/TrailStoreMemory.js"

/** The attestations of trails, by org and trail. */
export const attestations = table<ReadonlyArray<Attestation>>("attestation")
const trailOf = table<TrailId>("attestation_trail")

const isOfType = (asked: string, type: string): boolean =>
  asked === "custom" ? type.startsWith(CUSTOM_PREFIX) : asked === type

const isAbout = (control: string | undefined, { type, body }: Attestation): boolean =>
  control === undefined || (type === "decision" && body.control === control)

const passes = (filter: AttestationFilter, named: ReadonlyMap<TrailId, Trail>) => {
  const is = <A>(asked: A | undefined, found: A | undefined) =>
    asked === undefined || asked === found
  return (attestation: Attestation): boolean =>
    is(filter.id, attestation.id) &&
    (filter.flows === undefined || filter.flows.includes(attestation.flow_id)) &&
    is(filter.trail, attestation.trail_id) &&
    is<string>(filter.trailName, named.get(attestation.trail_id)?.name) &&
    is<string>(filter.name, attestation.name) &&
    is(filter.isCompliant, attestation.isCompliant) &&
    (filter.type === undefined || isOfType(filter.type, attestation.type)) &&
    isAbout(filter.control, attestation) &&
    (filter.from === undefined || attestation.created_at >= filter.from) &&
    (filter.to === undefined || attestation.created_at <= filter.to)
}

const oldestFirst = (left: Attestation, right: Attestation) => left.sequence - right.sequence

/** `AttestationStore` in memory. */
export const layer: Layer.Layer<AttestationStore, never, MemoryState> = Layer.effect(
  AttestationStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(attestations)
    const byId = yield* MemoryRows.make(trailOf)
    const allTrails = yield* MemoryRows.make(trails)

    const ofTrail = (org: OrgId, trail: TrailId) =>
      Effect.map(
        rows.find(key(org, trail)),
        Option.getOrElse((): ReadonlyArray<Attestation> => [])
      )
    const find = (org: OrgId, id: AttestationId) =>
      Effect.flatMap(
        byId.find(key(org, id)),
        Option.match({
          onNone: () => Effect.succeed(Option.none<Attestation>()),
          onSome: (trail) =>
            Effect.map(
              ofTrail(org, trail),
              Arr.findFirst((attestation) => attestation.id === id)
            )
        })
      )

    return AttestationStore.of({
      append: (attestation) =>
        Effect.gen(function* () {
          const { org_id, trail_id, id } = attestation
          const before = yield* ofTrail(org_id, trail_id)
          yield* rows.set(key(org_id, trail_id), [...before, attestation].sort(oldestFirst))
          yield* byId.set(key(org_id, id), trail_id)
        }),
      listFacts: (org, trail) => Effect.map(ofTrail(org, trail), Arr.map(factOf)),
      find,
      list: (org, filter, page) =>
        Effect.gen(function* () {
          const named = new Map(
            (yield* allTrails.values).map((trail) => [trail.id, trail] as const)
          )
          const found = (yield* rows.values)
            .flat()
            .filter((attestation) => attestation.org_id === org)
            .filter(passes(filter, named))
            .sort(oldestFirst)
          return Page.slice(filter.direction === "asc" ? found : found.reverse(), page)
        }),
      listByName: ({ org, trail, name }) =>
        Effect.map(
          ofTrail(org, trail),
          Arr.filter((attestation) => attestation.name === name)
        ),
      listByIds: (org, ids) =>
        Effect.map(
          Effect.forEach(new Set(ids), (id) => find(org, id)),
          Arr.getSomes
        )
    })
  })
)

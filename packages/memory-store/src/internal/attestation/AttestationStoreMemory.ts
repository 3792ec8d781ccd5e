/** `AttestationStore` in memory: the attestations of each trail, oldest first. */

import { type Attestation, factOf } from "@attestry/core/Attestation"
import { type AttestationFilter, AttestationStore } from "@attestry/core/AttestationStore"
import { CUSTOM_PREFIX } from "@attestry/core/AttestationTypePattern"
import type { AttestationId, OrgId, TrailId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { PlaceId } from "@attestry/core/PlaceId"
import type { Trail } from "@attestry/core/Trail"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as AttestationTypesMemory from "../attestation-type/AttestationTypesMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"
import { commits, trails } from "../trail/TrailStoreMemory.js"

/** The attestations of trails, by org and trail. */
export const attestations = table<ReadonlyArray<Attestation>>("attestation")
const trailOf = table<TrailId>("attestation_trail")

const isOfType = (asked: string, type: string): boolean =>
  asked === "custom" ? type.startsWith(CUSTOM_PREFIX) : asked === type

const isAbout = (control: string | undefined, { type, body }: Attestation): boolean =>
  control === undefined || (type === "decision" && body.control === control)

const passes = (
  filter: AttestationFilter,
  named: ReadonlyMap<TrailId, Trail>,
  reportsCommit: (trail: TrailId) => boolean
) => {
  const is = <A>(asked: A | undefined, found: A | undefined) =>
    asked === undefined || asked === found
  return (attestation: Attestation): boolean =>
    is(filter.id, attestation.id) &&
    (filter.flows === undefined || filter.flows.includes(attestation.flow_id)) &&
    is(filter.trail, attestation.trail_id) &&
    is<string>(filter.trailName, named.get(attestation.trail_id)?.name) &&
    (filter.commits === undefined || reportsCommit(attestation.trail_id)) &&
    (filter.names === undefined || filter.names.includes(attestation.name)) &&
    is(filter.isCompliant, attestation.isCompliant) &&
    (filter.types === undefined || filter.types.some((type) => isOfType(type, attestation.type))) &&
    isAbout(filter.control, attestation) &&
    (filter.from === undefined || attestation.created_at >= filter.from) &&
    (filter.to === undefined || attestation.created_at <= filter.to)
}

const nextOf = (items: ReadonlyArray<Attestation>, isMore: boolean): Option.Option<number> =>
  isMore ? Option.fromNullable(items.at(-1)?.sequence) : Option.none()

const oldestFirst = (left: Attestation, right: Attestation) => left.sequence - right.sequence

/** `AttestationStore` in memory. */
export const layer: Layer.Layer<AttestationStore, never, MemoryState> = Layer.effect(
  AttestationStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(attestations)
    const byId = yield* MemoryRows.make(trailOf)
    const allTrails = yield* MemoryRows.make(trails)
    const links = yield* MemoryRows.make(commits)
    const placed = yield* PlacedThings.make

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

    const ofOrg = (org: OrgId, within: ReadonlyArray<PlaceId> | undefined) =>
      Effect.zipWith(rows.values, placed(org, "flow", within), (all, isPlaced) =>
        all.flat().filter(({ flow_id, org_id }) => org_id === org && isPlaced(flow_id))
      )
    /** Every attestation that passes a filter, in the order of the list. */
    const inOrder = (org: OrgId, filter: AttestationFilter) =>
      Effect.gen(function* () {
        const named = new Map((yield* allTrails.values).map((trail) => [trail.id, trail] as const))
        const reporting = new Set<TrailId>()
        for (const sha of filter.commits ?? []) {
          for (const trail of named.keys()) {
            if (Option.isSome(yield* links.find(key(org, sha, trail)))) reporting.add(trail)
          }
        }
        const found = (yield* ofOrg(org, filter.within))
          .filter(passes(filter, named, (trail) => reporting.has(trail)))
          .sort(oldestFirst)
        return filter.direction === "asc" ? found : found.reverse()
      })

    return AttestationStore.of({
      ...(yield* AttestationTypesMemory.make),
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
        Effect.map(inOrder(org, filter), (all) => {
          const { items, total } = Page.slice(all, page)
          return { items, total, next: nextOf(items, total > Page.offsetOf(page) + items.length) }
        }),
      listAfter: (org, filter, { after, limit }) =>
        Effect.map(inOrder(org, filter), (all) => {
          const rest = all.filter(({ sequence }) =>
            filter.direction === "asc" ? sequence > after : sequence < after
          )
          const items = rest.slice(0, limit)
          return { items, next: nextOf(items, rest.length > limit) }
        }),
      listNames: (org, limit, within) =>
        Effect.map(ofOrg(org, within), (all) =>
          [...new Set(all.map(({ name }) => name))].slice(0, limit)
        ),
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

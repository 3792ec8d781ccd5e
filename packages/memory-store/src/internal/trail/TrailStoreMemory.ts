/** `TrailStore` in memory. A transaction is the only writer, so a locked read is a plain one. */

import type { Artifact } from "@attestry/core/Artifact"
import type { Flow } from "@attestry/core/Flow"
import type { FlowId, OrgId, TrailId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Tags from "@attestry/core/Tags"
import type { Trail } from "@attestry/core/Trail"
import { type TrailQuery, TrailStore } from "@attestry/core/TrailStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as EvaluationsMemory from "../compliance/EvaluationsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"

/** The trails; other tables refer to them. */
export const trails = table<Trail>("trail")
const places = table<number>("trail_place")
/** The branches of trails, by org, commit and trail. */
export const commits = table<string>("commit_link")
// WHY declared here: the adapters of these tables import this module.
const flows = table<Flow>("flow")
const flowNames = table<FlowId>("flow_name")
const formerFlowNames = table<FlowId>("flow_former_name")
const artifacts = table<ReadonlyArray<Artifact>>("artifact")

const keyOf = (trail: Trail) => key(trail.org_id, trail.flow_id, trail.name)

/** `TrailStore` in memory. */
export const layer: Layer.Layer<TrailStore, never, MemoryState> = Layer.effect(
  TrailStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(trails)
    const order = yield* MemoryRows.make(places)
    const links = yield* MemoryRows.make(commits)
    const allFlows = yield* MemoryRows.make(flows)
    const names = yield* MemoryRows.make(flowNames)
    const formerNames = yield* MemoryRows.make(formerFlowNames)
    const reported = yield* MemoryRows.make(artifacts)
    const evaluated = yield* MemoryRows.make(EvaluationsMemory.evaluations)
    const placed = yield* PlacedThings.make

    const place = (trail: Trail) =>
      Effect.map(
        order.find(key(trail.org_id, trail.id)),
        Option.getOrElse(() => 0)
      )
    /** The trails of an org, the newest first. */
    const ofOrg = (org: OrgId) =>
      Effect.gen(function* () {
        const found = (yield* rows.values).filter((trail) => trail.org_id === org)
        const placed = yield* Effect.forEach(found, (trail) =>
          Effect.map(place(trail), (at) => ({ trail, at }))
        )
        return placed.sort((left, right) => right.at - left.at).map(({ trail }) => trail)
      })
    const passes = (org: OrgId, query: TrailQuery) =>
      Effect.gen(function* () {
        const tagged = (yield* allFlows.values).filter(
          ({ tags }) =>
            query.flowTag === undefined || Tags.has(tags, query.flowTag.key, query.flowTag.value)
        )
        const holding = (yield* reported.values)
          .flat()
          .filter(({ org_id, fingerprint }) => org_id === org && fingerprint === query.fingerprint)
        const standing = new Set(
          (yield* evaluated.values).flatMap(({ org_id, trail_id, trail }) =>
            org_id === org && trail.status === query.status ? [trail_id] : []
          )
        )
        const text = query.search?.toLowerCase() ?? ""
        const isPlaced = yield* placed(org, "flow", query.within)
        return (trail: Trail): boolean =>
          (query.flow === undefined || trail.flow_id === query.flow) &&
          isPlaced(trail.flow_id) &&
          (query.status === undefined || standing.has(trail.id)) &&
          trail.name.toLowerCase().includes(text) &&
          tagged.some(({ id }) => id === trail.flow_id) &&
          (query.fingerprint === undefined || holding.some((one) => one.trail_id === trail.id))
      })
    const branchOf = (org: OrgId, sha: string, trail: TrailId) => links.find(key(org, sha, trail))

    return TrailStore.of({
      ...(yield* EvaluationsMemory.make),
      findByName: ({ org, flow, name }) => rows.find(key(org, flow, name)),
      listByIds: (org, ids) =>
        Effect.map(rows.values, (all) =>
          all.filter((trail) => trail.org_id === org && ids.includes(trail.id))
        ),
      lockWithFlow: ({ org, flow: flowName, name }) =>
        Effect.gen(function* () {
          const former = yield* formerNames.find(key(org, flowName))
          const id = Option.orElse(yield* names.find(key(org, flowName)), () => former)
          if (Option.isNone(id)) return Option.none()
          const flow = yield* allFlows.find(key(org, id.value))
          const trail = yield* rows.find(key(org, id.value, name))
          return Option.zipWith(flow, trail, (ofTrail, found) => ({ flow: ofTrail, trail: found }))
        }),
      insert: (trail) =>
        Effect.tap(rows.insert(keyOf(trail), trail), (created) =>
          created
            ? Effect.flatMap(order.values, (all) =>
                order.set(key(trail.org_id, trail.id), all.length + 1)
              )
            : Effect.void
        ),
      update: (trail) =>
        Effect.flatMap(rows.find(keyOf(trail)), (known) =>
          Option.exists(known, ({ id }) => id === trail.id)
            ? rows.set(keyOf(trail), trail)
            : Effect.void
        ),
      list: (org, query, page) =>
        Effect.map(Effect.all([ofOrg(org), passes(org, query)]), ([all, isAskedFor]) =>
          Page.slice(all.filter(isAskedFor), page)
        ),
      slice: ({ org, flow, after, limit }) =>
        Effect.gen(function* () {
          const ofFlow = (yield* ofOrg(org)).filter(({ flow_id }) => flow_id === flow)
          const placed = yield* Effect.forEach(ofFlow, (trail) =>
            Effect.map(place(trail), (at) => ({ trail, at }))
          )
          const rest = placed.filter(({ at }) => !Option.exists(after, (last) => at >= last))
          const items = rest.slice(0, limit)
          const next = rest.length > limit ? Option.fromNullable(items.at(-1)?.at) : Option.none()
          return { items: items.map(({ trail }) => trail), next }
        }),
      linkCommit: ({ org, trail, sha, branch }) =>
        Effect.flatMap(branchOf(org, sha, trail), (known) =>
          Option.exists(known, (text) => text !== "")
            ? Effect.void
            : links.set(key(org, sha, trail), branch)
        ),
      listByCommit: (org, sha, { within, ...page }) =>
        Effect.gen(function* () {
          const isPlaced = yield* placed(org, "flow", within)
          const wanted = (yield* ofOrg(org)).filter(({ flow_id }) => isPlaced(flow_id))
          const found = yield* Effect.forEach(wanted, ({ id, flow_id, name: trail }) =>
            Effect.zipWith(branchOf(org, sha, id), allFlows.find(key(org, flow_id)), (linked, of) =>
              Option.zipWith(linked, of, (branch, flow) => ({ flow: flow.name, trail, branch }))
            )
          )
          return Page.slice(Arr.getSomes(found), page)
        })
    })
  })
)

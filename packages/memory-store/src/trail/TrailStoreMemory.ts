/** `TrailStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { Trail } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** Trails by org, flow and name. */
export const trails = table<Trail>("trail")

const keyOf = (trail: Trail) => key(trail.org_id, trail.flow_id, trail.name)

/** `TrailStore` in memory. */
export const layer: Layer.Layer<TrailStore, never, MemoryState> = Layer.effect(
  TrailStore,
  Effect.map(MemoryRows.make(trails), (rows) => ({
    lockByName: ({ org, flow, name }) => rows.find(key(org, flow, name)),
    insert: (trail) => rows.insert(keyOf(trail), trail),
    update: (trail) => rows.set(keyOf(trail), trail)
  }))
)

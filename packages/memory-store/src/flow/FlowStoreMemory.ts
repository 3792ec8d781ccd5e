/** `FlowStore` in memory. A transaction is the only writer, so a locked read is a plain one. */
import type { Flow, FlowKey } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** Flows by org and name. */
export const flows = table<Flow>("flow")

const keyOf = ({ org, name }: FlowKey) => key(org, name)

/** `FlowStore` in memory. */
export const layer: Layer.Layer<FlowStore, never, MemoryState> = Layer.effect(
  FlowStore,
  Effect.map(MemoryRows.make(flows), (rows) => ({
    findByName: (flow) => rows.find(keyOf(flow)),
    lockByName: (flow) => rows.find(keyOf(flow)),
    insert: (flow) => rows.insert(key(flow.org_id, flow.name), flow),
    update: (flow) => rows.set(key(flow.org_id, flow.name), flow)
  }))
)

/** `OrgStore` in memory. */
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { type MemoryState, table } from "../shared/MemoryState.js"

/** Orgs by name. */
export const orgs = table<Org>("org")

/** `OrgStore` in memory. */
export const layer: Layer.Layer<OrgStore, never, MemoryState> = Layer.effect(
  OrgStore,
  Effect.map(MemoryRows.make(orgs), (rows) => ({
    findByName: rows.find,
    isEmpty: Effect.map(rows.values, (all) => all.length === 0),
    insert: (org) => rows.insert(org.name, org)
  }))
)

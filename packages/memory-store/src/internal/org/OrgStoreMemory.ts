/** `OrgStore` in memory. */
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

/** Orgs by name. */
export const orgs = table<Org>("org")

/** `OrgStore` in memory. */
export const layer: Layer.Layer<OrgStore, never, MemoryState> = Layer.effect(
  OrgStore,
  Effect.map(Effect.all([MemoryState, MemoryRows.make(orgs)]), ([state, rows]) => ({
    findByName: rows.find,
    findById: (id) =>
      Effect.map(rows.values, (all) => Option.fromNullable(all.find((org) => org.id === id))),
    list: Effect.map(rows.values, (all) => [...all].sort((a, b) => (a.name < b.name ? -1 : 1))),
    isEmpty: Effect.map(rows.values, (all) => all.length === 0),
    insertFirst: (org) =>
      state.modify(orgs, (all) =>
        HashMap.isEmpty(all) ? [true, HashMap.set(all, org.name, org)] : [false, all]
      ),
    insert: (org) => rows.insert(org.name, org)
  }))
)

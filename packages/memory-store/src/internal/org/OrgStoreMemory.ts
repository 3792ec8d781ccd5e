/** `OrgStore` in memory. */
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { MemoryState, table } from "../shared/MemoryState.js"

/** Orgs by name. */
export const orgs = table<Org>("org")

/** `OrgStore` in memory. */
export const layer: Layer.Layer<OrgStore, never, MemoryState> = Layer.effect(
  OrgStore,
  Effect.map(Effect.all([MemoryState, MemoryRows.make(orgs)]), ([state, rows]) => {
    const list = Effect.map(rows.values, (all) =>
      [...all].sort((a, b) => (a.name < b.name ? -1 : 1))
    )
    return {
      find: (key) =>
        "name" in key
          ? rows.find(key.name)
          : Effect.map(
              rows.values,
              Arr.findFirst((org) => org.id === key.id)
            ),
      list,
      // WHY all: a memory has few, and looking for their work costs no less than the work.
      listBusy: () => list,
      insert: (org, { onlyFirst } = { onlyFirst: false }) =>
        state.modify(orgs, (all) =>
          (onlyFirst ? HashMap.isEmpty(all) : !HashMap.has(all, org.name))
            ? [true, HashMap.set(all, org.name, org)]
            : [false, all]
        )
    }
  })
)

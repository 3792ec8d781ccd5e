/** `ProtectionStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { OrgId } from "@attestry/core/Identifier"
import type { Protections } from "@attestry/core/Protection"
import { ProtectionStore } from "@attestry/core/ProtectionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const protections = table<{ readonly org_id: OrgId; readonly protections: Protections }>(
  "protection"
)

/** `ProtectionStore` in memory. */
export const layer: Layer.Layer<ProtectionStore, never, MemoryState> = Layer.effect(
  ProtectionStore,
  Effect.map(MemoryRows.make(protections), (rows) => {
    const find = (org: OrgId) =>
      Effect.map(
        rows.find(key(org)),
        Option.match({ onNone: (): Protections => [], onSome: (found) => found.protections })
      )
    return ProtectionStore.of({
      find,
      hold: find,
      put: (org, given) => rows.set(key(org), { org_id: org, protections: given })
    })
  })
)

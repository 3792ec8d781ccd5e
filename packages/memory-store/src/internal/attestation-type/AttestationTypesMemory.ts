/** Attestation types of `AttestationStore` in memory. A transaction is the only writer. */

import type { AttestationStore } from "@attestry/core/AttestationStore"
import type { AttestationType, TypeKey } from "@attestry/core/AttestationType"
import * as Effect from "effect/Effect"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const types = table<AttestationType>("attestation_type")

const keyOf = ({ org, name }: TypeKey) => key(org, name)

/** Attestation types of `AttestationStore` in memory. */
export const make: Effect.Effect<
  Pick<AttestationStore["Type"], "findType" | "listTypes" | "insertType" | "updateType">,
  never,
  MemoryState
> = Effect.map(MemoryRows.make(types), (rows) => ({
  findType: (type) => rows.find(keyOf(type)),
  listTypes: (org) =>
    Effect.map(rows.values, (all) =>
      all
        .filter((type) => type.org_id === org)
        .sort((left, right) => (left.name < right.name ? -1 : 1))
    ),
  insertType: (type) => rows.insert(key(type.org_id, type.name), type),
  updateType: (type) => rows.set(key(type.org_id, type.name), type)
}))

/** `AuditStore` in memory. */
import { AuditStore } from "@attestry/core/AuditStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MemoryState } from "../shared/MemoryState.js"

import * as AuditedRecordsMemory from "./AuditedRecordsMemory.js"
import * as ErasedCopiesMemory from "./ErasedCopiesMemory.js"

/** `AuditStore` in memory. */
export const layer: Layer.Layer<AuditStore, never, MemoryState> = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    return AuditStore.of({
      ...(yield* AuditedRecordsMemory.make),
      ...(yield* ErasedCopiesMemory.make)
    })
  })
)

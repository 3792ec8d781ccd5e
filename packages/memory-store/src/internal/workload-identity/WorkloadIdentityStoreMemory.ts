/** `WorkloadIdentityStore` in memory. */
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MemoryState } from "../shared/MemoryState.js"

import * as IdentityRulesMemory from "./IdentityRulesMemory.js"
import * as IssuersMemory from "./IssuersMemory.js"

/** `WorkloadIdentityStore` in memory. */
export const layer: Layer.Layer<WorkloadIdentityStore, never, MemoryState> = Layer.effect(
  WorkloadIdentityStore,
  Effect.gen(function* () {
    return WorkloadIdentityStore.of({
      ...(yield* IdentityRulesMemory.make),
      ...(yield* IssuersMemory.make)
    })
  })
)

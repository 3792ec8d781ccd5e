/** `CredentialStore` in memory. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionsMemory from "../session/SessionsMemory.js"
import type { MemoryState } from "../shared/MemoryState.js"
import * as ApiKeysMemory from "./ApiKeysMemory.js"

/** `CredentialStore` in memory. */
export const layer: Layer.Layer<CredentialStore, never, MemoryState> = Layer.effect(
  CredentialStore,
  Effect.gen(function* () {
    return CredentialStore.of({
      ...(yield* ApiKeysMemory.make),
      ...(yield* SessionsMemory.make)
    })
  })
)

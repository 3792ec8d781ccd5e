/** `NotificationStore` in memory. */
import { NotificationStore } from "@attestry/core/NotificationStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { MemoryState } from "../shared/MemoryState.js"
import * as DecaysMemory from "./DecaysMemory.js"
import * as ExpiringKeysMemory from "./ExpiringKeysMemory.js"
import * as NotificationConfigsMemory from "./NotificationConfigsMemory.js"
import * as SigningSecretsMemory from "./SigningSecretsMemory.js"
import * as SubscriptionsMemory from "./SubscriptionsMemory.js"

/** `NotificationStore` in memory. */
export const layer: Layer.Layer<NotificationStore, never, MemoryState> = Layer.effect(
  NotificationStore,
  Effect.gen(function* () {
    return NotificationStore.of({
      ...(yield* NotificationConfigsMemory.make),
      ...(yield* SubscriptionsMemory.make),
      ...(yield* SigningSecretsMemory.make),
      ...(yield* ExpiringKeysMemory.make),
      ...(yield* DecaysMemory.make)
    })
  })
)

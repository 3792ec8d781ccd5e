/** `StoreHealth` in memory: always healthy. */
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `StoreHealth` in memory. */
export const layer: Layer.Layer<StoreHealth> = Layer.succeed(StoreHealth, { check: Effect.void })

/** `StoreHealth` in memory: there is nothing that could be unreachable, and nothing is kept. */
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `StoreHealth` in memory. */
export const layer: Layer.Layer<StoreHealth> = Layer.succeed(StoreHealth, { check: Effect.void })

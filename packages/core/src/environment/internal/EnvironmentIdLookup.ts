/** `EnvironmentIds` on the store of environments. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { EnvironmentIds } from "../../approval/internal/EnvironmentIds.js"
import { EnvironmentStore } from "../EnvironmentStore.js"

/** `EnvironmentIds` on the store of environments. */
export const layer: Layer.Layer<EnvironmentIds, never, EnvironmentStore> = Layer.effect(
  EnvironmentIds,
  Effect.map(EnvironmentStore, (store) => ({
    find: (org, name) =>
      Effect.map(
        store.findByName({ org, name }),
        Option.map(({ environment }) => environment.id)
      )
  }))
)

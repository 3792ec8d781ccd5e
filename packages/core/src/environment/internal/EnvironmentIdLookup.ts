/** Answers which environment a name means, for approvals. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { EnvironmentIds } from "../../approval/internal/EnvironmentIds.js"
import { EnvironmentStore } from "../EnvironmentStore.js"

/** `EnvironmentIds` on the environments that are kept. */
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

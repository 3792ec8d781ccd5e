/** `ControlVersions` on the store of controls. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ControlVersions } from "../../attestation/internal/ControlVersions.js"
import { ControlStore } from "../ControlStore.js"

/** `ControlVersions` on the store of controls. */
export const layer: Layer.Layer<ControlVersions, never, ControlStore> = Layer.effect(
  ControlVersions,
  Effect.map(ControlStore, (store) => ({
    current: (org, identifier) =>
      Effect.map(
        store.find({ org, identifier }),
        Option.map(({ version }) => version)
      )
  }))
)

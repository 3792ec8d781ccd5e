/** `Staleness` in memory: looks at what runs in every environment. */
import { Staleness } from "@attestry/core/Staleness"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { environments } from "../environment/EnvironmentStoreMemory.js"
import { MemoryState } from "../shared/MemoryState.js"
import { histories } from "./SnapshotStoreMemory.js"

/** `Staleness` in memory. */
export const layer: Layer.Layer<Staleness, never, MemoryState> = Layer.effect(
  Staleness,
  Effect.map(MemoryState, (state) => ({
    markRunning: (org, fingerprints) =>
      Effect.flatMap(state.read(histories), (all) =>
        state.modify(environments, (rows) => [
          undefined,
          HashMap.map(rows, (stored, at) => {
            const running = Option.getOrElse(HashMap.get(all, at), () => []).at(-1)?.running ?? []
            return stored.environment.org_id === org &&
              running.some((row) => fingerprints.includes(row.fingerprint))
              ? { ...stored, mark: Option.none() }
              : stored
          })
        ])
      )
  }))
)

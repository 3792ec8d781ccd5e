/** `ArtifactStore` in memory: the newest record of each slot, and every record by id. */
import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const artifacts = table<Artifact>("artifact")
const newest = table<Artifact>("artifact_newest")

const later = (artifact: Artifact) => (current: Option.Option<Artifact>) =>
  Option.orElseSome(
    Option.filter(current, ({ sequence }) => sequence > artifact.sequence),
    () => artifact
  )

/** `ArtifactStore` in memory. */
export const layer: Layer.Layer<ArtifactStore, never, MemoryState> = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const records = yield* MemoryRows.make(artifacts)
    const slots = yield* MemoryRows.make(newest)

    const append = (artifact: Artifact) =>
      state.transaction(() =>
        Effect.zipRight(
          records.set(key(artifact.org_id, artifact.id), artifact),
          state.modify(newest, (rows) => {
            const slot = key(artifact.org_id, artifact.trail_id, artifact.slot)
            return [undefined, HashMap.modifyAt(rows, slot, later(artifact))]
          })
        )
      )

    return ArtifactStore.of({
      findNewest: ({ org, trail, slot }) => slots.find(key(org, trail, slot)),
      append
    })
  })
)

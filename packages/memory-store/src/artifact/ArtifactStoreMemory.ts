/** `ArtifactStore` in memory: the newest record of each slot, and every record by id. */
import type { Artifact } from "@attestry/core/Artifact"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** Artifact records by org and id. */
export const artifacts = table<Artifact>("artifact")
const newest = table<Artifact>("artifact_newest")

/** `ArtifactStore` in memory. */
export const layer: Layer.Layer<ArtifactStore, never, MemoryState> = Layer.effect(
  ArtifactStore,
  Effect.gen(function* () {
    const records = yield* MemoryRows.make(artifacts)
    const slots = yield* MemoryRows.make(newest)
    return ArtifactStore.of({
      findNewest: ({ org, trail, slot }) => slots.find(key(org, trail, slot)),
      append: (artifact) =>
        Effect.zipRight(
          records.set(key(artifact.org_id, artifact.id), artifact),
          slots.set(key(artifact.org_id, artifact.trail_id, artifact.slot), artifact)
        )
    })
  })
)

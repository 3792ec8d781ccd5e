/**
 * `EnvironmentEventExport` on the event log of any store: prints events one by one.
 *
 * This defines the port: a store that prints lines itself must print the same bytes.
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ProvenanceStore } from "../snapshot/ProvenanceStore.js"
import type { SnapshotStore } from "../snapshot/SnapshotStore.js"
import { EnvironmentEventExport } from "./EnvironmentEventExport.js"
import * as EnvironmentEvents from "./EnvironmentEvents.js"
import * as EventReading from "./internal/EventReading.js"

/** `EnvironmentEventExport` on the event log of any store. */
export const layer: Layer.Layer<EnvironmentEventExport, never, SnapshotStore | ProvenanceStore> =
  Layer.effect(
    EnvironmentEventExport,
    Effect.map(EventReading.make, (read) => ({
      lines: (ref, { environment, span, filter }) =>
        read({
          ref,
          environment,
          span,
          newestFirst: false,
          skip: 0,
          atMost: EventReading.BATCH
        }).pipe(
          Stream.filter(EnvironmentEvents.matches(filter)),
          Stream.map(EnvironmentEvents.printEvent),
          Stream.mapChunks((texts) => Chunk.of(Chunk.join(texts, ""))),
          Stream.encodeText
        )
    }))
  )

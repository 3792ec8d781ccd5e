/** `AttachmentStore` in memory: the pieces of each content, as they arrived. */
import { AttachmentStore } from "@attestry/core/AttachmentStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const contents = table<ReadonlyArray<Uint8Array>>("attachment")

/** `AttachmentStore` in memory. */
export const layer: Layer.Layer<AttachmentStore, never, MemoryState> = Layer.effect(
  AttachmentStore,
  Effect.map(MemoryRows.make(contents), (rows) =>
    AttachmentStore.of({
      put: ({ org, fingerprint }, content) =>
        Effect.gen(function* () {
          const at = key(org, fingerprint)
          if (Option.isSome(yield* rows.find(at))) return
          const pieces = yield* Stream.runCollect(content)
          yield* rows.set(
            at,
            Array.from(pieces, (piece) => piece.slice())
          )
        }),
      has: ({ org, fingerprint }) => Effect.map(rows.find(key(org, fingerprint)), Option.isSome),
      erase: ({ org, fingerprint }) => rows.remove(key(org, fingerprint)),
      read: ({ org, fingerprint }) =>
        Stream.unwrap(
          Effect.map(rows.find(key(org, fingerprint)), (found) =>
            Stream.fromIterable(Option.getOrElse(found, (): ReadonlyArray<Uint8Array> => []))
          )
        )
    })
  )
)

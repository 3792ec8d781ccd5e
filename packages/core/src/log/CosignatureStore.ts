/** Port: cosignatures of witnesses on checkpoints of our logs. They are never changed or removed. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import type { LogCheckpoint } from "./Log.js"
import type { CheckpointSizes, TreeKey } from "./LogStore.js"

/** A cosignature that was verified. */
export interface Cosignature {
  readonly epoch: number
  readonly size: number
  /** The name of the key. */
  readonly witness: string
  readonly key_id: string
  /** The line of the note, with its newline. */
  readonly line: string
  readonly at: Timestamp
}

/** A checkpoint with its cosignatures. */
export interface CosignedCheckpoint {
  readonly checkpoint: LogCheckpoint
  readonly lines: ReadonlyArray<string>
}

/** Port: cosignatures. */
export class CosignatureStore extends Context.Tag("@attestry/core/CosignatureStore")<
  CosignatureStore,
  {
    /** Adds a cosignature; one of the same size and key stays as it is. */
    readonly insertCosignature: (
      org: OrgId,
      cosignature: Cosignature
    ) => Effect.Effect<void, StoreError>
    /** The lines of the checkpoint of a size, by the name and the id of their keys. */
    readonly listBySize: (
      tree: TreeKey,
      size: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** The cosignatures on sizes above one and up to another, by size and the id of their keys. */
    readonly listCosignatures: (
      tree: TreeKey,
      sizes: CheckpointSizes
    ) => Effect.Effect<ReadonlyArray<Cosignature>, StoreError>
    /** The largest size that a key has cosigned; 0 before its first cosignature. */
    readonly newestCosignedSize: (tree: TreeKey, keyId: string) => Effect.Effect<number, StoreError>
    /** The newest checkpoints with a cosignature, newest first, up to a limit. */
    readonly listCosigned: (
      tree: TreeKey,
      limit: number
    ) => Effect.Effect<ReadonlyArray<CosignedCheckpoint>, StoreError>
  }
>() {}

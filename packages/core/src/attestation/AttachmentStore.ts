/**
 * Port: the contents of attached files, each stored once per org under its fingerprint. DECISIONS.md, "Attached files
 * are stored by content"
 *
 * A stored content never changes, so reading needs no transaction. An erasure removes it for good.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** The most bytes of one piece of a content. */
export const CHUNK_BYTES_MAX = 262_144

/** The content of one file of one org. */
export interface AttachmentKey {
  readonly org: OrgId
  readonly fingerprint: Fingerprint
}

/** Port: the contents of attached files. */
export class AttachmentStore extends Context.Tag("@attestry/core/AttachmentStore")<
  AttachmentStore,
  {
    /**
     * Stores a content; does nothing, and does not read the stream, when the org has the fingerprint. The
     * caller has verified the fingerprint. Waits for a concurrent writer of the same content to end.
     */
    readonly put: <E>(
      key: AttachmentKey,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<void, StoreError | E>
    /**
     * The content in pieces of at most `CHUNK_BYTES_MAX` bytes, in order; empty when the org has no such fingerprint.
     */
    readonly read: (key: AttachmentKey) => Stream.Stream<Uint8Array, StoreError>
    /** Whether the org has the content. */
    readonly has: (key: AttachmentKey) => Effect.Effect<boolean, StoreError>
    /** Removes a content; does nothing when the org does not have it. It can be put again. */
    readonly erase: (key: AttachmentKey) => Effect.Effect<void, StoreError>
  }
>() {}

/**
 * Port: the contents of attached files, each kept once per org under its own fingerprint. DECISION S8
 *
 * A content that is stored never changes, so reading needs no transaction.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"

/** Contents are kept and read in pieces of at most this many bytes. */
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
     * Keeps a content; does nothing, and does not read it, when the org has it already. The caller
     * vouches for the fingerprint. Waits for a concurrent writer of the same content.
     */
    readonly put: <E>(
      key: AttachmentKey,
      content: Stream.Stream<Uint8Array, E>
    ) => Effect.Effect<void, StoreError | E>
    /** The content, piece by piece; empty when the org has none of that fingerprint. */
    readonly read: (key: AttachmentKey) => Stream.Stream<Uint8Array, StoreError>
  }
>() {}

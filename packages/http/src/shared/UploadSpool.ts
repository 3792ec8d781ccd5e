/**
 * Temporary storage for uploaded files: nothing is written to the store before the whole request has arrived and is
 * valid. DECISIONS.md, "Attached files are stored by content"
 *
 * The default uses memory, for hosts without a file system; `node/FileSpool` uses files.
 */

import { Fingerprint } from "@attestry/core/Fingerprint"
import { StoreError } from "@attestry/core/StoreError"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** A file that has arrived completely. */
export interface SpooledContent {
  readonly size: number
  readonly fingerprint: Fingerprint
  /** Its bytes; can be read repeatedly while the scope is open. */
  readonly content: Stream.Stream<Uint8Array, StoreError>
}

/** A file that is arriving. */
export interface SpoolWriter {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, StoreError>
  readonly finish: Effect.Effect<SpooledContent, StoreError>
}

/** The error of a spool that cannot write or read a file. */
export const spoolFailed = (cause: unknown): StoreError =>
  new StoreError({ operation: "spool", cause })

const inMemory: Effect.Effect<SpoolWriter> = Effect.sync(() => {
  const pieces: Array<Uint8Array> = []
  return {
    // WHY a copy: the pieces are views of buffers that the host may reuse.
    write: (bytes) => Effect.sync(() => void pieces.push(bytes.slice())),
    finish: Effect.suspend(() => {
      const whole = Bytes.concat(pieces)
      return Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", whole)),
        (digest) => ({
          size: whole.byteLength,
          fingerprint: Fingerprint.make(hex(new Uint8Array(digest))),
          content: Stream.succeed(whole)
        })
      )
    })
  }
})

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Opens a writer for each uploaded file; the scope deletes its content. */
export class UploadSpool extends Context.Reference<UploadSpool>()("@attestry/http/UploadSpool", {
  defaultValue: (): {
    readonly open: Effect.Effect<SpoolWriter, StoreError, Scope.Scope>
    /** Succeeds when a file can be written now; fails with a reason for operators otherwise. */
    readonly check: Effect.Effect<void, string>
  } => ({ open: inMemory, check: Effect.void })
}) {}

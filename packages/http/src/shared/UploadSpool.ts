/**
 * Where the bytes of a file wait while a request streams in: nothing is written to the store before the
 * whole request has arrived and been accepted. DECISION S8
 *
 * The default keeps them in memory, for hosts without a file system; `node/FileSpool` uses files.
 */
import * as Bytes from "@attestry/core/Bytes"
import { Fingerprint } from "@attestry/core/Fingerprint"
import { StoreError } from "@attestry/core/StoreError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** A file that has arrived whole. */
export interface SpooledContent {
  readonly size: number
  readonly fingerprint: Fingerprint
  /** Its bytes, as often as they are wanted while the scope is open. */
  readonly content: Stream.Stream<Uint8Array, StoreError>
}

/** A file that is arriving. */
export interface SpoolWriter {
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, StoreError>
  readonly finish: Effect.Effect<SpooledContent, StoreError>
}

/** A file that could not be spooled: there is no room, or it cannot be read back. */
export const spoolFailed = (cause: unknown): StoreError =>
  new StoreError({ operation: "spool", cause })

const inMemory: Effect.Effect<SpoolWriter> = Effect.sync(() => {
  const pieces: Array<Uint8Array> = []
  return {
    // WHY: the parser hands out views of buffers that the host may use again.
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

/** Opens places for files to arrive at; what is there goes away with the scope. */
export class UploadSpool extends Context.Reference<UploadSpool>()("@attestry/http/UploadSpool", {
  defaultValue: (): {
    readonly open: Effect.Effect<SpoolWriter, StoreError, Scope.Scope>
    /** Whether a file could be kept now; fails with the reason otherwise, for people. */
    readonly check: Effect.Effect<void, string>
  } => ({ open: inMemory, check: Effect.void })
}) {}

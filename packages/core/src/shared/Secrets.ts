/**
 * Port: the cryptographic functions that core needs.
 *
 * Secrets have at least 178 bits of entropy, so that a fast digest is safe; a slow one would only ease denial
 * of service (P-KEY).
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Port: random bytes, digests, and comparison in constant time. */
export class Secrets extends Context.Tag("@attestry/core/Secrets")<
  Secrets,
  {
    /** This many bytes from a cryptographic source. */
    readonly randomBytes: (count: number) => Effect.Effect<Uint8Array>
    /** SHA-256 in lower-case hexadecimal, of bytes, of pieces in order, or of the UTF-8 of a text. */
    readonly digest: (
      content: string | Uint8Array | ReadonlyArray<Uint8Array>
    ) => Effect.Effect<string>
    /** Whether two texts are equal, in a time that depends on their lengths only. */
    readonly equals: (left: string, right: string) => Effect.Effect<boolean>
  }
>() {}

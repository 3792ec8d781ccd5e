/**
 * Port: what core needs of a cryptographic library.
 *
 * Secrets that pass through here have at least 178 bits of entropy, so a fast digest is right: a slow
 * one would only be a lever for denial of service (P-KEY).
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** Port: randomness, digests, comparison without timing. */
export class Secrets extends Context.Tag("@attestry/core/Secrets")<
  Secrets,
  {
    /** Bytes from a cryptographic source. */
    readonly randomBytes: (count: number) => Effect.Effect<Uint8Array>
    /** SHA-256 in lower-case hexadecimal, of bytes, of their pieces in a row, or of the UTF-8 of a text. */
    readonly digest: (
      content: string | Uint8Array | ReadonlyArray<Uint8Array>
    ) => Effect.Effect<string>
    /** Whether two texts are equal, in a time that depends on their lengths alone. */
    readonly equals: (left: string, right: string) => Effect.Effect<boolean>
  }
>() {}

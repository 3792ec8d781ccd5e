/**
 * Port: the cryptographic functions that core needs.
 *
 * Secrets have at least 178 bits of entropy, so that a fast digest is safe; a slow one would only ease denial
 * of service (P-KEY).
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A signature to verify with a public key. */
export interface SignedContent {
  readonly algorithm: "RS256" | "PS256" | "ES256" | "ES384" | "EdDSA"
  /** The public key as a JWK of the kind that the algorithm needs. */
  readonly key: {
    readonly kty: string
    readonly crv?: string | undefined
    readonly n?: string | undefined
    readonly e?: string | undefined
    readonly x?: string | undefined
    readonly y?: string | undefined
  }
  readonly content: string
  readonly signature: Uint8Array
}

/** Port: random bytes, digests, comparison in constant time, and signatures. */
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
    /** Whether a signature of the UTF-8 of a text is right; false for a key that cannot be read. */
    readonly verify: (signed: SignedContent) => Effect.Effect<boolean>
  }
>() {}

/** Port: signatures by Ed25519 (RFC 8032). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SignedMessage } from "./SignedNote.js"

/** Port: makes and verifies signatures. */
export class Signatures extends Context.Tag("@attestry/core/Signatures")<
  Signatures,
  {
    /** Whether a signature is valid for this message and key; false for keys and signatures of another form. */
    readonly verify: (signed: SignedMessage) => Effect.Effect<boolean>
    /** The signature of a message by the private key with this seed of 32 bytes. */
    readonly sign: (seed: Uint8Array, message: Uint8Array) => Effect.Effect<Uint8Array>
    /** The public key of the private key with this seed. */
    readonly publicKey: (seed: Uint8Array) => Effect.Effect<Uint8Array>
  }
>() {}

/** Port: signs checkpoints with keys that are outside of the store. Without a signer, logs grow unsigned. */

import * as LogKey from "@attestry/transparency-log/LogKey"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as BoundedCache from "../shared/BoundedCache.js"

/** Signs the checkpoints of logs. */
export interface Signer {
  /** The active keys of a log, oldest generation first. Empty without a signer. */
  readonly keys: (
    origin: string
  ) => Effect.Effect<ReadonlyArray<{ readonly generation: number; readonly vkey: string }>>
  /** As `keys`, including retired keys that are kept outside of the store. */
  readonly known: (
    origin: string
  ) => Effect.Effect<ReadonlyArray<{ readonly generation: number; readonly vkey: string }>>
  /** One signature line per active key. */
  readonly sign: (
    origin: string,
    text: string
  ) => Effect.Effect<ReadonlyArray<SignedNote.SignatureLine>>
  /** Whether a signature is valid for this message and key; false without a signer. */
  readonly verify: (signed: SignedNote.SignedMessage) => Effect.Effect<boolean>
}

const NONE: Signer = {
  keys: () => Effect.succeed([]),
  known: () => Effect.succeed([]),
  sign: () => Effect.succeed([]),
  verify: () => Effect.succeed(false)
}

/** Port: signs checkpoints. */
export class LogSigner extends Context.Reference<LogSigner>()("@attestry/core/LogSigner", {
  defaultValue: (): Signer => NONE
}) {}

/** A key that signs. */
export type SigningKey = Pick<LogKey.LogKey, "generation" | "seed">

/** How many public keys are kept. WHY any: to compute one costs as much as a signature. */
const KEPT_KEYS = 10_000

/** A signer with the keys of a key file. Retired keys sign nothing. */
export const fromKeys = (
  keys: ReadonlyArray<SigningKey>,
  ended: ReadonlyArray<SigningKey> = []
): Effect.Effect<Signer, never, Signatures> =>
  Effect.map(Signatures, (signatures) => {
    const numbers = new Map([...keys, ...ended].map((key, number) => [key, number]))
    const kept = BoundedCache.make<SignedNote.VerifierKey>(KEPT_KEYS)
    const keyOf = (key: SigningKey, origin: string) =>
      Effect.suspend(() => {
        const place = `${numbers.get(key)} ${origin}`
        const known = kept.get(place)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.map(signatures.publicKey(LogKey.seedOf(key, origin)), (publicKey) =>
          kept.set(place, { name: origin, type: SignedNote.ED25519, publicKey })
        )
      })
    const printed = (some: ReadonlyArray<SigningKey>) => (origin: string) =>
      Effect.forEach(some, (key) =>
        Effect.map(keyOf(key, origin), (verifier) => ({
          generation: key.generation,
          vkey: SignedNote.printKey(verifier)
        }))
      )
    return {
      verify: signatures.verify,
      keys: printed(keys),
      known: printed([...keys, ...ended]),
      sign: (origin, text) =>
        Effect.forEach(keys, (key) =>
          Effect.gen(function* () {
            const verifier = yield* keyOf(key, origin)
            const message = SignedNote.messageOf(text)
            const signature = yield* signatures.sign(LogKey.seedOf(key, origin), message)
            return { name: origin, keyId: SignedNote.keyId(verifier), signature }
          })
        )
    }
  })

/** `Secrets` and `IdGenerator` on `globalThis.crypto`, which browsers, edge runtimes and Node share. */

import { IdGenerator } from "@attestry/core/IdGenerator"
import { Secrets } from "@attestry/core/Secrets"
import * as Bytes from "@attestry/transparency-log/Bytes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Signatures from "./TokenSignaturesWebCrypto.js"

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hex = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += HEX[byte]
  return text
}

const randomBytes = (count: number): Effect.Effect<Uint8Array> =>
  Effect.sync(() => crypto.getRandomValues(new Uint8Array(count)))

/** Compares without leaving early; the lengths are not secret. */
const equals = (left: string, right: string): Effect.Effect<boolean> =>
  Effect.sync(() => {
    let difference = left.length ^ right.length
    for (let index = 0; index < left.length; index++) {
      difference |= left.charCodeAt(index) ^ right.charCodeAt(index % Math.max(1, right.length))
    }
    return difference === 0
  })

const bytesOf = (
  content: string | Uint8Array | ReadonlyArray<Uint8Array>
): Uint8Array<ArrayBuffer> => {
  if (typeof content === "string") return new TextEncoder().encode(content)
  return Bytes.concat(content instanceof Uint8Array ? [content] : content)
}

const digest = (content: string | Uint8Array | ReadonlyArray<Uint8Array>): Effect.Effect<string> =>
  Effect.promise(async () =>
    hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(content))))
  )

/** `Secrets` on WebCrypto. */
export const layerSecrets: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  randomBytes,
  digest,
  equals,
  verify: Signatures.verify
})

/** Random bytes that were drawn together: drawing costs about as much for many as for a few. */
const makePool = (size: number): ((count: number) => Uint8Array) => {
  const pool = new Uint8Array(size)
  let used = size
  return (count) => {
    if (used + count > size) {
      crypto.getRandomValues(pool)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

const draw = makePool(4_096)

const makeId = (millis: number): string => {
  const time = Math.max(0, millis).toString(16).padStart(12, "0").slice(-12)
  const random = hex(draw(8))
  return `${time.slice(0, 8)}-${time.slice(8)}-${random.slice(0, 4)}-${random.slice(4, 8)}-${random.slice(8)}`
}

/**
 * Ids that begin with the time of their making, so that rows made together are stored together: 48 bits
 * of milliseconds, then 64 random bits.
 */
export const layerIds: Layer.Layer<IdGenerator> = Layer.succeed(IdGenerator, {
  next: Effect.clockWith((clock) => Effect.sync(() => makeId(clock.unsafeCurrentTimeMillis())))
})

/** Both ports. */
export const layer: Layer.Layer<Secrets | IdGenerator> = Layer.merge(layerSecrets, layerIds)

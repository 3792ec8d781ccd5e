/** `Secrets` and `IdGenerator` on `globalThis.crypto`, which browsers, edge runtimes and Node share. */
import { IdGenerator } from "@attestry/core/IdGenerator"
import { Secrets } from "@attestry/core/Secrets"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

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

const joined = (pieces: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(pieces.reduce((size, { byteLength }) => size + byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.byteLength
  }
  return bytes
}

const bytesOf = (
  content: string | Uint8Array | ReadonlyArray<Uint8Array>
): Uint8Array<ArrayBuffer> => {
  if (typeof content === "string") return new TextEncoder().encode(content)
  return joined(content instanceof Uint8Array ? [content] : content)
}

const digest = (content: string | Uint8Array | ReadonlyArray<Uint8Array>): Effect.Effect<string> =>
  Effect.promise(async () =>
    hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytesOf(content))))
  )

/** `Secrets` on WebCrypto. */
export const layerSecrets: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  randomBytes,
  digest,
  equals
})

/**
 * Ids that begin with the time of their making, so that rows made together are stored together: 48 bits
 * of milliseconds, then 64 random bits.
 */
export const layerIds: Layer.Layer<IdGenerator> = Layer.succeed(IdGenerator, {
  next: Effect.zipWith(Clock.currentTimeMillis, randomBytes(8), (millis, random) => {
    const text = `${Math.max(0, millis).toString(16).padStart(12, "0").slice(-12)}${hex(random)}`
    return [8, 12, 16, 20].reduceRight(
      (id, place) => `${id.slice(0, place)}-${id.slice(place)}`,
      text
    )
  })
})

/** Both ports. */
export const layer: Layer.Layer<Secrets | IdGenerator> = Layer.merge(layerSecrets, layerIds)

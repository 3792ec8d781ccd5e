/** `Secrets` on `node:crypto`, which is synchronous and cheaper per request than WebCrypto. */
import { createHash, hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Secrets } from "@attestry/core/Secrets"
import * as Signatures from "@attestry/core/webcrypto/TokenSignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const digestOf = (content: string | Uint8Array | ReadonlyArray<Uint8Array>): string => {
  if (typeof content === "string" || content instanceof Uint8Array) return hash("sha256", content)
  const whole = createHash("sha256")
  for (const piece of content) whole.update(piece)
  return whole.digest("hex")
}

/** `Secrets` on `node:crypto`. */
export const layer: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  randomBytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count))),
  digest: (content) => Effect.sync(() => digestOf(content)),
  equals: (left, right) =>
    Effect.sync(() => {
      const [one, other] = [Buffer.from(left), Buffer.from(right)]
      return one.length === other.length && timingSafeEqual(one, other)
    }),
  verify: Signatures.verify
})

/** `Secrets` on Node's own crypto: synchronous, and so much cheaper per request than WebCrypto. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { Secrets } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** `Secrets` on Node's own crypto. */
export const layer: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  randomBytes: (count) => Effect.sync(() => new Uint8Array(randomBytes(count))),
  digest: (content) => Effect.sync(() => createHash("sha256").update(content).digest("hex")),
  equals: (left, right) =>
    Effect.sync(() => {
      const [one, other] = [Buffer.from(left), Buffer.from(right)]
      return one.length === other.length && timingSafeEqual(one, other)
    })
})

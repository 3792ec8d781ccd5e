/** HMAC on `node:crypto`, which is synchronous and uses no thread of Node's pool. */
import { createHmac } from "node:crypto"
import * as Layer from "effect/Layer"
import { Hmac } from "../notification/Hmac.js"

/** HMAC on `node:crypto`. */
export const layer: Layer.Layer<Hmac> = Layer.succeed(Hmac, {
  sha256: (key, text) => createHmac("sha256", key).update(text, "utf8").digest("base64")
})

/** Port: the keyed digest that signs webhooks. */
import * as Context from "effect/Context"

/** Port: HMAC with SHA-256. */
export class Hmac extends Context.Tag("@attestry/notifier/Hmac")<
  Hmac,
  {
    /** The MAC of a text's UTF-8 bytes, in Base64. */
    readonly sha256: (key: Uint8Array, text: string) => string
  }
>() {}

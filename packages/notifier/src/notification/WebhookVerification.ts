/**
 * Verifies, in a receiver, that a webhook comes from the deployment that shares its secret, and is recent.
 *
 * It needs WebCrypto alone, so it runs in Node, in browsers and on the edge. The body must be the received text, not
 * JSON that was parsed and printed again. A receiver that acts once per event remembers `id`: a delivery is repeated
 * until the receiver accepts it.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { WebhookPayload } from "./WebhookPayload.js"
import * as WebhookSignature from "./WebhookSignature.js"

/** A request that a receiver got. */
export interface Received {
  /** The headers, with names in any case: `Headers`, Node's `request.headers` or a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body, unchanged. */
  readonly body: string
  /** The org's signing secret; several during a rotation, each of which is accepted. */
  readonly secret: string | ReadonlyArray<string>
}

/** A verified webhook. */
export interface Verified {
  /** The same in every repetition of this delivery. */
  readonly id: string
  /** When this attempt was made, in epoch seconds. */
  readonly timestamp: number
  readonly payload: WebhookPayload
}

/** The request is not a valid webhook; respond with a 4xx. */
export class InvalidWebhook extends Schema.TaggedError<InvalidWebhook>()("InvalidWebhook", {
  reason: Schema.Literal("headers", "timestamp", "signature", "body")
}) {
  override get message() {
    return `not a valid webhook: ${this.reason}`
  }
}

const invalid = (reason: InvalidWebhook["reason"]) => Either.left(new InvalidWebhook({ reason }))

const headerOf = (headers: Received["headers"], name: string): Option.Option<string> => {
  if (headers instanceof Headers) return Option.fromNullable(headers.get(name))
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return Option.liftPredicate(found, (value) => typeof value === "string")
}

const SECONDS = /^[0-9]{1,12}$/

const headIn = (headers: Received["headers"], now: number) =>
  Either.gen(function* () {
    const read = (name: string) =>
      Either.fromOption(headerOf(headers, name), () => new InvalidWebhook({ reason: "headers" }))
    const id = yield* read(WebhookSignature.HEADERS.id)
    const timestamp = yield* read(WebhookSignature.HEADERS.timestamp)
    const signature = yield* read(WebhookSignature.HEADERS.signature)
    if (!SECONDS.test(timestamp)) return yield* invalid("headers")
    const seconds = Number(timestamp)
    return Math.abs(now - seconds) <= WebhookSignature.TOLERANCE_SECONDS
      ? { id, timestamp: seconds, macs: WebhookSignature.macsIn(signature) }
      : yield* invalid("timestamp")
  })

const HMAC = { name: "HMAC", hash: "SHA-256" } as const

// INVARIANT: WebCrypto's `verify` compares in constant time.
const isSigned = (key: Uint8Array, content: string, macs: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const imported = await crypto.subtle.importKey("raw", new Uint8Array(key), HMAC, false, [
      "verify"
    ])
    const bytes = new TextEncoder().encode(content)
    for (const mac of macs) {
      const given = Encoding.decodeBase64(mac)
      if (Either.isLeft(given)) continue
      const same = await crypto.subtle.verify(HMAC, imported, new Uint8Array(given.right), bytes)
      if (same) return true
    }
    return false
  })

const payloadIn = Schema.decodeEither(Schema.parseJson(WebhookPayload))

/** Checks age and signature, then decodes the body; additional fields of the body are ignored. */
export const verify = ({
  body,
  headers,
  secret
}: Received): Effect.Effect<Verified, InvalidWebhook | WebhookSignature.InvalidSecret> =>
  Effect.gen(function* () {
    const keys = yield* Either.all(
      (typeof secret === "string" ? [secret] : secret).map(WebhookSignature.keyOf)
    )
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const { id, macs, timestamp } = yield* headIn(headers, now)
    const content = WebhookSignature.content({ id, timestamp }, body)
    const signed = yield* Effect.exists(keys, (key) => isSigned(key, content, macs))
    if (!signed) return yield* invalid("signature")
    const payload = yield* Either.mapLeft(
      payloadIn(body),
      () => new InvalidWebhook({ reason: "body" })
    )
    return { id, timestamp, payload }
  })

/** The same for code without Effect: rejects with `InvalidWebhook` or `InvalidSecret`. */
export const verifyPromise = async (received: Received): Promise<Verified> => {
  const result = await Effect.runPromise(Effect.either(verify(received)))
  if (Either.isLeft(result)) throw result.left
  return result.right
}

/**
 * Was this webhook sent by the Attestry deployment that shares our secret, and just now?
 *
 * For receivers. Needs nothing but WebCrypto, so it runs in Node, in browsers and on the edge. The
 * body has to be the text as it came: parsed and printed again it would be another text. A receiver
 * that acts only once per event remembers `id`: deliveries are repeated until one is answered.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { WebhookPayload } from "./WebhookPayload.js"
import * as WebhookSignature from "./WebhookSignature.js"

/** What reached the receiver. */
export interface Received {
  /** The headers, by names in any case, as `Headers`, Node's `request.headers` or a plain object. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body as it came. */
  readonly body: string
  /** The org's signing secret; during a change of secrets several, each of which is accepted. */
  readonly secret: string | ReadonlyArray<string>
}

/** A webhook that is what it says it is. */
export interface Verified {
  /** The same in every repetition of this delivery. */
  readonly id: string
  /** When this attempt was made, in epoch seconds. */
  readonly timestamp: number
  readonly payload: WebhookPayload
}

/** The request is not a webhook of ours; answer it with a 4xx. */
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

// INVARIANT: `verify` of WebCrypto compares in a time that does not depend on where texts differ.
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

/** Checks age and signature, then reads the body; additional fields of the body are passed over. */
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
  const outcome = await Effect.runPromise(Effect.either(verify(received)))
  if (Either.isLeft(outcome)) throw outcome.left
  return outcome.right
}

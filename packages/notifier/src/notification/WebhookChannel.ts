/**
 * How does a notification reach a webhook? As the signed payload, in one guarded POST. DECISION A-23
 *
 * Every attempt at a delivery has the same `webhook-id` and a timestamp and signature of its own.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { OrgId } from "@attestry/core/Identifier"
import type { Notification } from "@attestry/core/Notification"
import type { WebhookTarget } from "@attestry/core/NotificationTarget"
import * as Remembered from "@attestry/core/Remembered"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Task from "../outbound/Task.js"
import type { ChannelOptions } from "./Channel.js"
import { Hmac } from "./Hmac.js"
import * as Posting from "./internal/Posting.js"
import * as WebhookPayload from "./WebhookPayload.js"
import * as WebhookSignature from "./WebhookSignature.js"

/** A rotation is noticed after at most this long; the old secret still verifies for a day. */
const KEYS_KEPT_MILLIS = 60_000
const KEYS_MAX = 10_000

/** The keys of an org as they were asked for at some time. */
interface KnownKeys {
  readonly keys: ReadonlyArray<Uint8Array>
  readonly until: number
}

const makeKeys = Effect.gen(function* () {
  const secrets = yield* SigningSecrets
  const run = yield* Task.runner
  const known = Remembered.make<KnownKeys>(KEYS_MAX)

  const ask = (org: OrgId, now: number): Effect.Effect<ReadonlyArray<Uint8Array>, StoreError> =>
    Effect.flatMap(secrets.forDelivery(org), (texts) =>
      // WHY: these texts are written by our own store; one that cannot be read is a bug.
      Effect.orDie(Either.all(texts.map(WebhookSignature.keyOf)))
    ).pipe(Effect.map((keys) => known.keep(org, { keys, until: now + KEYS_KEPT_MILLIS }).keys))

  /** Goes on at once with keys that are known, which is nearly always. */
  return <A>(
    org: OrgId,
    now: number,
    use: (keys: ReadonlyArray<Uint8Array>) => Task.Task<A>
  ): Task.Task<A, StoreError> => {
    const found = known.get(org)
    return found !== undefined && now < found.until
      ? use(found.keys)
      : Task.matchTask<ReadonlyArray<Uint8Array>, StoreError, A, StoreError>(run(ask(org, now)), {
          onFailure: Task.fail,
          onSuccess: use
        })
  }
})

/** A body as it is signed and as it is sent. */
interface Body {
  readonly text: string
  readonly bytes: Uint8Array
}

/** Writes the body of a notification once, to however many targets it goes. */
const makeBodies = (publicUrl: string) => {
  const encoder = new TextEncoder()
  const written = new WeakMap<Notification, Body>()
  return (notification: Notification): Body => {
    const known = written.get(notification)
    if (known !== undefined) return known
    const text = JSON.stringify(WebhookPayload.make(publicUrl, notification))
    const body = { text, bytes: encoder.encode(text) }
    written.set(notification, body)
    return body
  }
}

/** Builds the channel; a payload is signed with every secret that signs at that moment. */
export const make = (options: ChannelOptions) =>
  Effect.gen(function* () {
    const hmac = yield* Hmac
    const clock = yield* Effect.clock
    const withKeys = yield* makeKeys
    const post = yield* Posting.make(options)
    const bodyOf = makeBodies(options.publicUrl)

    const webhook = (delivery: ClaimedDelivery, target: WebhookTarget) => {
      const now = clock.unsafeCurrentTimeMillis()
      return withKeys(delivery.org_id, now, (keys) => {
        const { bytes, text } = bodyOf(delivery.notification)
        const head = { id: delivery.id, timestamp: Math.floor(now / 1000) }
        const content = WebhookSignature.content(head, text)
        const macs = keys.map((key) => hmac.sha256(key, content))
        const headers = { ...Posting.OWN_HEADERS, ...WebhookSignature.headers(head, macs) }
        return post(delivery, { url: target.webhook, headers, body: bytes })
      })
    }

    return { webhook } as const
  })

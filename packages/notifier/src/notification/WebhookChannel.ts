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

const makeKeys = Effect.map(SigningSecrets, (secrets) => {
  const known = Remembered.make<KnownKeys>(KEYS_MAX)

  const ask = (org: OrgId, now: number): Effect.Effect<ReadonlyArray<Uint8Array>, StoreError> =>
    Effect.flatMap(secrets.forDelivery(org), (texts) =>
      // WHY: these texts are written by our own store; one that cannot be read is a bug.
      Effect.orDie(Either.all(texts.map(WebhookSignature.keyOf)))
    ).pipe(Effect.map((keys) => known.keep(org, { keys, until: now + KEYS_KEPT_MILLIS }).keys))

  /** Runs at once with keys that are known, which is nearly always. */
  return <A, E>(
    org: OrgId,
    now: number,
    use: (keys: ReadonlyArray<Uint8Array>) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | StoreError> => {
    const found = known.get(org)
    return found !== undefined && now < found.until
      ? use(found.keys)
      : Effect.flatMap(ask(org, now), use)
  }
})

/** Writes the body of a notification once, to however many targets it goes. */
const makeBodies = (publicUrl: string) => {
  const written = new WeakMap<Notification, string>()
  return (notification: Notification): string => {
    const known = written.get(notification)
    if (known !== undefined) return known
    const body = JSON.stringify(WebhookPayload.make(publicUrl, notification))
    written.set(notification, body)
    return body
  }
}

/** Builds the channel; a payload is signed with every secret that signs at that moment. */
export const make = (options: ChannelOptions) =>
  Effect.gen(function* () {
    const hmac = yield* Hmac
    const withKeys = yield* makeKeys
    const post = yield* Posting.make(options)
    const bodyOf = makeBodies(options.publicUrl)

    const webhook = (delivery: ClaimedDelivery, target: WebhookTarget) =>
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        return withKeys(delivery.org_id, now, (keys) => {
          const body = bodyOf(delivery.notification)
          const head = { id: delivery.id, timestamp: Math.floor(now / 1000) }
          const content = WebhookSignature.content(head, body)
          const macs = keys.map((key) => hmac.sha256(key, content))
          const headers = WebhookSignature.headers(head, macs)
          return post(delivery, { url: target.webhook, headers, body })
        })
      })

    return { webhook } as const
  })

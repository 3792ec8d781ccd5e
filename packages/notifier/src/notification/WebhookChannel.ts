/**
 * How does a notification reach a webhook? As the signed payload, in one guarded POST. DECISION A-23
 *
 * Every attempt at a delivery has the same `webhook-id` and a timestamp and signature of its own.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { OrgId } from "@attestry/core/Identifier"
import type { WebhookTarget } from "@attestry/core/NotificationTarget"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import type { StoreError } from "@attestry/core/StoreError"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ChannelOptions } from "./Channel.js"
import { Hmac } from "./Hmac.js"
import * as Posting from "./internal/Posting.js"
import * as WebhookPayload from "./WebhookPayload.js"
import * as WebhookSignature from "./WebhookSignature.js"

/** A rotation is noticed after at most this long; the old secret still verifies for a day. */
const KEYS_KEPT = "1 minute"
const KEYS_MAX = 10_000

const makeKeys = Effect.gen(function* () {
  const secrets = yield* SigningSecrets
  return yield* Cache.make({
    capacity: KEYS_MAX,
    timeToLive: KEYS_KEPT,
    lookup: (org: OrgId): Effect.Effect<ReadonlyArray<Uint8Array>, StoreError> =>
      Effect.flatMap(secrets.forDelivery(org), (texts) =>
        // WHY: these texts are written by our own store; one that cannot be read is a bug.
        Effect.orDie(Either.all(texts.map(WebhookSignature.keyOf)))
      )
  })
})

/** Builds the channel; a payload is signed with every secret that signs at that moment. */
export const make = (options: ChannelOptions) =>
  Effect.gen(function* () {
    const hmac = yield* Hmac
    const keys = yield* makeKeys
    const post = yield* Posting.make(options)

    const webhook = Effect.fnUntraced(function* (delivery: ClaimedDelivery, target: WebhookTarget) {
      const signing = yield* keys.get(delivery.org_id)
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const body = JSON.stringify(WebhookPayload.make(options.publicUrl, delivery.notification))
      const head = { id: delivery.id, timestamp }
      const content = WebhookSignature.content(head, body)
      const macs = signing.map((key) => hmac.sha256(key, content))
      const headers = WebhookSignature.headers(head, macs)
      return yield* post(delivery, { url: target.webhook, headers, body })
    })

    return { webhook } as const
  })

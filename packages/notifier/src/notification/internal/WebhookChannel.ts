/**
 * Posts a notification to a webhook as a signed payload, through the outbound guard.
 *
 * All attempts at a delivery have the same `webhook-id`; each has its own timestamp and signature.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { OrgId } from "@attestry/core/Identifier"
import type { Notification } from "@attestry/core/Notification"
import type { WebhookTarget } from "@attestry/core/NotificationTarget"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as SharedLookup from "../../internal/SharedLookup.js"
import type { ChannelOptions, ChannelOutcome } from "../Channel.js"
import { Hmac } from "../Hmac.js"
import * as WebhookPayload from "../WebhookPayload.js"
import * as WebhookSignature from "../WebhookSignature.js"
import * as Posting from "./Posting.js"

/** The keys that sign for an org now; from the moment of a rotation both secrets sign. */
const makeKeys = Effect.map(SigningSecrets, (secrets) =>
  SharedLookup.make(
    (org: OrgId) =>
      Effect.flatMap(secrets.forDelivery(org), (texts) =>
        // WHY: our own store writes these texts; one that cannot be decoded is a bug.
        Effect.orDie(Either.all(texts.map(WebhookSignature.keyOf)))
      ),
    (org) => org
  )
)

/** A body as the text that is signed and the bytes that are sent. */
interface Body {
  readonly text: string
  readonly bytes: Uint8Array
}

/** Encodes the body of a notification once for all of its targets. */
const makeBodies = (publicUrl: string) => {
  const encoder = new TextEncoder()
  const encoded = new WeakMap<Notification, Body>()
  return (notification: Notification): Body => {
    const known = encoded.get(notification)
    if (known !== undefined) return known
    const text = JSON.stringify(WebhookPayload.make(publicUrl, notification))
    const body = { text, bytes: encoder.encode(text) }
    encoded.set(notification, body)
    return body
  }
}

/** Builds the channel; every current secret of the org signs each payload. */
export const make = (options: ChannelOptions) =>
  Effect.gen(function* () {
    const hmac = yield* Hmac
    const clock = yield* Effect.clock
    const keysOf = yield* makeKeys
    const post = yield* Posting.make(options)
    const bodyOf = makeBodies(options.publicUrl)

    const send = (
      delivery: ClaimedDelivery,
      target: WebhookTarget,
      keys: ReadonlyArray<Uint8Array>
    ): Effect.Effect<ChannelOutcome> => {
      const { bytes, text } = bodyOf(delivery.notification)
      const head = {
        id: delivery.id,
        timestamp: Math.floor(clock.unsafeCurrentTimeMillis() / 1000)
      }
      const content = WebhookSignature.content(head, text)
      const macs = keys.map((key) => hmac.sha256(key, content))
      const headers = { ...Posting.OWN_HEADERS, ...WebhookSignature.headers(head, macs) }
      return post(delivery, { url: target.webhook, headers, body: bytes })
    }

    const webhook = (
      delivery: ClaimedDelivery,
      target: WebhookTarget
    ): Effect.Effect<ChannelOutcome, StoreError> =>
      Effect.flatMap(keysOf(delivery.org_id), (keys) => send(delivery, target, keys))

    return { webhook } as const
  })

/**
 * How does a notification reach a webhook? As the signed payload, in one guarded POST. DECISION A-23
 *
 * Every attempt at a delivery has the same `webhook-id` and a timestamp and signature of its own.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { OrgId } from "@attestry/core/Identifier"
import type { Notification } from "@attestry/core/Notification"
import type { WebhookTarget } from "@attestry/core/NotificationTarget"
import { SigningSecrets } from "@attestry/core/SigningSecrets"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Task from "../outbound/Task.js"
import type { ChannelOptions, ChannelOutcome } from "./Channel.js"
import { Hmac } from "./Hmac.js"
import * as Posting from "./internal/Posting.js"
import * as SharedLookup from "./internal/SharedLookup.js"
import * as WebhookPayload from "./WebhookPayload.js"
import * as WebhookSignature from "./WebhookSignature.js"

/** The keys that sign for an org now: after a rotation both sign from its first moment on. DECISION A-23 */
const makeKeys = Effect.gen(function* () {
  const secrets = yield* SigningSecrets
  const run = yield* Task.runner
  return SharedLookup.make((org: OrgId) =>
    run(
      Effect.flatMap(secrets.forDelivery(org), (texts) =>
        // WHY: these texts are written by our own store; one that cannot be read is a bug.
        Effect.orDie(Either.all(texts.map(WebhookSignature.keyOf)))
      )
    )
  )
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
    const keysOf = yield* makeKeys
    const post = yield* Posting.make(options)
    const bodyOf = makeBodies(options.publicUrl)

    const send = (
      delivery: ClaimedDelivery,
      target: WebhookTarget,
      keys: ReadonlyArray<Uint8Array>
    ): Task.Task<ChannelOutcome, StoreError> => {
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

    const webhook = (delivery: ClaimedDelivery, target: WebhookTarget) =>
      Task.matchTask(keysOf(delivery.org_id), {
        onFailure: (error: StoreError): Task.Task<ChannelOutcome, StoreError> => Task.fail(error),
        onSuccess: (keys) => send(delivery, target, keys)
      })

    return { webhook } as const
  })

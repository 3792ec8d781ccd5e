/** The channel that selects webhook, chat or mail by the type of a delivery's target. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { SigningSecrets } from "@attestry/core/SigningSecrets"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { GuardedHttpClient } from "../outbound/GuardedHttpClient.js"
import { Channel, type ChannelOptions } from "./Channel.js"
import type { Hmac } from "./Hmac.js"
import * as ChatChannel from "./internal/ChatChannel.js"
import * as EmailChannel from "./internal/EmailChannel.js"
import * as WebhookChannel from "./internal/WebhookChannel.js"
import type { Mailer } from "./Mailer.js"

/** `Channel` for every type of target. */
export const layer = (
  options: ChannelOptions
): Layer.Layer<Channel, never, GuardedHttpClient | SigningSecrets | Hmac | Mailer> =>
  Layer.effect(
    Channel,
    Effect.gen(function* () {
      const { webhook } = yield* WebhookChannel.make(options)
      const { chat } = yield* ChatChannel.make(options)
      const { email } = yield* EmailChannel.make(options)
      return {
        send: (delivery: ClaimedDelivery) => {
          const { target } = delivery
          switch (target.type) {
            case "WEBHOOK":
              return webhook(delivery, target)
            case "CHAT":
              return chat(delivery, target)
            case "EMAIL":
              return email(delivery, target)
          }
        }
      }
    })
  )

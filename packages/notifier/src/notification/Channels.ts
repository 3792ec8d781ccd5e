/**
 * The channel that selects webhook, chat or mail by the type of a delivery's target. What a team is sent is cut by what
 * the team reads when it is sent.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { SigningSecrets } from "@attestry/core/SigningSecrets"
import { TeamDeliveries } from "@attestry/core/TeamDeliveries"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { GuardedHttpClient } from "../outbound/GuardedHttpClient.js"
import { Channel, type ChannelOptions, withheld } from "./Channel.js"
import type { Hmac } from "./Hmac.js"
import * as ChatChannel from "./internal/ChatChannel.js"
import * as EmailChannel from "./internal/EmailChannel.js"
import * as WebhookChannel from "./internal/WebhookChannel.js"
import type { Mailer } from "./Mailer.js"

/** `Channel` for every type of target. */
export const layer = (
  options: ChannelOptions
): Layer.Layer<
  Channel,
  never,
  GuardedHttpClient | SigningSecrets | TeamDeliveries | Hmac | Mailer
> =>
  Layer.effect(
    Channel,
    Effect.gen(function* () {
      const { webhook } = yield* WebhookChannel.make(options)
      const { chat } = yield* ChatChannel.make(options)
      const { email } = yield* EmailChannel.make(options)
      const teams = yield* TeamDeliveries
      const sendWhole = (delivery: ClaimedDelivery) => {
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
      return {
        send: (delivery: ClaimedDelivery) =>
          delivery.audience === undefined
            ? sendWhole(delivery)
            : Effect.flatMap(
                teams.cut(delivery),
                Option.match({
                  onNone: () => Effect.succeed(withheld),
                  onSome: (notification) => sendWhole({ ...delivery, notification })
                })
              )
      }
    })
  )

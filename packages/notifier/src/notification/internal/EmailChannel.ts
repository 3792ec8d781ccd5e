/** Sends a notification as one mail to all addresses of its target, through the operator's mail server. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { EmailTarget } from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import * as Channel from "../Channel.js"
import { Mailer } from "../Mailer.js"
import * as EmailMessage from "./EmailMessage.js"
import * as NotificationSummary from "./NotificationSummary.js"

/** Builds the channel that sends mail. */
export const make = (options: Channel.ChannelOptions) =>
  Effect.map(Mailer, (mailer) => ({
    email: (
      delivery: ClaimedDelivery,
      target: EmailTarget
    ): Effect.Effect<Channel.ChannelOutcome> => {
      const summary = NotificationSummary.make(options.publicUrl, delivery.notification)
      const mail = {
        ...EmailMessage.make(summary),
        id: delivery.id,
        to: target.emails,
        timeoutMs: options.timeoutMs
      }
      return Effect.match(mailer.send(mail), {
        onFailure: ({ isFinal, message }) => Channel.refused(message, { isFinal }),
        onSuccess: () => Channel.accepted
      })
    }
  }))

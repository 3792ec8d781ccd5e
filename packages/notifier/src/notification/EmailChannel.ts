/**
 * How does a notification reach mail boxes?
 *
 * As one mail to all addresses of the target, through the operator's mail server.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { EmailTarget } from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import * as Task from "../outbound/Task.js"
import * as Channel from "./Channel.js"
import * as EmailMessage from "./EmailMessage.js"
import { Mailer } from "./Mailer.js"
import * as NotificationSummary from "./NotificationSummary.js"

/** Builds the channel that mails. */
export const make = (options: Channel.ChannelOptions) =>
  Effect.zipWith(Mailer, Task.runner, (mailer, run) => ({
    email: (delivery: ClaimedDelivery, target: EmailTarget): Task.Task<Channel.ChannelOutcome> => {
      const summary = NotificationSummary.make(options.publicUrl, delivery.notification)
      const mail = {
        ...EmailMessage.make(summary),
        id: delivery.id,
        to: target.emails,
        timeoutMs: options.timeoutMs
      }
      return Task.match(run(mailer.send(mail)), {
        onFailure: ({ isFinal, message }) => Channel.refused(message, { isFinal }),
        onSuccess: () => Channel.accepted
      })
    }
  }))

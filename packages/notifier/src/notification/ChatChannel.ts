/** How does a notification reach a chat service? As the message of `ChatMessage`, in one guarded POST. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { ChatTarget } from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import type { ChannelOptions } from "./Channel.js"
import * as ChatMessage from "./ChatMessage.js"
import * as Posting from "./internal/Posting.js"
import * as NotificationSummary from "./NotificationSummary.js"

/** Builds the channel; nothing is signed, because nobody there could check it. */
export const make = (options: ChannelOptions) =>
  Effect.map(Posting.make(options), (post) => ({
    chat: (delivery: ClaimedDelivery, target: ChatTarget) => {
      const summary = NotificationSummary.make(options.publicUrl, delivery.notification)
      const body = JSON.stringify(ChatMessage.make(summary))
      return post(delivery, { url: target.webhook, headers: Posting.OWN_HEADERS, body })
    }
  }))

/** Posts a notification to a chat service as a `ChatMessage`, through the outbound guard. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { ChatTarget } from "@attestry/core/NotificationTarget"
import * as Effect from "effect/Effect"
import type { ChannelOptions } from "../Channel.js"
import * as ChatMessage from "./ChatMessage.js"
import * as NotificationSummary from "./NotificationSummary.js"
import * as Posting from "./Posting.js"

/** Builds the channel; posts are not signed, because chat services do not verify signatures. */
export const make = (options: ChannelOptions) =>
  Effect.map(Posting.make(options), (post) => ({
    chat: (delivery: ClaimedDelivery, target: ChatTarget) => {
      const summary = NotificationSummary.make(options.publicUrl, delivery.notification)
      const body = JSON.stringify(ChatMessage.make(summary))
      return post(delivery, { url: target.webhook, headers: Posting.OWN_HEADERS, body })
    }
  }))

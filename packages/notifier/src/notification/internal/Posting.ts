/**
 * How does a body reach the URL of a target?
 *
 * As one guarded POST. Every 2xx is taken for received, 410 for gone for good, anything else for a
 * failure, of which only its class is told on.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import * as Effect from "effect/Effect"
import type { DeliveryError } from "../../outbound/DeliveryError.js"
import { GuardedHttpClient, type PostOutcome } from "../../outbound/GuardedHttpClient.js"
import * as Task from "../../outbound/Task.js"
import * as Channel from "../Channel.js"

const outcomeOf = ({ retryAfter, status }: PostOutcome): Channel.ChannelOutcome =>
  status >= 200 && status < 300
    ? Channel.accepted
    : status === 410
      ? Channel.gone("status 410")
      : Channel.refused(`status ${status}`, { retryAfter })

const failureOf = ({ message }: DeliveryError): Channel.ChannelOutcome => Channel.refused(message)

/** The headers of every post. */
export const OWN_HEADERS = {
  "content-type": "application/json",
  "user-agent": "Attestry-Notifier/1.0"
} as const

/** What is posted, and where. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const ends = { onFailure: failureOf, onSuccess: outcomeOf }

/** Builds the function that posts JSON for a delivery. */
export const make = ({ timeoutMs }: Channel.ChannelOptions) =>
  Effect.map(
    GuardedHttpClient,
    (client) =>
      (
        { org_id }: ClaimedDelivery,
        { body, headers, url }: Post
      ): Task.Task<Channel.ChannelOutcome> =>
        Task.match(client.posting({ tenant: org_id, url, headers, body, timeoutMs }), ends)
  )

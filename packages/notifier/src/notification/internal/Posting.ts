/**
 * Posts a body to a target's URL and turns the response into a channel's outcome.
 *
 * 2xx means accepted, 410 means gone, everything else is a failure whose class alone is reported.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import * as Effect from "effect/Effect"
import type { DeliveryError } from "../../outbound/DeliveryError.js"
import { GuardedHttpClient, type PostResponse } from "../../outbound/GuardedHttpClient.js"
import * as Channel from "../Channel.js"

const onSuccess = ({ retryAfter, status }: PostResponse): Channel.ChannelOutcome =>
  status >= 200 && status < 300
    ? Channel.accepted
    : status === 410
      ? Channel.gone("status 410")
      : Channel.refused(`status ${status}`, { retryAfter })

const onFailure = ({ message }: DeliveryError): Channel.ChannelOutcome => Channel.refused(message)

/** The headers of every post. */
export const OWN_HEADERS = {
  "content-type": "application/json",
  "user-agent": "Attestry-Notifier/1.0"
} as const

/** One post. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Builds the function that posts JSON for a delivery. */
export const make = ({ timeoutMs }: Channel.ChannelOptions) =>
  Effect.map(
    GuardedHttpClient,
    (client) =>
      ({ org_id: tenant }: ClaimedDelivery, post: Post): Effect.Effect<Channel.ChannelOutcome> =>
        Effect.match(client.post({ tenant, ...post, timeoutMs }), { onFailure, onSuccess })
  )

/**
 * The port that makes one attempt at a delivery, and the outcomes of an attempt.
 *
 * `DeliverySchedule` decides when to try again and when to give up. An error names a class of failure, never an
 * address and never the text of a response (P-QUIET).
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** How an attempt ended. */
export type ChannelOutcome =
  | { readonly _tag: "Accepted" }
  /** It is not for its receiver any more: nothing was sent. */
  | { readonly _tag: "Withheld" }
  | {
      readonly _tag: "Refused"
      readonly error: string
      /** The receiver's `Retry-After`. */
      readonly retryAfter: Option.Option<Duration.Duration>
      /** No later attempt can succeed. */
      readonly isFinal: boolean
    }
  /** The receiver is gone permanently. */
  | { readonly _tag: "Gone"; readonly error: string }

/** The receiver accepted the delivery. */
export const accepted: ChannelOutcome = { _tag: "Accepted" }

/** It is not for its receiver any more. */
export const withheld: ChannelOutcome = { _tag: "Withheld" }

/** The attempt failed; a later one may succeed unless `isFinal`. */
export const refused = (
  error: string,
  options: {
    readonly retryAfter?: Option.Option<Duration.Duration>
    readonly isFinal?: boolean
  } = {}
): ChannelOutcome => ({
  _tag: "Refused",
  error,
  retryAfter: options.retryAfter ?? Option.none(),
  isFinal: options.isFinal ?? false
})

/** The receiver is gone permanently. */
export const gone = (error: string): ChannelOutcome => ({ _tag: "Gone", error })

/** The options of every channel. */
export interface ChannelOptions {
  /** The deployment's public URL, without a slash at the end. */
  readonly publicUrl: string
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number
}

/** Port: sends deliveries to their targets, by the target's type. */
export class Channel extends Context.Tag("@attestry/notifier/Channel")<
  Channel,
  {
    /**
     * Makes one attempt within the configured time. Fails only when no attempt was made because the store could
     * not be read.
     */
    readonly send: (delivery: ClaimedDelivery) => Effect.Effect<ChannelOutcome, StoreError>
  }
>() {}

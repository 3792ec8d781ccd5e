/**
 * How did one attempt at a delivery end, as a channel sees it?
 *
 * When to try again, and when to give up, is decided by `DeliverySchedule`. An error names a class and
 * never an address or what a receiver said (P-QUIET). A channel that is no part of this package is best
 * written with effects and made of them by `fromEffects`.
 */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Task from "../outbound/Task.js"

/** How an attempt ended. */
export type ChannelOutcome =
  | { readonly _tag: "Accepted" }
  | {
      readonly _tag: "Refused"
      readonly error: string
      /** How long the receiver asks us to wait. */
      readonly retryAfter: Option.Option<Duration.Duration>
      /** Another attempt cannot end otherwise. */
      readonly isFinal: boolean
    }
  /** The receiver says that it is gone for good. */
  | { readonly _tag: "Gone"; readonly error: string }

/** The receiver has taken it. */
export const accepted: ChannelOutcome = { _tag: "Accepted" }

/** The attempt failed; trying again may help. */
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

/** The receiver is gone for good. */
export const gone = (error: string): ChannelOutcome => ({ _tag: "Gone", error })

/** What every channel is told. */
export interface ChannelOptions {
  /** Where the deployment is reached from outside, without a slash at the end. */
  readonly publicUrl: string
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs: number
}

/** Carries deliveries to their targets, each in the way of its type. */
export class Channel extends Context.Tag("@attestry/notifier/Channel")<
  Channel,
  {
    /**
     * One attempt, within the configured time. Fails only when the attempt could not be made for a
     * reason of our own.
     */
    readonly send: (delivery: ClaimedDelivery) => Task.Task<ChannelOutcome, StoreError>
  }
>() {}

/** A channel whose attempts are effects; each runs as a fiber, interrupted when it is given up. */
export const fromEffects = (
  send: (delivery: ClaimedDelivery) => Effect.Effect<ChannelOutcome, StoreError>
): Effect.Effect<Channel["Type"]> =>
  Effect.map(Task.runner, (run) => ({
    send: (delivery: ClaimedDelivery) => run(Effect.suspend(() => send(delivery)))
  }))

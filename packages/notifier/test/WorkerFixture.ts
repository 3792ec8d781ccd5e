/** A worker with an outbox and a channel of the test, on the test clock. */
import type { ClaimedDelivery } from "@attestry/core/Delivery"
import type { StoreError } from "@attestry/core/StoreError"
import { Clock, Duration, Effect, Layer, Logger, TestClock } from "effect"
import * as Notifier from "../src/Notifier.js"
import * as Channel from "../src/notification/Channel.js"
import * as OutboxFake from "./notification/OutboxFake.js"

/** How the channel of a test answers. */
export type Send = (delivery: ClaimedDelivery) => Effect.Effect<Channel.ChannelOutcome, StoreError>

/** A delivery that the channel was given. */
export interface Sent {
  readonly id: string
  readonly at: number
}

/** A channel that answers so. */
export const channelOf = (send: Send) => Layer.succeed(Channel.Channel, { send })

/** A worker with a channel that records its deliveries. */
export const start = (send: Send, options: Notifier.Options = {}) =>
  Effect.gen(function* () {
    const outbox = OutboxFake.make()
    const sent: Array<Sent> = []
    const channel = channelOf((delivery) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => {
        sent.push({ id: delivery.id, at })
        return send(delivery)
      })
    )
    yield* Layer.build(
      Notifier.layer(options).pipe(
        Layer.provide([outbox.layer, channel]),
        Layer.provide(Logger.remove(Logger.defaultLogger))
      )
    )
    return { ...outbox, sent }
  })

/** Accepts every delivery. */
export const accept: Send = () => Effect.succeed(Channel.accepted)
/** Refuses every delivery. */
export const refuse =
  (error: string): Send =>
  () =>
    Effect.succeed(Channel.refused(error))

/** Advances the clock in steps, so that fibers that wake in one step run before the next. */
export const pass = (duration: Duration.DurationInput, steps = 20) =>
  Effect.repeatN(
    Effect.zipRight(
      TestClock.adjust(Duration.unsafeDivide(duration, steps)),
      Effect.repeatN(Effect.yieldNow(), 20)
    ),
    steps - 1
  )

/**
 * The metrics of a worker: attempts, outcomes of deliveries, and the depth of the outbox.
 *
 * They are Effect metrics, so an exporter of Effect's metrics includes them. INVARIANT: labels have few, fixed values;
 * no text of a tenant or a receiver is in them.
 */
import type { ClaimedDelivery, DeliveryOutcome } from "@attestry/core/Delivery"
import type { OutboxDepth } from "@attestry/core/OutboxStore"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"
import type { ChannelOutcome } from "../Channel.js"

const attemptsTotal = MetricKey.counter("attestry_delivery_attempts_total", {
  description: "Attempts at deliveries, by channel and result",
  incremental: true
})
const seconds = MetricKey.histogram(
  "attestry_delivery_attempt_seconds",
  MetricBoundaries.fromIterable([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]),
  "How long attempts took, by channel"
)
const deliveries = MetricKey.counter("attestry_deliveries_total", {
  description: "Deliveries whose attempt was written down, by outcome",
  incremental: true
})
const lost = Metric.counter("attestry_delivery_leases_lost_total", {
  description: "Outcomes that came after somebody else had the delivery",
  incremental: true
})
const inFlight = MetricKey.gauge("attestry_deliveries_in_flight", {
  description: "Attempts under way, by lane"
})
const due = Metric.gauge("attestry_outbox_due", {
  description: "Deliveries that are due, over all processes"
})
const oldest = Metric.gauge("attestry_outbox_oldest_due_seconds", {
  description: "How long the oldest due delivery has been due"
})
const dead = Metric.gauge("attestry_outbox_dead_letters", {
  description: "Deliveries that were given up and are kept"
})

const memoise = <A>(build: (label: string) => A): ((label: string) => A) => {
  const metrics = new Map<string, A>()
  return (label) => {
    const known = metrics.get(label)
    if (known !== undefined) return known
    const metric = build(label)
    metrics.set(label, metric)
    return metric
  }
}

const attemptsOf = memoise((channel) =>
  memoise((result) =>
    Metric.fromMetricKey(
      attemptsTotal.pipe(MetricKey.tagged("channel", channel), MetricKey.tagged("result", result))
    )
  )
)
const secondsOf = memoise((channel) =>
  Metric.fromMetricKey(MetricKey.tagged(seconds, "channel", channel))
)
const deliveriesOf = memoise((outcome) =>
  Metric.fromMetricKey(MetricKey.tagged(deliveries, "outcome", outcome))
)
const inFlightOf = memoise((slot) => Metric.fromMetricKey(MetricKey.tagged(inFlight, "lane", slot)))

/** The class of an error: statuses by their hundred, everything else unchanged. */
export const classOf = (error: string): string => error.replace(/^status (\d)\d\d$/, "status $1xx")

const resultOf = (exit: Exit.Exit<ChannelOutcome, unknown>): string =>
  Exit.match(exit, {
    onFailure: (cause) => (Cause.isInterrupted(cause) ? "interrupted" : "internal error"),
    onSuccess: (outcome) =>
      "error" in outcome ? classOf(outcome.error) : outcome._tag.toLowerCase()
  })

/** Counts an attempt that ended and records its duration. */
export const attempt = (
  { target }: ClaimedDelivery,
  exit: Exit.Exit<ChannelOutcome, unknown>,
  tookMillis: number
): void => {
  const channel = target.type.toLowerCase()
  attemptsOf(channel)(resultOf(exit)).unsafeUpdate(1, [])
  secondsOf(channel).unsafeUpdate(tookMillis / 1_000, [])
}

/** Counts settled outcomes; those that the outbox did not store are `lost`. */
export const settled = (outcomes: ReadonlyArray<DeliveryOutcome>, stored: number): void => {
  for (const { _tag } of outcomes) deliveriesOf(_tag.toLowerCase()).unsafeUpdate(1, [])
  if (stored < outcomes.length) lost.unsafeUpdate(outcomes.length - stored, [])
}

/** Sets the gauges of attempts under way. */
export const underWay = (attempts: {
  readonly count: () => number
  readonly countQuick: () => number
}): void => {
  inFlightOf("quick").unsafeUpdate(attempts.countQuick(), [])
  inFlightOf("slow").unsafeUpdate(attempts.count() - attempts.countQuick(), [])
}

/** Sets the gauges of the outbox. */
export const depth = (outbox: OutboxDepth): void => {
  due.unsafeUpdate(outbox.due, [])
  oldest.unsafeUpdate(outbox.oldestDueMillis / 1_000, [])
  dead.unsafeUpdate(outbox.dead, [])
}

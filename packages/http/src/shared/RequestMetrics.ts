/** How many requests each operation served, with which status, and how long they took. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import type { OutgoingResponse } from "./Exchange.js"

const requests = Metric.counter("attestry_http_requests_total", {
  description: "Requests served, by operation and status",
  incremental: true
})

const seconds = Metric.histogram(
  "attestry_http_request_seconds",
  MetricBoundaries.fromIterable([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10
  ]),
  "How long requests took, by operation"
)

/** Counts and times the serving of one request. */
export type Track = (
  operation: string
) => <R>(
  serving: Effect.Effect<OutgoingResponse, never, R>
) => Effect.Effect<OutgoingResponse, never, R>

/** Remembers what is made once per name. */
const memoise = <A>(build: (name: string) => A): ((name: string) => A) => {
  const made = new Map<string, A>()
  return (name) => {
    const known = made.get(name) ?? build(name)
    made.set(name, known)
    return known
  }
}

/** The tracker of one dispatcher. INVARIANT: operations and statuses are few and fixed. */
export const make = (): Track => {
  const durationOf = memoise((operation) => Metric.tagged(seconds, "operation", operation))
  const counterOf = memoise((operation) =>
    memoise((status) =>
      requests.pipe(Metric.tagged("operation", operation), Metric.tagged("status", status))
    )
  )
  return (operation) => (serving) =>
    Effect.suspend(() => {
      const began = performance.now()
      return Effect.tap(serving, ({ status }) =>
        Effect.zipRight(
          Metric.update(durationOf(operation), (performance.now() - began) / 1000),
          Metric.increment(counterOf(operation)(String(status)))
        )
      )
    })
}

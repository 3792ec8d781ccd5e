/** Metrics of requests: their number by operation and status, and their duration by operation. */
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricKey from "effect/MetricKey"

const requests = MetricKey.counter("attestry_http_requests_total", {
  description: "Requests served, by operation and status",
  incremental: true
})

const seconds = MetricKey.histogram(
  "attestry_http_request_seconds",
  MetricBoundaries.fromIterable([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10
  ]),
  "How long requests took, by operation"
)

/** Records one served request. */
export type Track = (operation: string, status: number, tookMs: number) => void

/** Builds one value per key. */
const memoise = <K, A>(build: (key: K) => A): ((key: K) => A) => {
  const made = new Map<K, A>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = build(key)
    made.set(key, fresh)
    return fresh
  }
}

/** The tracker of one dispatcher. INVARIANT: the sets of operations and statuses are small and fixed. */
export const make = (): Track => {
  // WHY keys: a metric of a tagged key resolves its state once; a tagged metric resolves it at each update.
  const durationOf = memoise((operation: string) =>
    Metric.fromMetricKey(MetricKey.tagged(seconds, "operation", operation))
  )
  const counterOf = memoise((operation: string) =>
    memoise((status: number) =>
      Metric.fromMetricKey(
        requests.pipe(
          MetricKey.tagged("operation", operation),
          MetricKey.tagged("status", String(status))
        )
      )
    )
  )
  return (operation, status, tookMs) => {
    durationOf(operation).unsafeUpdate(tookMs / 1000, [])
    counterOf(operation)(status).unsafeUpdate(1, [])
  }
}

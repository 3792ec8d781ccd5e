/** Metrics of the process, with the names that Prometheus' client libraries use. */
import { readdirSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "CPU time of the process, user and system, in seconds",
  incremental: true
})
const resident = gauge("process_resident_memory_bytes", "Memory of the process that is in RAM")
const heap = gauge("nodejs_heap_size_used_bytes", "Memory that objects of JavaScript take")
const started = gauge("process_start_time_seconds", "When the process started, since the epoch")
const files = gauge("process_open_fds", "Files and sockets that are open")
const lagMean = gauge(
  "nodejs_eventloop_lag_mean_seconds",
  "Mean delay of the event loop since the last scrape"
)
const lagP99 = gauge(
  "nodejs_eventloop_lag_p99_seconds",
  "99th percentile of the delay of the event loop since the last scrape"
)

/** The number of open files; `undefined` on systems without `/proc`. */
const openFiles = (): number | undefined => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return undefined
  }
}

/** Starts measuring; the effect updates the metrics. */
export const make: Effect.Effect<Effect.Effect<void>> = Effect.sync(() => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let counted = 0
  return Effect.sync(() => {
    const { user, system } = process.cpuUsage()
    const memory = process.memoryUsage()
    const seconds = (user + system) / MICROSECONDS
    cpu.unsafeUpdate(seconds - counted, [])
    counted = seconds
    resident.unsafeUpdate(memory.rss, [])
    heap.unsafeUpdate(memory.heapUsed, [])
    started.unsafeUpdate(performance.timeOrigin / 1000, [])
    const open = openFiles()
    if (open !== undefined) files.unsafeUpdate(open, [])
    // WHY: a histogram without samples has no mean.
    if (delay.count > 0) {
      lagMean.unsafeUpdate(delay.mean / NANOSECONDS, [])
      lagP99.unsafeUpdate(delay.percentile(99) / NANOSECONDS, [])
    }
    delay.reset()
  })
})

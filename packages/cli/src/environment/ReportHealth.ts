/** `--health-port`: serves liveness, readiness and metrics of a reporter over HTTP. */
import { createServer, type Server } from "node:http"
import { unreadable } from "../shared/CommandFailure.js"
import * as ReportSchedule from "./ReportSchedule.js"

/** The state of one environment. */
export interface Health {
  readonly environment: string
  readonly everyMs: number
  readonly progress: ReportSchedule.Progress
  readonly succeeded: number
  readonly failed: number
  readonly units: number
  readonly leftOut: number
  readonly unknown: number
}

/** A label value, escaped for the metrics format. */
const label = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")

interface Metric {
  readonly name: string
  readonly help: string
  readonly type: "gauge" | "counter"
  readonly samples: (health: Health, nowMs: number) => ReadonlyArray<readonly [string, number]>
}

const named = (health: Health, more = ""): string =>
  `{environment="${label(health.environment)}"${more}}`

const METRICS: ReadonlyArray<Metric> = [
  {
    name: "attestry_report_age_seconds",
    help: "Seconds since the last accepted report of an environment.",
    type: "gauge",
    samples: (health, nowMs) => {
      const { succeededMs } = health.progress
      return succeededMs === undefined
        ? []
        : [[named(health), Math.max(0, (nowMs - succeededMs) / 1_000)]]
    }
  },
  {
    name: "attestry_reports_total",
    help: "Reports of an environment by what came of them.",
    type: "counter",
    samples: (health) => [
      [named(health, ',outcome="accepted"'), health.succeeded],
      [named(health, ',outcome="failed"'), health.failed]
    ]
  },
  {
    name: "attestry_report_units",
    help: "Units of the last accepted report.",
    type: "gauge",
    samples: (health) => [[named(health), health.units]]
  },
  {
    name: "attestry_report_left_out",
    help: "What the last accepted report could not say.",
    type: "gauge",
    samples: (health) => [[named(health), health.leftOut]]
  },
  {
    name: "attestry_report_unknown_digests",
    help: "What the last accepted report has with an unknown digest.",
    type: "gauge",
    samples: (health) => [[named(health), health.unknown]]
  }
]

/** The metrics in the Prometheus text format. */
export const metricsText = (all: ReadonlyArray<Health>, nowMs: number): string =>
  METRICS.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...all.flatMap((health) =>
      samples(health, nowMs).map(([labels, value]) => `${name}${labels} ${value}`)
    )
  ]).join("\n")

/** The environments without a recent report. */
export const silent = (all: ReadonlyArray<Health>, nowMs: number): ReadonlyArray<string> =>
  all
    .filter(({ progress, everyMs }) => !ReportSchedule.isReady(progress, everyMs, nowMs))
    .map(({ environment }) => environment)

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
}

const TEXT = "text/plain; charset=utf-8"

/** The answer to a path. */
export const answerOf = (path: string, all: ReadonlyArray<Health>, nowMs: number): Answer => {
  if (path === "/live") return { status: 200, type: TEXT, body: "live\n" }
  if (path === "/metrics")
    return {
      status: 200,
      type: "text/plain; version=0.0.4; charset=utf-8",
      body: `${metricsText(all, nowMs)}\n`
    }
  if (path !== "/ready") return { status: 404, type: TEXT, body: "not found\n" }
  const late = silent(all, nowMs)
  return late.length === 0
    ? { status: 200, type: TEXT, body: "ready\n" }
    : { status: 503, type: TEXT, body: `no report lately: ${late.join(", ")}\n` }
}

/** Serves the states that `read` returns; fails if the port is in use. */
export const serve = async (
  port: number,
  now: () => number,
  read: () => ReadonlyArray<Health>
): Promise<Server> => {
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    const isRead = request.method === "GET" || request.method === "HEAD"
    const path = (request.url ?? "").split("?")[0] ?? ""
    const { status, type, body } = isRead
      ? answerOf(path, read(), now())
      : { status: 405, type: TEXT, body: "method not allowed\n" }
    response.writeHead(status, { "content-type": type })
    response.end(request.method === "HEAD" ? "" : body)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(unreadable(`--health-port ${port} cannot be listened on`, undefined, cause))
    )
    server.listen(port, resolve)
  })
  return server
}

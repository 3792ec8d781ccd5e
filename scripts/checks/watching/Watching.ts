/** The alerts and the dashboard of `deploy`, and the metrics that servers have by their source. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import * as DeployFiles from "../deploy/DeployFiles.js"
import * as Repository from "../shared/Repository.js"

/** The rules of Prometheus. */
export const RULES = "deploy/prometheus/rules.yaml"

/** Their tests. */
export const RULES_TEST = "deploy/prometheus/rules.test.yaml"

/** The dashboard of Grafana. */
export const DASHBOARD = "deploy/grafana/attestry.json"

/** Whether a run must have `promtool` instead of skipping what needs it. */
export const IS_REQUIRED = process.env.ATTESTRY_REQUIRE_PROMETHEUS_TOOLS === "1"

/** Whether `promtool` is missing, which Debian's package `prometheus` has. */
export const IS_MISSING = spawnSync("promtool", ["--version"]).status !== 0

/** What `promtool` prints about a file of `deploy`, and how it ends. */
export const promtool = (command: "check" | "test", path: string) => {
  const { status, stdout, stderr } = spawnSync(
    "promtool",
    [command, "rules", join(Repository.root, path)],
    { encoding: "utf8" }
  )
  return { status, output: `${stdout}${stderr}` }
}

/** An alert, as far as the checks look at it. */
export interface Alert {
  readonly name: string
  readonly expression: string
}

/** The alerts of the rules, in their order. */
export const alerts = (): ReadonlyArray<Alert> =>
  DeployFiles.documentsIn(RULES).flatMap((document) => {
    const names = DeployFiles.valuesOf(document, "alert").map(String)
    const expressions = DeployFiles.valuesOf(document, "expr").map(String)
    return names.map((name, position) => ({ name, expression: expressions[position] ?? "" }))
  })

/** The alerts that have a test in which they alert. */
export const testedAlerts = (): ReadonlySet<string> => {
  const cases = DeployFiles.documentsIn(RULES_TEST)
    .flatMap((document) => DeployFiles.valuesOf(document, "alert_rule_test"))
    .flatMap((found) => (Array.isArray(found) ? found : []))
  const alerting = cases.filter((each) =>
    DeployFiles.valuesOf(each, "exp_alerts").some(
      (found) => Array.isArray(found) && found.length > 0
    )
  )
  return new Set(alerting.flatMap((each) => DeployFiles.valuesOf(each, "alertname")).map(String))
}

/** A panel of the dashboard. */
export interface Panel {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly targets: ReadonlyArray<{ readonly refId: string; readonly expr: string }>
}

/** The dashboard, as far as the checks look at it. */
export interface Dashboard {
  readonly title: string
  readonly panels: ReadonlyArray<Panel>
  readonly templating: {
    readonly list: ReadonlyArray<{
      readonly name: string
      readonly type: string
      readonly query: string
    }>
  }
}

/** The dashboard. */
export const dashboard = (): Dashboard => JSON.parse(Repository.read(DASHBOARD))

/** Every expression of the dashboard; that of a variable without the label that it takes. */
export const dashboardExpressions = (): ReadonlyArray<string> => {
  const { panels, templating } = dashboard()
  return [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...templating.list
      .filter(({ type }) => type === "query")
      .map(({ query }) => query.replace(/^label_values\((.*), *\w+\)$/, "$1"))
  ]
}

const OPERATORS = new Set(["and", "or", "unless", "bool", "offset"])

/** The names of metrics in an expression: what is no function, label, range, text or operator. */
export const metricsIn = (expression: string): ReadonlyArray<string> => {
  const bare = expression
    .replaceAll(/"[^"]*"|'[^']*'/g, "")
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, " ")
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !OPERATORS.has(name))
}

/** The packages of which a server is made. */
const PACKAGES = [
  "core",
  "evidence-intake",
  "evidence-rules",
  "http",
  "notifier",
  "server",
  "sql-store"
]

const DEFINED =
  /\b(counter|gauge|histogram|timerWithBoundaries)\(\s*"((?:attestry|nodejs|process)_[a-z0-9_]+)"/g

/** The names of series that a server may have, by its source. */
export const series = (): ReadonlySet<string> =>
  new Set(
    PACKAGES.flatMap((name) => Repository.pathsUnder(`packages/${name}/src`))
      .flatMap((path) => [...Repository.read(path).matchAll(DEFINED)])
      .flatMap(([, kind, name = ""]) =>
        kind === "counter" || kind === "gauge"
          ? [name]
          : ["_bucket", "_sum", "_count"].map((part) => `${name}${part}`)
      )
  )

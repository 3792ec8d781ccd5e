/**
 * The results of a Snyk scan, from its JSON or its SARIF, as the interface has them: counts and lists by severity.
 *
 * The least severe findings are left out where the lists would be too large; counts stay. Pure.
 */
import * as Json from "../shared/Json.js"
import * as Sarif from "./Sarif.js"

/** The severities of the interface. */
const SEVERITIES = ["high", "medium", "low"] as const
type Severity = (typeof SEVERITIES)[number]

/** The most bytes of the lists of findings. */
export const LIST_BYTES_MAX = 400 * 1_024

/** One finding. */
interface Finding {
  readonly severity: Severity
  readonly id: string
  readonly message: string
  readonly locations?: ReadonlyArray<{ readonly uri: string }>
}

/** Whether a JSON value is the result of a scan by `snyk test --json`. */
export const is = (value: unknown): boolean => {
  const [first] = Array.isArray(value) ? value : [value]
  return Json.isObject(first) && Array.isArray(first.vulnerabilities) && "packageManager" in first
}

const severityOf = (word: unknown): Severity => {
  if (word === "critical" || word === "high" || word === "error") return "high"
  return word === "medium" || word === "warning" ? "medium" : "low"
}

const findingOf = (vulnerability: Json.Fields): Finding => ({
  severity: severityOf(vulnerability.severity),
  id: Json.text(vulnerability.id) ?? "",
  message: Json.text(vulnerability.title) ?? ""
})

const fromJson = (value: unknown): ReadonlyArray<ReadonlyArray<Finding>> =>
  (Array.isArray(value) ? value : [value]).map((scan) => {
    const findings = Json.objects(Json.object(scan).vulnerabilities).map(findingOf)
    // A dependency that is reached in several ways is listed several times.
    return [...new Map(findings.map((finding) => [finding.id, finding])).values()]
  })

const fromSarif = (value: unknown): ReadonlyArray<ReadonlyArray<Finding>> =>
  Json.objects(Json.object(value).runs).map((each) =>
    Sarif.read({ runs: [each] }).results.map(({ level, rule, message, place }) => ({
      severity: severityOf(level),
      id: rule,
      message,
      ...(place === "" ? {} : { locations: [{ uri: place }] })
    }))
  )

const listed = (findings: ReadonlyArray<Finding>, severity: Severity) =>
  findings
    .filter((finding) => finding.severity === severity)
    .map(({ severity: _, ...finding }) => finding)

const resultOf = (findings: ReadonlyArray<Finding>, shown: ReadonlyArray<Severity>): Json.Fields =>
  Object.fromEntries(
    SEVERITIES.flatMap((severity) => {
      const list = listed(findings, severity)
      const count: readonly [string, unknown] = [`${severity}_count`, list.length]
      return shown.includes(severity) ? [count, [severity, list]] : [count]
    })
  )

/** The severities whose lists fit, from the worst. */
const fitting = (scans: ReadonlyArray<ReadonlyArray<Finding>>): ReadonlyArray<Severity> =>
  SEVERITIES.filter((_, at) => {
    const lists = scans.map((findings) =>
      SEVERITIES.slice(0, at + 1).map((each) => listed(findings, each))
    )
    return JSON.stringify(lists).length <= LIST_BYTES_MAX
  })

/** The results as the interface has them. */
export interface SnykResults {
  readonly results: Json.Fields
  readonly counts: { readonly [severity in Severity]: number }
  readonly isTruncated: boolean
}

/** The results of a scan. */
export const read = (value: unknown): SnykResults => {
  const isSarif = Sarif.is(value)
  const scans = isSarif ? fromSarif(value) : fromJson(value)
  const shown = fitting(scans)
  const all = scans.flat()
  const count = (severity: Severity) => listed(all, severity).length
  const log = isSarif ? Sarif.read(value) : undefined
  return {
    results: {
      schema_version: 1,
      tool: { name: log?.tool ?? "Snyk", version: log?.version ?? "" },
      results: scans.map((findings) => resultOf(findings, shown))
    },
    counts: { high: count("high"), medium: count("medium"), low: count("low") },
    isTruncated: shown.length < SEVERITIES.length
  }
}

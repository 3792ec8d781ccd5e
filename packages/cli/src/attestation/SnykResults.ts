/**
 * Reads the results of a Snyk scan, from its JSON or SARIF: counts and lists by severity, as the API has them.
 *
 * If the lists are too large, the least severe findings are omitted; the counts stay complete. Pure.
 */
import * as Json from "../shared/Json.js"
import * as Sarif from "./Sarif.js"

/** The severities of the API. */
const SEVERITIES = ["high", "medium", "low"] as const
type Severity = (typeof SEVERITIES)[number]

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
    // WHY a map: a dependency that is reached in several ways is listed several times.
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

const countOf = (findings: ReadonlyArray<Finding>, severity: Severity): number =>
  findings.filter((finding) => finding.severity === severity).length

const resultOf = (
  findings: ReadonlyArray<Finding>,
  isKept: (finding: Finding) => boolean
): Json.Fields =>
  Object.fromEntries(
    SEVERITIES.flatMap((severity) => [
      [`${severity}_count`, countOf(findings, severity)],
      [
        severity,
        findings
          .filter((finding) => finding.severity === severity && isKept(finding))
          .map(({ severity: _, ...finding }) => finding)
      ]
    ])
  )

const encoder = new TextEncoder()

/** The size of a finding in a list, including the comma. */
const bytesOf = ({ severity: _, ...finding }: Finding): number =>
  encoder.encode(JSON.stringify(finding)).length + 1

/** The findings that fit, worst first. */
const fitting = (findings: ReadonlyArray<Finding>, bytesMax: number): ReadonlySet<Finding> => {
  const ordered = SEVERITIES.flatMap((each) => findings.filter(({ severity }) => severity === each))
  const kept = new Set<Finding>()
  let bytes = 0
  for (const finding of ordered) {
    bytes += bytesOf(finding)
    if (bytes > bytesMax) break
    kept.add(finding)
  }
  return kept
}

/** The results as requests have them. */
export interface SnykResults {
  readonly counts: { readonly [severity in Severity]: number }
  /** The counts, and lists of findings that fit into a number of bytes. */
  readonly results: (bytesMax: number) => {
    readonly value: Json.Fields
    readonly isTruncated: boolean
  }
}

/** The results of a scan. */
export const read = (value: unknown): SnykResults => {
  const log = Sarif.is(value) ? Sarif.read(value) : undefined
  const scans = log === undefined ? fromJson(value) : fromSarif(value)
  const all = scans.flat()
  const count = (severity: Severity) => countOf(all, severity)
  return {
    counts: { high: count("high"), medium: count("medium"), low: count("low") },
    results: (bytesMax) => {
      const kept = fitting(all, bytesMax)
      return {
        value: {
          schema_version: 1,
          tool: { name: log?.tool ?? "Snyk", version: log?.version ?? "" },
          results: scans.map((findings) => resultOf(findings, (finding) => kept.has(finding)))
        },
        isTruncated: kept.size < all.length
      }
    }
  }
}

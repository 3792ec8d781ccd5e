/** Summarizes an attestation's payload in one sentence, and explains why the attestation is compliant or not. */
import * as EvidenceType from "@attestry/core/EvidenceType"
import type { Attestation } from "../shared/Contract.js"
import { itemsOf, member, membersOf, numberOf, sumOf, textOf } from "../shared/JsonValue.js"

type WireType = EvidenceType.WireType

const isBuiltIn = (type: string): type is WireType => Object.hasOwn(RULES, type)

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const junit = (attestation: Attestation): string => {
  const suites = itemsOf(attestation.junit_results)
  const failed = sumOf(suites, "failures") + sumOf(suites, "errors")
  const skipped = sumOf(suites, "skipped")
  return [
    plural(sumOf(suites, "total"), "test"),
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : [])
  ].join(", ")
}

const snyk = (attestation: Attestation): string => {
  const results = itemsOf(member(attestation.processed_snyk_results, "results"))
  const counts = ["high", "medium", "low"].map(
    (severity) => [severity, sumOf(results, `${severity}_count`)] as const
  )
  const found = counts.filter(([, count]) => count > 0)
  return found.length === 0
    ? "no vulnerabilities"
    : `vulnerabilities: ${found.map(([severity, count]) => `${count} ${severity}`).join(", ")}`
}

const sonar = (attestation: Attestation): string => {
  const gate = textOf(member(member(attestation.sonar_results, "qualityGate"), "status"))
  return gate === undefined ? "no quality gate" : `quality gate ${gate}`
}

const jira = (attestation: Attestation): string => {
  const issues = itemsOf(attestation.jira_results)
  const absent = issues.filter((issue) => member(issue, "issue_exists") !== true).length
  return [plural(issues.length, "issue"), ...(absent > 0 ? [`${absent} not found`] : [])].join(", ")
}

const pullRequest = (attestation: Attestation): string => {
  const requests = itemsOf(attestation.pull_requests)
  const approvers = new Set(
    requests.flatMap((request) =>
      itemsOf(member(request, "approvers")).map(
        (approver) => textOf(approver) ?? textOf(member(approver, "username")) ?? ""
      )
    )
  ).size
  const states = new Set(
    requests.flatMap((request) => textOf(member(request, "state"))?.toLowerCase() ?? [])
  )
  return [
    requests.length === 0 ? "no pull request" : plural(requests.length, "pull request"),
    ...(states.size === 1 ? [...states] : []),
    ...(approvers > 0 ? [plural(approvers, "approver")] : [])
  ].join(", ")
}

const sbom = (attestation: Attestation): string => {
  const document = member(attestation.attestation_data, "document")
  const packages = member(document, "package_count")
  const format = textOf(member(attestation.attestation_data, "format"))
  return [
    format ?? "bill of materials",
    ...(typeof packages === "number" ? [plural(packages, "package")] : [])
  ].join(", ")
}

const agentSession = (attestation: Attestation): string => {
  const data = attestation.attestation_data
  const tool = member(data, "tool")
  const named = [textOf(member(tool, "name")) ?? "an agent", textOf(member(tool, "version")) ?? ""]
  const files = itemsOf(member(data, "files_changed")).length
  const count = Math.max(files, numberOf(member(data, "files_changed_count")))
  return [
    named.join(" ").trim(),
    ...[textOf(member(data, "model")) ?? []].flat(),
    plural(count, "file")
  ].join(", ")
}

const decision = (attestation: Attestation): string => {
  const control = textOf(attestation.control) ?? "a control"
  const version = numberOf(attestation.control_version)
  return `${control}${version > 0 ? ` version ${version}` : ""} ${
    attestation.is_compliant ? "holds" : "does not hold"
  }`
}

const custom = (attestation: Attestation): string => {
  const data = attestation.attestation_data
  const fields = [...membersOf(data)].filter(
    ([, value]) => typeof value !== "object" && String(value).length <= 40
  )
  const shown = fields.slice(0, 3).map(([name, value]) => `${name} ${String(value)}`)
  return shown.length === 0 ? described(attestation) : shown.join(", ")
}

const described = (attestation: Attestation): string => textOf(attestation.description) ?? ""

const SENTENCES: { readonly [type in WireType]: (attestation: Attestation) => string } = {
  generic: described,
  junit,
  snyk,
  sonar,
  jira,
  pull_request: pullRequest,
  "system:sbom": sbom,
  "system:agent_session": agentSession,
  "system:decision": decision
}

/** The payload in a few words; empty if only the compliance flag is known. */
export const summaryOf = (attestation: Attestation): string => {
  if (attestation.is_override)
    return `overridden: ${textOf(attestation.reason) ?? "no reason given"}`
  const { attestation_type: type } = attestation
  if (type.startsWith("custom:")) return custom(attestation)
  return (isBuiltIn(type) ? SENTENCES[type] : described)(attestation)
}

/** The built-in types, as responses spell them. */
export const TYPES = EvidenceType.ALL.map(EvidenceType.toWire)

const RULES: {
  readonly [type in WireType]: { readonly compliant: string; readonly failing: string }
} = {
  generic: { compliant: "the reporter said so", failing: "the reporter said so" },
  junit: {
    compliant: "no suite has failures or errors",
    failing: "a suite has failures or errors"
  },
  snyk: { compliant: "every count is 0", failing: "a count is above 0" },
  sonar: {
    compliant: "the quality gate is OK",
    failing: "there is no quality gate with the status OK"
  },
  jira: {
    compliant: "every issue exists",
    failing: "there is no issue, or one of them does not exist"
  },
  pull_request: {
    compliant: "there is a pull request",
    failing: "there is no pull request"
  },
  "system:decision": { compliant: "the decision said so", failing: "the decision said so" },
  "system:sbom": {
    compliant: "no other artifact is its subject",
    failing: "its subject has another digest than the artifact"
  },
  "system:agent_session": {
    compliant: "a session is always compliant",
    failing: "the reporter said so"
  }
}

const ruleOf = (type: string): { readonly compliant: string; readonly failing: string } => {
  if (type.startsWith("custom:"))
    return {
      compliant: "its data pass the schema and the rules of the type",
      failing: "its data do not pass the schema or the rules of the type"
    }
  return RULES[isBuiltIn(type) ? type : "generic"]
}

/** Why an attestation is compliant or not. */
export const reasonOf = ({ attestation_type, is_compliant, is_override }: Attestation): string => {
  const rule = ruleOf(attestation_type)
  const why = is_override ? "a person decided so" : is_compliant ? rule.compliant : rule.failing
  return `Counts as ${is_compliant ? "compliant" : "not compliant"}, because ${why}.`
}

/** Results as a table: column names, and a row for each result. */
export interface ResultTable {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const cellText = (value: unknown): string =>
  value === undefined || value === null ? "" : String(value)

const table = (
  items: ReadonlyArray<unknown>,
  columns: ReadonlyArray<readonly [title: string, path: string]>
): ResultTable | undefined =>
  items.length === 0
    ? undefined
    : {
        columns: columns.map(([title]) => title),
        rows: items.map((item) =>
          columns.map(([, path]) =>
            cellText(path.split(".").reduce((value: unknown, name) => member(value, name), item))
          )
        )
      }

/** The results of an attestation; undefined for types without results. */
export const resultsOf = (attestation: Attestation): ResultTable | undefined => {
  switch (attestation.is_override ? "" : attestation.attestation_type) {
    case "junit":
      return table(itemsOf(attestation.junit_results), [
        ["Suite", "name"],
        ["Total", "total"],
        ["Failed", "failures"],
        ["Errors", "errors"],
        ["Skipped", "skipped"],
        ["Seconds", "duration"]
      ])
    case "snyk":
      return table(itemsOf(member(attestation.processed_snyk_results, "results")), [
        ["High", "high_count"],
        ["Medium", "medium_count"],
        ["Low", "low_count"]
      ])
    case "sonar":
      return table(
        itemsOf(member(member(attestation.sonar_results, "qualityGate"), "conditions")),
        [
          ["Metric", "metric"],
          ["Value", "value"],
          ["Limit", "errorThreshold"],
          ["Status", "status"]
        ]
      )
    case "jira":
      return table(itemsOf(attestation.jira_results), [
        ["Issue", "issue_id"],
        ["Exists", "issue_exists"],
        ["Address", "issue_url"]
      ])
    case "pull_request":
      return table(itemsOf(attestation.pull_requests), [
        ["Pull request", "url"],
        ["State", "state"],
        ["Author", "author"]
      ])
    case "system:agent_session":
      return table(itemsOf(member(attestation.attestation_data, "files_changed")), [
        ["File", "path"],
        ["Added", "added"],
        ["Removed", "removed"]
      ])
    default:
      return undefined
  }
}

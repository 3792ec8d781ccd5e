/**
 * Reads scans of Trivy: vulnerabilities, failed checks of configuration, and secrets. Licences are no findings.
 */
import type { ScanFinding, Severity } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import * as Fields from "./Fields.js"
import * as ImageSubjects from "./ImageSubjects.js"
import * as Instants from "./Instants.js"
import * as ScanContent from "./ScanContent.js"
import * as Severities from "./Severities.js"

/** The members of a result with the scores of one source, by version of CVSS. */
const SCORES = [
  ["V40Score", 4],
  ["V3Score", 3],
  ["V2Score", 2]
] as const

const severityOf = (found: JsonObject): Severity => {
  const scores = Object.values(Fields.object(Fields.member(found, "CVSS"))).flatMap((source) =>
    SCORES.map(([name, version]) => ({ version, score: Fields.member(source, name) }))
  )
  return (
    Severities.fromScores(scores) ??
    Severities.fromWord(Fields.member(found, "Severity")) ??
    "unknown"
  )
}

const findingOf = (found: JsonObject, idMember: string): ScanFinding => ({
  id: Fields.text(Fields.member(found, idMember)) ?? "",
  severity: severityOf(found),
  purl: ScanContent.purlOf(Fields.at(found, "PkgIdentifier", "PURL")),
  fixed_in: Fields.text(Fields.member(found, "FixedVersion")),
  vex: null
})

/** The statuses of checks that were passed, or excepted by a rule. */
const PASSED: ReadonlySet<unknown> = new Set(["PASS", "EXCEPTION"])

/** The findings of one result, and how many were taken away. */
const readResult = (result: JsonObject, part: string) =>
  Either.gen(function* () {
    const list = (name: string) => Fields.list(Fields.member(result, name), `${part}.${name}`)
    const vulnerabilities = yield* list("Vulnerabilities")
    const checks = yield* list("Misconfigurations")
    const secrets = yield* list("Secrets")
    const modified = yield* list("ExperimentalModifiedFindings")
    const statusOf = (check: JsonObject) => Fields.member(check, "Status")
    return {
      findings: [
        ...vulnerabilities.map((found) => findingOf(found, "VulnerabilityID")),
        ...checks
          .filter((check) => !PASSED.has(statusOf(check)))
          .map((found) => findingOf(found, "ID")),
        ...secrets.map((found) => findingOf(found, "RuleID"))
      ],
      suppressed: modified.length + checks.filter((check) => statusOf(check) === "EXCEPTION").length
    }
  })

/** Whether an object is a report of Trivy. */
export const isReport = (input: unknown): input is JsonObject =>
  typeof Fields.member(input, "SchemaVersion") === "number" &&
  typeof Fields.member(input, "ArtifactName") === "string"

/** Reads a report. */
export const report = (
  input: JsonObject
): Either.Either<ScanContent.ScanReading, EvidenceProblem> =>
  Either.gen(function* () {
    const results = yield* Fields.list(Fields.member(input, "Results"), "Results")
    const findings: Array<ScanFinding> = []
    let suppressed = 0
    for (const [index, result] of results.entries()) {
      const read = yield* readResult(result, `Results[${index}]`)
      for (const finding of read.findings) findings.push(finding)
      suppressed += read.suppressed
    }
    const digests = Fields.texts(Fields.at(input, "Metadata", "RepoDigests"))
    return {
      format: { name: "Trivy", version: String(Fields.member(input, "SchemaVersion")) },
      tool: { name: "Trivy", version: Fields.text(Fields.at(input, "Trivy", "Version")) },
      createdAt: Instants.fromText(Fields.member(input, "CreatedAt")),
      databaseAt: null,
      findings,
      suppressed,
      subjects: ImageSubjects.of(digests, Fields.text(Fields.member(input, "ArtifactName")))
    }
  })

/** The JSON of Trivy. */
export const format: JsonFormat = {
  rule: 10,
  name: "Trivy",
  isFormat: isReport,
  read: (input) => Either.flatMap(report(Fields.object(input)), ScanContent.scan)
}

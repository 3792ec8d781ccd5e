/** Reads scans of Grype. Matches that rules or VEX took away are counted as suppressed. */
import type { ScanFinding, Severity } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import * as Fields from "./Fields.js"
import * as ImageSubjects from "./ImageSubjects.js"
import * as Instants from "./Instants.js"
import * as ScanContent from "./ScanContent.js"
import * as Severities from "./Severities.js"

const versionOf = (text: unknown): number =>
  typeof text === "string" && /^\d/.test(text) ? Number(text[0]) : 0

const severityOf = (vulnerability: unknown): Severity => {
  const scores = Fields.objects(Fields.member(vulnerability, "cvss")).map((each) => ({
    version: versionOf(Fields.member(each, "version")),
    score: Fields.at(each, "metrics", "baseScore")
  }))
  return (
    Severities.fromScores(scores) ??
    Severities.fromWord(Fields.member(vulnerability, "severity")) ??
    "unknown"
  )
}

const findingOf = (match: JsonObject): ScanFinding => {
  const vulnerability = Fields.member(match, "vulnerability")
  const versions = Fields.texts(Fields.at(vulnerability, "fix", "versions"))
  return {
    id: Fields.text(Fields.member(vulnerability, "id")) ?? "",
    severity: severityOf(vulnerability),
    purl: ScanContent.purlOf(Fields.at(match, "artifact", "purl")),
    fixed_in: Fields.text(versions.join(", ")),
    vex: null
  }
}

const subjectsOf = (input: JsonObject) => {
  const target = Fields.at(input, "source", "target")
  const digest = Fields.member(target, "manifestDigest")
  const references = Fields.texts(Fields.member(target, "repoDigests"))
  return ImageSubjects.of(
    typeof digest === "string" ? [...references, digest] : references,
    Fields.text(Fields.member(target, "userInput"))
  )
}

/** Whether an object is a report of Grype. */
export const isReport = (input: unknown): input is JsonObject =>
  Array.isArray(Fields.member(input, "matches")) &&
  Fields.member(input, "source") !== undefined &&
  Fields.member(input, "descriptor") !== undefined

/** Reads a report. */
export const report = (
  input: JsonObject
): Either.Either<ScanContent.ScanReading, EvidenceProblem> =>
  Either.gen(function* () {
    const matches = yield* Fields.list(Fields.member(input, "matches"), "matches")
    const ignored = yield* Fields.list(Fields.member(input, "ignoredMatches"), "ignoredMatches")
    const descriptor = Fields.member(input, "descriptor")
    const database = Fields.member(descriptor, "db")
    return {
      format: { name: "Grype", version: null },
      tool: Fields.named(
        Fields.member(descriptor, "name") ?? "grype",
        Fields.member(descriptor, "version")
      ),
      createdAt: Instants.fromText(Fields.member(descriptor, "timestamp")),
      // The member `status` has it since version 6 of the database.
      databaseAt: Instants.fromText(
        Fields.at(database, "status", "built") ?? Fields.member(database, "built")
      ),
      findings: matches.map(findingOf),
      suppressed: ignored.length,
      subjects: subjectsOf(input)
    }
  })

/** The JSON of Grype. */
export const format: JsonFormat = {
  rule: 11,
  name: "Grype",
  isFormat: isReport,
  read: (input) => Either.flatMap(report(Fields.object(input)), ScanContent.scan)
}

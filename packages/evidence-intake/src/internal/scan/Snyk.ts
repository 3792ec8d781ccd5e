/**
 * Reads scans of Snyk: one project, or a list of projects. The applications of an image are projects too.
 *
 * A vulnerability that several paths reach counts once for each project, and the word of Snyk decides, as in the
 * results of `attestry attest snyk`.
 */
import type { ScanFinding } from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as ScanContent from "./ScanContent.js"
import * as Severities from "./Severities.js"

const PROJECT_MEMBERS = ["packageManager", "dependencyCount", "docker"]

const isProject = (input: unknown): boolean =>
  Array.isArray(Fields.member(input, "vulnerabilities")) &&
  Fields.member(input, "ok") !== undefined &&
  PROJECT_MEMBERS.some((name) => Fields.member(input, name) !== undefined)

const findingOf = (vulnerability: JsonObject): ScanFinding => ({
  id: Fields.text(Fields.member(vulnerability, "id")) ?? "",
  // WHY: an org can change a severity in Snyk, and the score stays as it was.
  severity:
    Severities.fromWord(Fields.member(vulnerability, "severity")) ??
    Severities.fromScore(Fields.member(vulnerability, "cvssScore")) ??
    "unknown",
  purl: ScanContent.purlOf(Fields.member(vulnerability, "purl")),
  fixed_in: Fields.text(Fields.texts(Fields.member(vulnerability, "fixedIn")).join(", ")),
  vex: null
})

/** Each vulnerability once, with the highest of its severities. */
const distinct = (vulnerabilities: ReadonlyArray<JsonObject>): ReadonlyArray<ScanFinding> => {
  const findings = new Map<string, ScanFinding>()
  for (const finding of vulnerabilities.map(findingOf)) {
    const known = findings.get(finding.id)
    const severity = Severities.higher(known?.severity ?? "negligible", finding.severity)
    findings.set(finding.id, { ...(known ?? finding), severity })
  }
  return [...findings.values()]
}

/** The projects of a file with the part that names each, applications of images after their image. */
const projectsOf = (input: JsonObject | ReadonlyArray<unknown>) =>
  Either.gen(function* () {
    const isList = Array.isArray(input)
    const top = isList ? yield* Fields.list(input, "the file") : [Fields.object(input)]
    const projects: Array<{ readonly project: JsonObject; readonly part: string }> = []
    for (const [index, project] of top.entries()) {
      const part = isList ? `[${index}].` : ""
      projects.push({ project, part })
      const inner = yield* Fields.list(
        Fields.member(project, "applications"),
        `${part}applications`
      )
      for (const [place, application] of inner.entries())
        projects.push({ project: application, part: `${part}applications[${place}].` })
    }
    return projects
  })

const read = (
  input: JsonObject | ReadonlyArray<unknown>
): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const findings: Array<ScanFinding> = []
    let suppressed = 0
    for (const { project, part } of yield* projectsOf(input)) {
      const vulnerabilities = Fields.member(project, "vulnerabilities")
      if (!Array.isArray(vulnerabilities))
        return yield* Either.left(Fields.unreadable(`\`${part}vulnerabilities\` is not a list`))
      const listed = yield* Fields.list(vulnerabilities, `${part}vulnerabilities`)
      for (const finding of distinct(listed)) findings.push(finding)
      const filtered = Fields.member(project, "filtered")
      for (const name of ["ignore", "patch"])
        suppressed += distinct(Fields.objects(Fields.member(filtered, name))).length
    }
    return yield* ScanContent.snyk({
      format: { name: "Snyk", version: null },
      tool: { name: "Snyk", version: null },
      createdAt: null,
      databaseAt: null,
      findings,
      suppressed,
      subjects: []
    })
  })

/** The JSON of Snyk. */
export const format: JsonFormat = {
  rule: 12,
  name: "Snyk",
  isFormat: (input) => (Array.isArray(input) ? input.some(isProject) : isProject(input)),
  read
}

/**
 * The evidence of releases as lines of CSV: one for each release and requirement, so that the header does not depend
 * on the releases, and a file is written while they are read.
 */
import { printCell } from "../environment-events/EnvironmentEvents.js"
import { printIso } from "../shared/internal/UtcCalendar.js"
import { type Timestamp, toSeconds } from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import type { Release, Requirement, RequirementResult } from "./ReleaseEvidence.js"

/** The columns of a file. */
export const COLUMNS = [
  "deployed_at",
  "deployed_at_iso",
  "environment",
  "snapshot_index",
  "flow",
  "trail",
  "artifact_name",
  "fingerprint",
  "git_commit",
  "compliant",
  "hidden",
  "requirement",
  "type",
  "level",
  "rule",
  "control",
  "state",
  "waivers",
  "attestation_ids",
  "created_by",
  "created_at",
  "log_entries"
] as const

const printLine = (cells: ReadonlyArray<string>): string => `${cells.map(printCell).join(",")}\r\n`

/** The first line of every file, also without releases. */
export const header: string = printLine(COLUMNS)

const ofRelease = (release: Release): ReadonlyArray<string> => [
  String(toSeconds(release.deployed_at)),
  printIso(release.deployed_at),
  release.environment,
  String(release.snapshot_index),
  release.flow_name ?? "",
  release.trail_name ?? "",
  release.artifact_name,
  release.fingerprint,
  release.git_commit ?? "",
  Verdict.toWord(release.verdict),
  release.hidden === true ? "true" : ""
]

const NO_RESULT: ReadonlyArray<string> = COLUMNS.slice(11).map(() => "")

const join = <A>(items: ReadonlyArray<A>, print: (item: A) => string): string =>
  items.map(print).join(";")

const ofResult = (
  { attestations, state, waivers }: RequirementResult,
  { for_control, kind, level, name, rule, type }: Requirement
): ReadonlyArray<string> => [
  name ?? kind,
  type ?? "",
  level ?? "",
  rule === null ? "" : String(rule),
  for_control ?? "",
  state,
  join(waivers, String),
  join(attestations, ({ attestation_id }) => attestation_id),
  join(attestations, ({ created_by }) => created_by),
  join(attestations, ({ created_at }: { readonly created_at: Timestamp }) => printIso(created_at)),
  join(attestations, ({ log_entry }) => log_entry ?? "")
]

/** The lines of a release, line breaks included; one without requirements has one line. */
export const printRelease = (
  release: Release,
  requirementOf: (key: string) => Requirement | undefined
): string => {
  const cells = ofRelease(release)
  const lines = release.results.flatMap((result) => {
    const requirement = requirementOf(result.requirement)
    return requirement === undefined
      ? []
      : [printLine([...cells, ...ofResult(result, requirement)])]
  })
  return lines.length === 0 ? printLine([...cells, ...NO_RESULT]) : lines.join("")
}

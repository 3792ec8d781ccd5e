/**
 * An artifact as a pipeline reports it, and the record of each report. SPEC §2.3
 *
 * This module says which field each constraint of the specification belongs to, and which fields are required.
 */
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { Annotations, ExternalUrls, RepoUrl, UserData } from "../shared/Evidence.js"
import { GitCommitInfo, RepoInfo } from "../shared/GitCommit.js"
import {
  ARTIFACT_NAME_LENGTH_MAX,
  ArtifactId,
  CommitSha,
  FlowId,
  OrgId,
  RepoId,
  SlotName,
  TrailId,
  TrailName
} from "../shared/Identifier.js"
import { optional } from "../shared/OptionalField.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Fingerprint } from "./Fingerprint.js"

/** The name of the artifact in the pipeline. */
export const Filename = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(ARTIFACT_NAME_LENGTH_MAX)
)

/** The fields of a report. */
export const ReportFields = Schema.Struct({
  fingerprint: Fingerprint,
  filename: Filename,
  build_url: Schema.String.pipe(Schema.minLength(1)),
  commit_url: Schema.String.pipe(Schema.minLength(1)),
  git_commit: optional(CommitSha),
  git_commit_info: optional(GitCommitInfo),
  repo_info: optional(RepoInfo),
  repo_url: optional(RepoUrl),
  commits_list: optional(Schema.Array(GitCommitInfo)),
  trail_name: optional(TrailName),
  template_reference_name: optional(SlotName),
  description: optional(Schema.String),
  external_urls: optional(ExternalUrls),
  annotations: optional(Annotations),
  user_data: optional(UserData),
  is_compliant: optional(Schema.Boolean),
  template: optional(Schema.Union(Schema.String, Schema.Array(Schema.String)))
})

/**
 * The body of a report. On a trail it names the trail and the slot; in the old style it names neither.
 * `is_compliant` and `template` belong to the old style and have no effect. Every record has a trail, so that there is
 * one code path. Evidence decides about compliance, not a claim of the report.
 */
export const ArtifactReport = ReportFields.pipe(
  Schema.filter((report) =>
    (report.trail_name === undefined) === (report.template_reference_name === undefined)
      ? undefined
      : {
          path: [report.trail_name === undefined ? "trail_name" : "template_reference_name"],
          message:
            "Field required: `trail_name` and `template_reference_name` go together or are both left out"
        }
  )
).annotations({ identifier: "CreateArtifact" })
/** The body of a report. */
export type ArtifactReport = typeof ReportFields.Type

/** One record: every accepted report that differs from the newest record of its slot adds one. */
export const Artifact = Schema.Struct({
  org_id: OrgId,
  id: ArtifactId,
  flow_id: FlowId,
  trail_id: TrailId,
  /** The position in the org's journal: the record with the higher number is the later. */
  sequence: Schema.Int,
  slot: SlotName,
  fingerprint: Fingerprint,
  report: Schema.typeSchema(ReportFields),
  /** The repository that the report names. */
  repo_id: Schema.NullOr(RepoId),
  created_by: Schema.String,
  created_at: Timestamp
})
/** One record. */
export type Artifact = typeof Artifact.Type

/** The slot of a report that names none. */
export const DEFAULT_SLOT = SlotName.make("artifact")

/** The trail of a report: the one it names, or one named after its commit or fingerprint. */
export const trailName = (report: ArtifactReport): TrailName =>
  report.trail_name ?? TrailName.make(report.git_commit ?? report.fingerprint)

/** The slot of a report. */
export const slotName = (report: ArtifactReport): SlotName =>
  report.template_reference_name ?? DEFAULT_SLOT

/** Whether a report equals the newest record of its slot. DECISIONS.md, "Retried writes converge" */
export const repeats = (report: ArtifactReport, newest: Artifact): boolean =>
  CanonicalJson.equals(report, newest.report)

/** The commit of a report; null without one. */
export const commitOf = (report: ArtifactReport): CommitSha | null =>
  report.git_commit ?? report.git_commit_info?.sha1 ?? null

/** The fields of a record that compliance depends on. */
export const ArtifactFact = Schema.Struct({
  sequence: Schema.Int,
  id: ArtifactId,
  slot: SlotName,
  fingerprint: Fingerprint,
  commit: Schema.NullOr(CommitSha)
})
/** The fields of a record that compliance depends on. */
export type ArtifactFact = typeof ArtifactFact.Type

/** The fields of a record that compliance depends on. */
export const factOf = ({ sequence, id, slot, fingerprint, report }: Artifact): ArtifactFact => ({
  sequence,
  id,
  slot,
  fingerprint,
  commit: commitOf(report)
})

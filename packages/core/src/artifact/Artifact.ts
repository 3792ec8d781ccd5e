/**
 * An artifact as a pipeline reports it, and the record that each report makes. SPEC §2.3
 *
 * Which field each of the specification's constraints belongs to, and which fields are required:
 * DECISION A-34, D1.6.
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
import { Timestamp } from "../shared/Timestamp.js"
import { Fingerprint } from "./Fingerprint.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What a pipeline called the artifact. */
export const Filename = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(ARTIFACT_NAME_LENGTH_MAX)
)

const ReportFields = Schema.Struct({
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
  template: optional(Schema.String)
})

/**
 * What a pipeline reports. On a trail it names the trail and the slot; in the old style it names neither.
 * `is_compliant` and `template` belong to the old style and decide nothing. DECISION D1.6, D1.8
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
/** What a pipeline reports. */
export type ArtifactReport = typeof ReportFields.Type

/** One act of reporting: every accepted report that differs from the newest of its slot makes one. */
export const Artifact = Schema.Struct({
  org_id: OrgId,
  id: ArtifactId,
  flow_id: FlowId,
  trail_id: TrailId,
  /** Place in the org's journal: of two records the one with the higher number is the later. */
  sequence: Schema.Int,
  slot: SlotName,
  fingerprint: Fingerprint,
  report: ReportFields,
  /** The repository that the report named. */
  repo_id: Schema.NullOr(RepoId),
  created_by: Schema.String,
  created_at: Timestamp
})
/** One act of reporting. */
export type Artifact = typeof Artifact.Type

/** The slot of an artifact that was reported without one. DECISION D1.6 */
export const DEFAULT_SLOT = SlotName.make("artifact")

/** The trail a report belongs to: the one it names, or else one named after its commit or content. */
export const trailName = (report: ArtifactReport): TrailName =>
  report.trail_name ?? TrailName.make(report.git_commit ?? report.fingerprint)

/** The slot a report belongs to. */
export const slotName = (report: ArtifactReport): SlotName =>
  report.template_reference_name ?? DEFAULT_SLOT

/** Whether a report says what the newest record of its slot says already. DECISION A-20 */
export const repeats = (report: ArtifactReport, newest: Artifact): boolean =>
  CanonicalJson.equals(report, newest.report)

/** The commit that a report is about, if it says one. */
export const commitOf = (report: ArtifactReport): CommitSha | null =>
  report.git_commit ?? report.git_commit_info?.sha1 ?? null

/** A record as far as evidence depends on it. */
export const ArtifactFact = Schema.Struct({
  sequence: Schema.Int,
  id: ArtifactId,
  slot: SlotName,
  fingerprint: Fingerprint,
  commit: Schema.NullOr(CommitSha)
})
/** A record as far as evidence depends on it. */
export type ArtifactFact = typeof ArtifactFact.Type

/** The facts of a record. */
export const factOf = ({ sequence, id, slot, fingerprint, report }: Artifact): ArtifactFact => ({
  sequence,
  id,
  slot,
  fingerprint,
  commit: commitOf(report)
})

/**
 * The predecessor of an artifact in the same flow and slot, the link to the comparison of their commits, and
 * the lead time.
 *
 * Null without a predecessor, or when the flow does not know it. SPEC §2.6
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Fingerprint } from "../artifact/Fingerprint.js"

/** The predecessor of an artifact in one flow. */
export const DeploymentDiff = Schema.Struct({
  diff_url: Schema.NullOr(Schema.String),
  previous_git_commit: Schema.NullOr(Schema.String),
  previous_git_commit_url: Schema.NullOr(Schema.String),
  previous_fingerprint: Fingerprint,
  previous_artifact_name: Schema.String,
  previous_artifact_compliance_state: Schema.String,
  previous_running: Schema.Boolean,
  previous_trail_name: Schema.String,
  previous_template_reference_name: Schema.String
}).annotations({ identifier: "DeploymentDiff" })
/** The predecessor of an artifact in one flow. */
export type DeploymentDiff = typeof DeploymentDiff.Type

/** One start of a row in an environment, with one of its flow views. */
export interface Start {
  /** Index of the snapshot in which the row started. */
  readonly snapshotIndex: number
  readonly name: string
  readonly fingerprint: Fingerprint
  readonly flow: string
  readonly slot: string
}

const precedes = (left: Start, right: Start): boolean =>
  left.snapshotIndex !== right.snapshotIndex
    ? left.snapshotIndex < right.snapshotIndex
    : left.name !== right.name
      ? left.name > right.name
      : left.fingerprint > right.fingerprint

/**
 * The latest earlier start of another fingerprint in the same flow and slot; of several in one snapshot the
 * first by name. All starts of the environment may be passed. It is the one that was replaced.
 */
export const predecessor = <S extends Start>(
  starts: Iterable<S>,
  current: Start
): Option.Option<S> => {
  let latest: S | undefined
  for (const start of starts) {
    const fits =
      start.snapshotIndex < current.snapshotIndex &&
      start.fingerprint !== current.fingerprint &&
      start.flow === current.flow &&
      start.slot === current.slot
    if (fits && (latest === undefined || precedes(latest, start))) latest = start
  }
  return Option.fromNullable(latest)
}

/** A repository whose provider can compare two commits. */
export interface ComparableRepo {
  readonly url: string
  readonly provider?: string | null | undefined
}

const WEB_URL = /^https?:\/\/[^\s/?#]+[^\s?#]*$/

const comparePath = ({ url, provider }: ComparableRepo): string => {
  const isGitlab =
    provider === undefined || provider === null
      ? /^https?:\/\/([^/]*[.@])?gitlab\./.test(url)
      : provider === "gitlab"
  return isGitlab ? "/-/compare/" : "/compare/"
}

/** The link to the comparison of two commits; null when the repository or a commit is unknown. */
export const diffUrl = (commits: {
  readonly repo: ComparableRepo | null
  readonly previous: string | null
  readonly current: string | null
}): string | null => {
  const { repo, previous, current } = commits
  if (repo === null || previous === null || current === null) return null
  const base = repo.url.replace(/\/+$/, "").replace(/\.git$/, "")
  return WEB_URL.test(base) ? `${base}${comparePath(repo)}${previous}...${current}` : null
}

/**
 * Seconds from the commit to the earliest instance; may be negative, and is null when the commit's time is
 * unknown. 0 would claim a lead time that is not known.
 */
export const commitLeadTime = (
  creationTimestamp: ReadonlyArray<number>,
  committedAt: number | null
): number | null => {
  if (committedAt === null || creationTimestamp.length === 0) return null
  const earliest = creationTimestamp.reduce((first, time) => Math.min(first, time), Infinity)
  return earliest - committedAt
}

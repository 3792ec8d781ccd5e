/**
 * Exposures: each time in which a fingerprint ran in an environment under one name. SPEC §4.3
 *
 * A logical environment has no rows of its own and no exposures. In an archived environment nothing runs since it was
 * archived.
 */
import { type Artifact, commitOf } from "../artifact/Artifact.js"
import { type Fingerprint, type FingerprintPrefix, startsWith } from "../artifact/Fingerprint.js"
import type { ComponentId } from "../component/Component.js"
import type {
  CommitSha,
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  RepoId,
  SlotName,
  TrailName
} from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import type { TimeWindow } from "../shared/TimeWindow.js"
import type { Verdict } from "../shared/Verdict.js"

/** What exposures are asked about: a fingerprint, what a record of it says, or what a bill of materials lists. */
export type ExposureSubject =
  | { readonly _tag: "Content"; readonly prefix: FingerprintPrefix }
  | { readonly _tag: "Commit"; readonly commit: CommitSha }
  | { readonly _tag: "Flow"; readonly flow: FlowId; readonly slot?: SlotName }
  | { readonly _tag: "Repo"; readonly repos: ReadonlyArray<RepoId> }
  | { readonly _tag: "Author"; readonly author: string }
  | { readonly _tag: "Builder"; readonly builder: string }
  | { readonly _tag: "Component"; readonly components: ReadonlyArray<ComponentId> }

/** Which exposures of a subject are listed; they overlap the window. */
export interface ExposureFilter extends TimeWindow {
  readonly environments?: ReadonlyArray<EnvironmentId>
  /** Only what runs now, or only what does not. */
  readonly running?: boolean
  /** Only what records and attestations of these flows say of artifacts. */
  readonly flows?: ReadonlyArray<FlowId>
}

/** A question about exposures. */
export interface ExposureQuery extends ExposureFilter {
  readonly subject: ExposureSubject
}

/** The newest record of the fingerprint that fits the subject. */
export interface ExposedRecord {
  readonly flowName: FlowName
  readonly trailName: TrailName
  readonly commit: CommitSha | null
}

/** One exposure. */
export interface Exposure {
  readonly fingerprint: Fingerprint
  readonly environmentId: EnvironmentId
  /** The current name of the environment. */
  readonly environmentName: EnvironmentName
  /** The name of the row. */
  readonly name: string
  readonly firstIndex: number
  /** The last snapshot that contains it; null while it runs. */
  readonly lastIndex: number | null
  readonly from: Timestamp.Timestamp
  /** When the first snapshot without it was made, or its environment was archived; null while it runs. */
  readonly to: Timestamp.Timestamp | null
  readonly startedVerdict: Verdict
  /** The verdict now, or the last one. */
  readonly verdict: Verdict
  /**
   * The microseconds in which it was not compliant: of a time that lasts until now, the instant of its beginning is
   * subtracted and that of its end is still to be added.
   */
  readonly nonCompliantMicros: number
  readonly record: ExposedRecord | null
  /** Set where no record of the asked flows fits, and one of another flow does. */
  readonly hidden?: true
}

/** All exposures of a question together. */
export interface ExposureSummary {
  /** The number of environments. */
  readonly environments: number
  readonly runningNow: number
  /** The first start; null without exposures. */
  readonly first: Timestamp.Timestamp | null
  readonly totalMicros: number
}

/** Scheme and host of an address: what built an artifact, as far as its record says. Null for another text. */
export const builderOf = (buildUrl: string): string | null =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+/.exec(buildUrl)?.[0] ?? null

/** The most characters of an author or a builder by which records are found. */
export const TRAIT_LENGTH_MAX = 256

/** Whether a record fits the subject. Records say nothing about components. */
export const fits = (subject: ExposureSubject, record: Artifact): boolean => {
  switch (subject._tag) {
    case "Content":
      return startsWith(record.fingerprint, subject.prefix)
    case "Commit":
      return commitOf(record.report) === subject.commit
    case "Flow":
      return (
        record.flow_id === subject.flow &&
        (subject.slot === undefined || record.slot === subject.slot)
      )
    case "Repo":
      return subject.repos.some((repo) => repo === record.repo_id)
    case "Author":
      return record.report.git_commit_info?.author === subject.author
    case "Builder":
      return builderOf(record.report.build_url) === subject.builder
    case "Component":
      return true
  }
}

/** Whether an exposure passes the filter, whatever its records say. It lasts up to its end, which is no part of it. */
export const passes = (filter: ExposureFilter, exposure: Exposure): boolean => {
  const { environments, from, running, to } = filter
  return (
    (environments === undefined || environments.includes(exposure.environmentId)) &&
    (running === undefined || running === (exposure.to === null)) &&
    (to === undefined || exposure.from <= to) &&
    (from === undefined || exposure.to === null || exposure.to > from)
  )
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The order of lists: newest start first. */
export const byNewest = (left: Exposure, right: Exposure): number =>
  right.from - left.from ||
  compare(left.fingerprint, right.fingerprint) ||
  compare(left.environmentId, right.environmentId) ||
  compare(left.name, right.name)

/** How long it lasted, or has lasted until now. */
export const seconds = ({ from, to }: Exposure, now: Timestamp.Timestamp): number =>
  Math.max(0, (to ?? now) - from) / 1_000_000

/** How long of that it was not compliant. */
export const nonCompliantSeconds = (exposure: Exposure, now: Timestamp.Timestamp): number => {
  const { nonCompliantMicros, to, verdict } = exposure
  const open = to === null && verdict === "NonCompliant" ? now : 0
  return Math.max(0, nonCompliantMicros + open) / 1_000_000
}

/** All exposures together. */
export const summarize = (
  exposures: ReadonlyArray<Exposure>,
  now: Timestamp.Timestamp
): ExposureSummary => ({
  environments: new Set(exposures.map(({ environmentId }) => environmentId)).size,
  runningNow: exposures.filter(({ to }) => to === null).length,
  first:
    exposures.length === 0
      ? null
      : Timestamp.fromMicros(Math.min(...exposures.map(({ from }) => from))),
  totalMicros: exposures.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0)
})

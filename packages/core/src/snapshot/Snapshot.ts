/**
 * A snapshot: what ran in an environment from one instant until the next, with a verdict. SPEC §2.6
 *
 * Snapshots never change. `is_latest` and the time of the next one are derived when a snapshot is read
 * (`SnapshotTimeline`), and links are the business of whoever serves it.
 */
import * as Schema from "effect/Schema"
import { byIdentity, keyOf, type RowIdentity, RunningRow } from "../environment/RunningRow.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import { FlowView } from "./FlowView.js"
import { RowDecision } from "./RowDecision.js"
import { SnapshotAnnotation } from "./SnapshotAnnotation.js"
import { SnapshotCounts } from "./SnapshotCounts.js"

/** Something that ran, what was known about it, and what was thought of it. */
export const SnapshotRow = Schema.Struct({
  ...RunningRow.fields,
  verdict: Verdict,
  /** Index of the snapshot in which it last started. */
  started_index: Schema.Int,
  /** What flows knew about it, the primary one first; none means no provenance. */
  flows: Schema.Array(FlowView),
  /** What each policy decided about it, by name; none means that no policy was asked. */
  decisions: Schema.Array(RowDecision)
})
/** Something that ran, and what was thought of it. */
export type SnapshotRow = typeof SnapshotRow.Type

/** What was known about a row, and what was thought of it. */
export type RowJudgement = Pick<SnapshotRow, "verdict" | "started_index" | "flows" | "decisions">

/**
 * A row of what runs and what was thought of it.
 *
 * WHY each member is named: of rows made by spreading, nearly every one has a hidden class of its own in V8,
 * because `pods` has another shape in each, and whoever reads them then pays several times. DECISION B-117
 */
export const judgedRow = (row: RunningRow, judgement: RowJudgement): SnapshotRow => ({
  name: row.name,
  fingerprint: row.fingerprint,
  verdict: judgement.verdict,
  started_index: judgement.started_index,
  flows: judgement.flows,
  decisions: judgement.decisions,
  creationTimestamp: row.creationTimestamp,
  pods: row.pods,
  container_task_context: row.container_task_context,
  serverless_run_context: row.serverless_run_context,
  cloudx_app_context: row.cloudx_app_context
})

/** A row as a snapshot lists it: with what changed about it. */
export const ListedRow = Schema.Struct({ ...SnapshotRow.fields, annotation: SnapshotAnnotation })
/** A row as a snapshot lists it. */
export type ListedRow = typeof ListedRow.Type

/** A version of a policy that a snapshot was judged by; the implicit policy has version 0. */
export const JudgingPolicy = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  version: Schema.Int,
  /**
   * Fingerprints of the rows that it says no to, sorted; only of logical environments, whose rows hold
   * the decisions of their members.
   */
  failing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
})
/** A version of a policy that a snapshot was judged by. */
export type JudgingPolicy = typeof JudgingPolicy.Type

const head = {
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  counts: SnapshotCounts,
  /** The policies that judged it, by name. */
  policies: Schema.Array(JudgingPolicy)
}

/** A snapshot without its rows. */
export const SnapshotHead = Schema.Struct(head)
/** A snapshot without its rows. */
export type SnapshotHead = typeof SnapshotHead.Type

/** A member of a logical environment, and the snapshot of it that counts. */
export const SnapshotMember = Schema.Struct({ environment_id: EnvironmentId, index: Schema.Int })
/** A member of a logical environment, and the snapshot of it that counts. */
export type SnapshotMember = typeof SnapshotMember.Type

/** A snapshot; running rows come first, in the order of snapshots, then the ones that just exited. */
export const Snapshot = Schema.Struct({
  org_id: OrgId,
  environment_id: EnvironmentId,
  ...head,
  rows: Schema.Array(ListedRow),
  /** What a logical environment consists of, whose rows are those of its members; null otherwise. */
  members: Schema.NullOr(Schema.Array(SnapshotMember)),
  /** When the next snapshot was made; null while this is the latest. */
  next_timestamp: Schema.NullOr(Timestamp)
})
/** A snapshot. */
export type Snapshot = typeof Snapshot.Type

/** What changed about one row. */
export interface RowEvent extends RowIdentity {
  readonly annotation: SnapshotAnnotation
  /** Whether its content was not running before under any name. */
  readonly arrived: boolean
}

/** How rows must be rewritten so that the next snapshot says what runs: all others simply go on. */
export interface RowChanges {
  /** Rows that no longer run, or that run on with other content. */
  readonly ended: ReadonlyArray<RowIdentity>
  /** Rows that have started, or that run on with other content. */
  readonly begun: ReadonlyArray<SnapshotRow>
}

/** The rewriting from one set of running rows to the next. */
export const rowChanges = (
  before: ReadonlyArray<SnapshotRow>,
  after: ReadonlyArray<SnapshotRow>
): RowChanges => {
  // WHY first by identity: most rows go on as they are, and then are the very same.
  const [old, next] = [new Set(before), new Set(after)]
  const ending = before.filter((row) => !next.has(row))
  const beginning = new Map(
    after.filter((row) => !old.has(row)).map((row) => [keyOf(row), row] as const)
  )
  const ended = ending.filter((row) => {
    const other = beginning.get(keyOf(row))
    if (other === undefined || !CanonicalJson.equals(row, other)) return true
    beginning.delete(keyOf(row))
    return false
  })
  return {
    // WHY sorted: stores give rows in any order, and the journal keeps this as bytes.
    ended: ended.map(({ name, fingerprint }) => ({ name, fingerprint })).sort(byIdentity),
    begun: [...beginning.values()]
  }
}

/** The expression is well formed and means a snapshot that does not exist. */
export class SnapshotNotFound extends Schema.TaggedError<SnapshotNotFound>()("SnapshotNotFound", {
  org: OrgName,
  environment: EnvironmentName,
  expression: Schema.String,
  /** The snapshot as the caller wrote it, where that is known. */
  asked: Schema.optionalWith(Schema.String, { exact: true }),
  /** The index that the expression came to; 0 for an instant before the first snapshot. */
  index: Schema.Int,
  latestIndex: Schema.Int
}) {
  override get message(): string {
    return `no snapshot \`${this.expression}\` in environment \`${this.environment}\``
  }
}

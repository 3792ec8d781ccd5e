/**
 * A snapshot: the artifacts that run in an environment from one instant until the next, with a verdict. SPEC §2.6
 *
 * Snapshots never change. `is_latest` and the time of the next one are derived at the read (`SnapshotTimeline`); the
 * edge adds links.
 */
import * as Schema from "effect/Schema"
import {
  byIdentity,
  byNewest,
  keyOf,
  type RowIdentity,
  RunningRow
} from "../environment/RunningRow.js"
import { SnapshotReason } from "../environment/Silence.js"
import { warningField } from "../policy/PolicyMode.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Verdict } from "../shared/Verdict.js"
import { FlowView } from "./FlowView.js"
import { RowDecision } from "./RowDecision.js"
import { SnapshotAnnotation } from "./SnapshotAnnotation.js"
import { SnapshotCounts } from "./SnapshotCounts.js"

/** A row: a running artifact with its provenance and its verdict. */
export const SnapshotRow = Schema.Struct({
  ...RunningRow.fields,
  verdict: Verdict,
  /** The index of the snapshot in which it last started. */
  started_index: Schema.Int,
  /** The flow views, the primary one first; empty without provenance. */
  flows: Schema.Array(FlowView),
  /** The decision of each policy, by name; empty without policies. */
  decisions: Schema.Array(RowDecision)
})
/** A row: a running artifact with its provenance and its verdict. */
export type SnapshotRow = typeof SnapshotRow.Type

/** The provenance and the verdict of a row. */
export type RowEvaluatement = Pick<SnapshotRow, "verdict" | "started_index" | "flows" | "decisions">

/**
 * A running row with its provenance and its verdict.
 *
 * WHY each member is named: `pods` has another shape in each row, so spreading would give nearly every row a
 * hidden class of its own in V8, and readers would be several times slower.
 */
export const evaluatedRow = (row: RunningRow, evaluatement: RowEvaluatement): SnapshotRow => ({
  name: row.name,
  fingerprint: row.fingerprint,
  verdict: evaluatement.verdict,
  started_index: evaluatement.started_index,
  flows: evaluatement.flows,
  decisions: evaluatement.decisions,
  creationTimestamp: row.creationTimestamp,
  pods: row.pods,
  container_task_context: row.container_task_context,
  serverless_run_context: row.serverless_run_context,
  cloudx_app_context: row.cloudx_app_context
})

/** A row in the list of a snapshot, with its annotation. */
export const ListedRow = Schema.Struct({ ...SnapshotRow.fields, annotation: SnapshotAnnotation })
/** A row in the list of a snapshot. */
export type ListedRow = typeof ListedRow.Type

/** A version of a policy that evaluated a snapshot; the implicit policy has version 0. */
export const EvaluatingPolicy = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  version: Schema.Int,
  /**
   * Fingerprints of the rows that it fails, sorted; only for logical environments, whose rows have the
   * decisions of their members.
   */
  failing: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Only for a policy that warns. */
  ...warningField
})
/** A version of a policy that evaluated a snapshot. */
export type EvaluatingPolicy = typeof EvaluatingPolicy.Type

const head = {
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  counts: SnapshotCounts,
  /** The policies that evaluated it, by name. */
  policies: Schema.Array(EvaluatingPolicy),
  /** The reasons for its verdict that are about no row; absent without one. */
  reasons: Schema.optionalWith(Schema.Array(SnapshotReason), { exact: true })
}

/** A snapshot without its rows. */
export const SnapshotHead = Schema.Struct(head)
/** A snapshot without its rows. */
export type SnapshotHead = typeof SnapshotHead.Type

/** A member of a logical environment, and the index of its snapshot. */
export const SnapshotMember = Schema.Struct({ environment_id: EnvironmentId, index: Schema.Int })
/** A member of a logical environment, and the index of its snapshot. */
export type SnapshotMember = typeof SnapshotMember.Type

/** A snapshot; running rows come first, in the order of snapshots, then those that exited in it. */
export const Snapshot = Schema.Struct({
  org_id: OrgId,
  environment_id: EnvironmentId,
  ...head,
  rows: Schema.Array(ListedRow),
  /** The members of a logical environment, whose rows are the members'; null for a physical one. */
  members: Schema.NullOr(Schema.Array(SnapshotMember)),
  /** The instant of the next snapshot; null for the latest. */
  next_timestamp: Schema.NullOr(Timestamp)
})
/** A snapshot. */
export type Snapshot = typeof Snapshot.Type

/** Rows of a snapshot with the same verdict and the same decisions, which all run, or all have just exited. */
export interface RowGroup extends Pick<SnapshotRow, "verdict" | "decisions"> {
  readonly isExited: boolean
  readonly rows: number
}

/** One page of the rows of a snapshot by their identities, and all of its rows in groups. */
export interface GroupedRows {
  readonly page: ReadonlyArray<RowIdentity>
  readonly groups: ReadonlyArray<RowGroup>
}

/** The event of one row. */
export interface RowEvent extends RowIdentity {
  readonly annotation: SnapshotAnnotation
  /** Whether its fingerprint did not run before under any name. */
  readonly arrived: boolean
}

/** The changes from the rows of one snapshot to the next; all other rows continue. */
export interface RowChanges {
  /** Rows that no longer run, or that continue with other content. */
  readonly ended: ReadonlyArray<RowIdentity>
  /** Rows that have started, or that continue with other content. */
  readonly begun: ReadonlyArray<SnapshotRow>
}

/** The changes from one set of running rows to the next. */
export const rowChanges = (
  before: ReadonlyArray<SnapshotRow>,
  after: ReadonlyArray<SnapshotRow>
): RowChanges => {
  // WHY first by identity: most rows continue as the same objects.
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
    // WHY sorted: stores return rows in any order, and the journal stores this as bytes.
    ended: ended.map(({ name, fingerprint }) => ({ name, fingerprint })).sort(byIdentity),
    begun: [...beginning.values()]
  }
}

/** The canonical text of some changes, whose digest the journal has: it is the same on every store. */
export const printChanges = ({ ended, begun }: RowChanges): string =>
  CanonicalJson.print({ begun: [...begun].sort(byIdentity), ended: [...ended].sort(byIdentity) })

/** The running rows after some changes, in the order of snapshots. */
export const applyChanges = (
  running: ReadonlyArray<SnapshotRow>,
  { ended, begun }: RowChanges
): ReadonlyArray<SnapshotRow> => {
  const keys = new Set(ended.map(keyOf))
  // WHY first by fingerprint: it needs no key for the many rows that continue.
  const fingerprints = new Set<string>(ended.map(({ fingerprint }) => fingerprint))
  const continues = (row: SnapshotRow) =>
    !fingerprints.has(row.fingerprint) || !keys.has(keyOf(row))
  return [...running.filter(continues), ...begun].sort(byNewest)
}

/** The expression is valid and means a snapshot that does not exist. */
export class SnapshotNotFound extends Schema.TaggedError<SnapshotNotFound>()("SnapshotNotFound", {
  org: OrgName,
  environment: EnvironmentName,
  expression: Schema.String,
  /** The text of the caller, where it is known. */
  asked: Schema.optionalWith(Schema.String, { exact: true }),
  /** The index of the expression; 0 for an instant before the first snapshot. */
  index: Schema.Int,
  latestIndex: Schema.Int
}) {
  override get message(): string {
    return `no snapshot \`${this.expression}\` in environment \`${this.environment}\``
  }
}

/** The snapshot exists and lists no such row. */
export class SnapshotRowNotFound extends Schema.TaggedError<SnapshotRowNotFound>()(
  "SnapshotRowNotFound",
  {
    environment: EnvironmentName,
    index: Schema.Int,
    name: Schema.String,
    fingerprint: Schema.String
  }
) {
  override get message(): string {
    return `snapshot ${this.index} of environment \`${this.environment}\` has no row with this name and fingerprint`
  }
}

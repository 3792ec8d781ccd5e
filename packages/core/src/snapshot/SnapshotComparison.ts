/**
 * The difference of two snapshots, of one environment or of two.
 *
 * Only running rows are compared, by name and fingerprint; a row is changed when its number of instances
 * differs. Verdicts and provenance are not compared: `SnapshotDiff` does that for reports.
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { byIdentity, keyOf, type Pods, type RowIdentity } from "../environment/RunningRow.js"
import { hiddenField, type MaybeHidden } from "../shared/Hidden.js"

const count = Schema.optionalWith(Schema.Int, { exact: true })

/** One row of a comparison; its list decides which counts it has. */
export const ComparedArtifact = Schema.Struct({
  fingerprint: ReportedFingerprint,
  name: Schema.String,
  most_recent_timestamp: Schema.Number,
  flow: Schema.String,
  commit_url: Schema.String,
  instance_count: count,
  s1_instance_count: count,
  s2_instance_count: count,
  pods: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Only where the flow is one that the caller may not read. */
  ...hiddenField
}).annotations({ identifier: "ComparedArtifact" })
/** One row of a comparison. */
export type ComparedArtifact = typeof ComparedArtifact.Type

const Artifacts = Schema.Struct({ artifacts: Schema.Array(ComparedArtifact) })

const Side = Schema.Struct({ snapshot_id: Schema.String, ...Artifacts.fields })

/** Two snapshots side by side: what runs in one only, and what runs in both. */
export const SnapshotComparison = Schema.Struct({
  snappish1: Side,
  snappish2: Side,
  changed: Artifacts,
  "not-changed": Artifacts
}).annotations({ identifier: "SnapshotComparison" })
/** Two snapshots side by side. */
export type SnapshotComparison = typeof SnapshotComparison.Type

/** The fields of a running row that a comparison needs. */
export interface ComparableRow extends RowIdentity, MaybeHidden {
  readonly creationTimestamp: ReadonlyArray<number>
  readonly flow_name: string | null
  readonly commit_url: string | null
  readonly pods: Pods | null
}

/** One side of a comparison. */
export interface ComparableSnapshot {
  readonly environment: string
  readonly index: number
  readonly running: ReadonlyArray<ComparableRow>
}

interface Merged extends ComparableRow {
  readonly podNames: ReadonlySet<string> | undefined
}

const podNamesOf = ({ pods }: ComparableRow): ReadonlySet<string> | undefined =>
  pods === null ? undefined : new Set(Object.keys(pods))

const merge = (left: Merged, right: Merged): Merged => ({
  ...left,
  creationTimestamp: [...left.creationTimestamp, ...right.creationTimestamp],
  podNames:
    left.podNames === undefined || right.podNames === undefined
      ? (left.podNames ?? right.podNames)
      : new Set([...left.podNames, ...right.podNames])
})

// WHY a sum: a logical environment lists each member's rows, so one name and fingerprint may occur twice.
const byKey = (running: ReadonlyArray<ComparableRow>): ReadonlyMap<string, Merged> => {
  const merged = new Map<string, Merged>()
  for (const row of running) {
    const key = keyOf(row)
    const next = { ...row, podNames: podNamesOf(row) }
    const same = merged.get(key)
    merged.set(key, same === undefined ? next : merge(same, next))
  }
  return merged
}

const newest = (times: ReadonlyArray<number>): number =>
  times.reduce((latest, time) => Math.max(latest, time), times[0] ?? 0)

const artifactOf = (
  row: Merged,
  counts: Pick<ComparedArtifact, "instance_count" | "s1_instance_count" | "s2_instance_count">,
  times: ReadonlyArray<number> = row.creationTimestamp
): ComparedArtifact => ({
  fingerprint: row.fingerprint,
  name: row.name,
  most_recent_timestamp: newest(times),
  flow: row.flow_name ?? "",
  commit_url: row.commit_url ?? "",
  ...counts,
  ...(row.podNames === undefined ? {} : { pods: Array.from(row.podNames).sort() }),
  ...(row.hidden === undefined ? {} : { hidden: row.hidden })
})

const onlyIn = (rows: ReadonlyMap<string, Merged>, other: ReadonlyMap<string, Merged>) =>
  Array.from(rows)
    .filter(([key]) => !other.has(key))
    .map(([, row]) => artifactOf(row, { instance_count: row.creationTimestamp.length }))
    .sort(byIdentity)

/** Compares two snapshots. A row of both is shown as in the second one, with the most recent instance of either. */
export const compare = (
  first: ComparableSnapshot,
  second: ComparableSnapshot
): SnapshotComparison => {
  const [one, two] = [byKey(first.running), byKey(second.running)]
  const changed: Array<ComparedArtifact> = []
  const same: Array<ComparedArtifact> = []
  for (const [key, row] of two) {
    const before = one.get(key)
    if (before === undefined) continue
    const [was, now] = [before.creationTimestamp.length, row.creationTimestamp.length]
    const times = [newest(before.creationTimestamp), newest(row.creationTimestamp)]
    if (was === now) same.push(artifactOf(row, { instance_count: now }, times))
    else changed.push(artifactOf(row, { s1_instance_count: was, s2_instance_count: now }, times))
  }
  const idOf = ({ environment, index }: ComparableSnapshot) => `${environment}#${index}`
  return {
    snappish1: { snapshot_id: idOf(first), artifacts: onlyIn(one, two) },
    snappish2: { snapshot_id: idOf(second), artifacts: onlyIn(two, one) },
    changed: { artifacts: changed.sort(byIdentity) },
    "not-changed": { artifacts: same.sort(byIdentity) }
  }
}

/**
 * Histories of one environment's snapshots: each to append, and as it must be read back.
 *
 * Rows start, stop, and continue with other content or with an annotation only. There are enough changes for a
 * store that groups snapshots to begin several groups. Expected results are whole lists of rows.
 */

import type { ReportedFingerprint } from "@attestry/core/Fingerprint"
import type { FlowView } from "@attestry/core/FlowView"
import { ArtifactId, FlowId, SlotName, TrailId, TrailName } from "@attestry/core/Identifier"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import type { RowDecision } from "@attestry/core/RowDecision"
import { byNewest, keyOf, type RowContext, type RowIdentity } from "@attestry/core/RunningRow"
import type { ListedRow, SnapshotHead, SnapshotRow } from "@attestry/core/Snapshot"
import type { AnnotationType, SnapshotAnnotation } from "@attestry/core/SnapshotAnnotation"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import * as FastCheck from "effect/FastCheck"
import { text } from "./arbitrary/Text.js"
import * as Reports from "./EnvironmentReport.js"

/** A snapshot to append, and what must be read afterwards. */
export interface AppendedSnapshot {
  readonly draft: SnapshotDraft
  /** The running rows, in any order. */
  readonly running: ReadonlyArray<SnapshotRow>
  /** The rows of the snapshot: running ones, then exited ones, each newest first. */
  readonly rows: ReadonlyArray<ListedRow>
}

type Content = Omit<SnapshotRow, keyof RowIdentity>

const nowhere: RowContext = {
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
}

const pods = FastCheck.array(
  FastCheck.tuple(
    FastCheck.constantFrom("pod-1", "__proto__"),
    FastCheck.record({
      namespace: text,
      creationTimestamp: Reports.creationTimestamp,
      owners: FastCheck.constant([])
    })
  ),
  { maxLength: 2 }
).map((named) => Object.fromEntries(named))

const context: FastCheck.Arbitrary<RowContext> = FastCheck.oneof(
  FastCheck.constant(nowhere),
  pods.map((named) => ({ ...nowhere, pods: named })),
  text.map((task_arn) => ({
    ...nowhere,
    container_task_context: { task_arn, cluster_name: null, service_name: task_arn }
  }))
)

const verdict = FastCheck.constantFrom<Array<Verdict>>("Compliant", "NonCompliant", "Unknown")

const flowView: FastCheck.Arbitrary<FlowView> = FastCheck.record({
  flow_id: FastCheck.constantFrom("flow-1", "flow-2").map((id) => FlowId.make(id)),
  trail_id: FastCheck.constant(TrailId.make("trail-1")),
  trail_name: FastCheck.constant(TrailName.make("run-1")),
  slot: FastCheck.constantFrom("backend", "web").map((slot) => SlotName.make(slot)),
  artifact_id: FastCheck.constant(ArtifactId.make("artifact-1")),
  status: FastCheck.constantFrom("COMPLIANT", "INCOMPLETE"),
  reasons: FastCheck.constant([]),
  git_commit: FastCheck.option(text, { nil: null }),
  commit_url: FastCheck.option(text, { nil: null }),
  git_commit_info: FastCheck.constant(null),
  repo: FastCheck.constantFrom(null, {
    name: "shop",
    url: "https://git.test/shop",
    provider: null
  }),
  first_reported_at: FastCheck.constant(Timestamp.fromMicros(1_700_000_000_000_000)),
  previous: FastCheck.constant(null)
})

const decision: FastCheck.Arbitrary<RowDecision> = FastCheck.record({
  policy_id: FastCheck.constant("policy-1"),
  policy_name: FastCheck.constant("needs-provenance"),
  version: FastCheck.integer({ min: 1, max: 2 }),
  status: FastCheck.constantFrom("COMPLIANT", "NON-COMPLIANT"),
  outcomes: FastCheck.constantFrom<Array<RowDecision["outcomes"]>>(
    [],
    [["rule_satisfied"], ["rule_not_applicable", "missing_attestation"]]
  )
})

const content: FastCheck.Arbitrary<Content> = FastCheck.tuple(
  FastCheck.array(Reports.creationTimestamp, { minLength: 1, maxLength: 3 }),
  verdict,
  context,
  FastCheck.array(flowView, { maxLength: 1 }),
  FastCheck.array(decision, { maxLength: 1 })
).map(([times, evaluated, where, flows, decisions]) => ({
  creationTimestamp: [...times].sort((left, right) => left - right),
  verdict: evaluated,
  started_index: 1,
  flows,
  decisions,
  ...where
}))

const FINGERPRINTS: ReadonlyArray<ReportedFingerprint> = [...Reports.fingerprints, ""]

/** Forty rows: ten names, each with three fingerprints and without one. */
const identity: FastCheck.Arbitrary<RowIdentity> = FastCheck.nat(39).map((number) => ({
  name: number % 10 === 0 ? "__proto__" : `app ${number % 10}`,
  fingerprint: FINGERPRINTS[Math.floor(number / 10)] ?? ""
}))

interface Change {
  readonly identity: RowIdentity
  readonly content: Content
  /** The change of a running row; a row that does not run starts. */
  readonly action: "stop" | "rewrite" | "remark"
  /** The annotation of a row that continues. */
  readonly word: Exclude<AnnotationType, `started-${string}` | "exited">
}

const change: FastCheck.Arbitrary<Change> = FastCheck.record({
  identity,
  content,
  action: FastCheck.constantFrom("stop" as const, "rewrite" as const, "remark" as const),
  word: FastCheck.constantFrom(
    "became-compliant" as const,
    "became-non-compliant" as const,
    "scaled" as const,
    "updated-provenance" as const,
    "changed" as const,
    "unchanged" as const
  )
})

const step = FastCheck.record({
  changes: FastCheck.uniqueArray(change, {
    selector: (one) => keyOf(one.identity),
    maxLength: 7,
    size: "max"
  }),
  gap: FastCheck.constantFrom(1, 1_000_000, 3_600_000_000),
  verdict
})

const STARTED = {
  Compliant: "started-compliant",
  NonCompliant: "started-non-compliant",
  Unknown: "started-unknown"
} as const

const steady = (before: SnapshotRow, after: SnapshotRow): SnapshotAnnotation => ({
  type: "unchanged",
  was: before.creationTimestamp.length,
  now: after.creationTimestamp.length
})

interface Step {
  readonly changes: ReadonlyArray<Change>
  readonly gap: number
  readonly verdict: Verdict
}

const annotationOf = (
  before: SnapshotRow | undefined,
  after: SnapshotRow | undefined,
  word: Change["word"]
): SnapshotAnnotation => ({
  type: after === undefined ? "exited" : before === undefined ? STARTED[after.verdict] : word,
  was: before?.creationTimestamp.length ?? 0,
  now: after?.creationTimestamp.length ?? 0
})

const afterOf = (
  before: SnapshotRow | undefined,
  { action, content: next, identity: row }: Change
): SnapshotRow | undefined => {
  if (before === undefined || action === "rewrite") return { ...row, ...next }
  return action === "stop" ? undefined : before
}

/** One more snapshot. */
const append = (
  before: ReadonlyArray<SnapshotRow>,
  { changes }: Pick<Step, "changes">,
  head: Pick<SnapshotHead, "index" | "timestamp" | "verdict">
): AppendedSnapshot => {
  const old = new Map(before.map((row) => [keyOf(row), row]))
  const rewritings = changes.map((one) => {
    const was = old.get(keyOf(one.identity))
    const now = afterOf(was, one)
    return { row: one.identity, was, now, annotation: annotationOf(was, now, one.word) }
  })
  const touched = new Map(rewritings.map((one) => [keyOf(one.row), one]))
  const running = [
    ...before.filter((row) => !touched.has(keyOf(row))),
    ...rewritings.flatMap(({ now }) => now ?? [])
  ]
  const events = rewritings.filter(({ annotation }) => annotation.type !== "unchanged")
  const words = new Map(events.map(({ row, annotation }) => [keyOf(row), annotation]))
  const listed = (row: SnapshotRow): ListedRow => ({
    ...row,
    annotation: words.get(keyOf(row)) ?? steady(old.get(keyOf(row)) ?? row, row)
  })
  const exited = rewritings.flatMap(({ was, now }) => (now === undefined && was ? [was] : []))
  return {
    draft: {
      ...head,
      counts: SnapshotCounts.count(running),
      policies:
        head.index % 2 === 0 ? [] : [{ id: "policy-1", name: "needs-provenance", version: 1 }],
      ended: rewritings.filter(({ was, now }) => was && was !== now).map(({ row }) => row),
      begun: rewritings.flatMap(({ was, now }) => (now && was !== now ? [now] : [])),
      events: events.map(({ row, annotation }) => ({
        ...row,
        annotation,
        arrived: annotation.was === 0
      })),
      evaluated_all: head.index % 2 === 1,
      semantics: SEMANTICS
    },
    running,
    rows: [...[...running].sort(byNewest), ...exited.sort(byNewest)].map(listed)
  }
}

/** A history of so many snapshots. */
export const snapshotHistory = (
  length: number
): FastCheck.Arbitrary<ReadonlyArray<AppendedSnapshot>> =>
  FastCheck.array(step, { minLength: length, maxLength: length, size: "max" }).map((steps) => {
    const history: Array<AppendedSnapshot> = []
    let timestamp = Timestamp.fromMicros(1_790_000_000_000_000)
    for (const [at, next] of steps.entries()) {
      timestamp = Timestamp.fromMicros(timestamp + next.gap)
      const head = { index: at + 1, timestamp, verdict: next.verdict }
      history.push(append(history.at(-1)?.running ?? [], next, head))
    }
    return history
  })

/** Six rows: three fingerprints under two names. */
const FEW: ReadonlyArray<RowIdentity> = Reports.fingerprints.flatMap((fingerprint) => [
  { name: "app", fingerprint },
  { name: "web", fingerprint }
])

/**
 * A history of so many snapshots in which few fingerprints often start, exit, change names and change content.
 */
export const restlessHistory = (
  length: number
): FastCheck.Arbitrary<ReadonlyArray<AppendedSnapshot>> =>
  FastCheck.array(
    FastCheck.record({
      running: FastCheck.subarray([...FEW]),
      rewritten: FastCheck.subarray([...FEW]),
      content
    }),
    { minLength: length, maxLength: length, size: "max" }
  ).map((steps) => {
    const history: Array<AppendedSnapshot> = []
    for (const [at, next] of steps.entries()) {
      const before = history.at(-1)?.running ?? []
      const runs = new Set(before.map(keyOf))
      const changes = FEW.filter(
        (row) => runs.has(keyOf(row)) !== next.running.includes(row) || next.rewritten.includes(row)
      )
        .filter((row) => runs.has(keyOf(row)) || next.running.includes(row))
        .map(
          (row): Change => ({
            identity: row,
            content: next.content,
            action: next.running.includes(row) ? "rewrite" : "stop",
            word: "changed"
          })
        )
      const timestamp = Timestamp.fromMicros(1_790_000_000_000_000 + at)
      const head = { index: at + 1, timestamp, verdict: "Unknown" as const }
      history.push(append(before, { changes }, head))
    }
    return history
  })

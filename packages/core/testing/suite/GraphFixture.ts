/** Histories for tests of graphs: what runs in each snapshot, as drafts, and what a plain fold makes of them. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { Flow } from "@attestry/core/Flow"
import type { FlowView } from "@attestry/core/FlowView"
import type { FoundEdge } from "@attestry/core/Graph"
import { ArtifactId, SlotName, TrailId, TrailName } from "@attestry/core/Identifier"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import { byIdentity, keyOf } from "@attestry/core/RunningRow"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Fixture from "../Fixture.js"

/** A fingerprint by its letter. */
export const print = (letter: string): Fingerprint => Fingerprint.make(letter.repeat(64))

/** The slot of every record. */
export const SLOT = SlotName.make("backend")

/** A row that runs, by its name and its fingerprint. */
export interface Run {
  readonly name: string
  readonly fingerprint: Fingerprint
}

/** What runs in each snapshot. */
export type Runs = ReadonlyArray<ReadonlyArray<Run>>

/** The instant of the snapshot of an index. */
export const instantOf = (index: number): Timestamp.Timestamp =>
  Timestamp.fromMicros(1_790_000_000_000_000 + index * 1_000_000)

const viewOf = ({ id }: Flow): FlowView => ({
  flow_id: id,
  trail_id: TrailId.make("trail-1"),
  trail_name: TrailName.make("run-1"),
  slot: SLOT,
  artifact_id: ArtifactId.make("artifact-1"),
  status: "COMPLIANT",
  reasons: [],
  git_commit: null,
  commit_url: null,
  git_commit_info: null,
  repo: null,
  first_reported_at: Fixture.AT,
  previous: null
})

const rowOf = (flow: Flow, run: Run, started_index: number): SnapshotRow => ({
  ...run,
  started_index,
  verdict: "Compliant",
  flows: [viewOf(flow)],
  decisions: [],
  creationTimestamp: [1],
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

const added = (before: ReadonlyArray<Run>, after: ReadonlyArray<Run>): ReadonlyArray<Run> => {
  const had = new Set(before.map(keyOf))
  return after.filter((run) => !had.has(keyOf(run)))
}

/** The snapshots of runs; every row is of one place of the flow. */
export const drafts = (flow: Flow, runs: Runs): ReadonlyArray<SnapshotDraft> =>
  runs.map((running, at) => {
    const before = runs[at - 1] ?? []
    const index = at + 1
    const [begun, ended] = [added(before, running), added(running, before)]
    const ran = new Set(before.map(({ fingerprint }) => fingerprint))
    return {
      index,
      timestamp: instantOf(index),
      verdict: "Compliant",
      counts: { true: running.length, false: 0, null: 0 },
      policies: [],
      ended,
      begun: begun.map((run) => rowOf(flow, run, index)),
      events: [
        ...ended.map((run) => ({
          name: run.name,
          fingerprint: run.fingerprint,
          arrived: false,
          annotation: { type: "exited" as const, was: 1, now: 0 }
        })),
        ...begun.map((run) => ({
          name: run.name,
          fingerprint: run.fingerprint,
          arrived: !ran.has(run.fingerprint),
          annotation: { type: "started-compliant" as const, was: 0, now: 1 }
        }))
      ],
      evaluated_all: true,
      semantics: SEMANTICS
    }
  })

interface Start extends Run {
  readonly index: number
}

const startsOf = (runs: Runs): ReadonlyArray<Start> =>
  runs.flatMap((running, at) =>
    added(runs[at - 1] ?? [], running).map((run) => ({ ...run, index: at + 1 }))
  )

const edgeOf = (type: FoundEdge["type"], from: string, to: FoundEdge["to"]) => ({
  type,
  from: { type: "artifact" as const, key: from },
  to,
  until: null
})

/** Where each fingerprint ran, from its first start to its last end. */
export const ranIn = (environment: string, runs: Runs): ReadonlyArray<FoundEdge> =>
  [...new Set(runs.flat().map(({ fingerprint }) => fingerprint))].map((fingerprint) => {
    const starts = startsOf(runs).filter((start) => start.fingerprint === fingerprint)
    const last = runs.reduce(
      (before, running, at) =>
        running.some((run) => run.fingerprint === fingerprint) ? at : before,
      -1
    )
    return {
      ...edgeOf("ran_in", fingerprint, { type: "environment", key: environment }),
      at: instantOf(Math.max(...starts.map(({ index }) => index))),
      since: instantOf(Math.min(...starts.map(({ index }) => index))),
      until: last === runs.length - 1 ? null : instantOf(last + 2)
    }
  })

/** What each start found in its place, since the first time. */
export const replaced = (runs: Runs): ReadonlyArray<FoundEdge> => {
  const starts = startsOf(runs)
  const found = new Map<string, FoundEdge>()
  for (const start of starts) {
    const earlier = starts.filter(
      ({ fingerprint, index }) => index < start.index && fingerprint !== start.fingerprint
    )
    const last = Math.max(...earlier.map(({ index }) => index))
    const [before] = earlier.filter(({ index }) => index === last).sort(byIdentity)
    const pair = `${start.fingerprint} ${before?.fingerprint}`
    if (before === undefined || found.has(pair)) continue
    const at = instantOf(start.index)
    const to = { type: "artifact" as const, key: before.fingerprint }
    found.set(pair, { ...edgeOf("replaced", start.fingerprint, to), at, since: at })
  }
  return [...found.values()]
}

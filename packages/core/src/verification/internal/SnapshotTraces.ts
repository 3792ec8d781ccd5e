/**
 * Computes the records that are derived from snapshots: where contents ran and with which verdicts, what started in
 * which slot of which flow, and the number of events. Pure.
 */
import { keyOf } from "../../environment/RunningRow.js"
import type { Verdict } from "../../shared/Verdict.js"
import type { FlowView } from "../../snapshot/FlowView.js"
import * as Snapshot from "../../snapshot/Snapshot.js"
import type { Columns, DerivedKind } from "../AuditStore.js"
import { digestOf } from "./ReplayRules.js"
import { type ReplayedSnapshot, UNRECORDED } from "./ReplayState.js"

/** The environment, index and instant of a snapshot. */
export interface SnapshotPlace {
  readonly environment: string
  readonly index: number
  readonly timestamp: number
}

/** A period in which a content ran under one name. */
interface Exposure {
  readonly fingerprint: string
  readonly environment_id: string
  readonly name: string
  readonly first_index: number
  readonly from_at: number
  readonly started_verdict: Verdict
  last_index: number | null
  to_at: number | null
  verdict: Verdict
  non_compliant: number
}

/** The part of a flow view that deployment diffs need. */
const startedView = ({
  previous: _previous,
  reasons: _reasons,
  git_commit_info: _commit,
  repo: _repo,
  ...view
}: FlowView) => view

const redAt = (verdict: Verdict | null, timestamp: number): number =>
  verdict === "NonCompliant" ? timestamp : 0

/** Collects the records of derived tables, by table and key. */
export class SnapshotTraces {
  readonly #exposures = new Map<string, Exposure>()
  readonly #starts = new Map<string, Columns>()
  readonly #snapshots = new Map<string, Columns>()
  /** The running rows of the current environment, by name and fingerprint. */
  #open = new Map<string, Exposure>()
  #events = 0

  /** Starts with another environment. */
  begin(): void {
    this.#open = new Map()
    this.#events = 0
  }

  /** Adds a snapshot of which only the head is stored separately. */
  replayed(environment: string, { index, eventCount, evaluator, isDecay }: ReplayedSnapshot): void {
    this.#events += eventCount ?? 0
    this.#snapshots.set(`${environment} ${index}`, {
      events_total: eventCount === null ? UNRECORDED : this.#events,
      semantics: evaluator ?? UNRECORDED,
      is_decay: isDecay
    })
  }

  /** Adds the rows of the next snapshot, in order. */
  accept(
    place: SnapshotPlace,
    before: ReadonlyArray<Snapshot.SnapshotRow>,
    running: ReadonlyArray<Snapshot.SnapshotRow>
  ): void {
    const { begun } = Snapshot.rowChanges(before, running)
    for (const row of begun) this.#start(place.environment, row)
    const rows = new Map(running.map((row) => [keyOf(row), row]))
    for (const [key, exposure] of this.#open) {
      this.#follow(exposure, place, rows.get(key)?.verdict ?? null)
      if (!rows.has(key)) this.#open.delete(key)
    }
    for (const [key, row] of rows) if (!this.#open.has(key)) this.#expose(place, row)
  }

  /** The expected records of a table; a start has the digest of its view. */
  expected(table: Exclude<DerivedKind, "trail_evaluation">): Map<string, Columns> {
    if (table === "snapshot_start") return new Map(this.#starts)
    if (table === "snapshot") return new Map(this.#snapshots)
    return new Map([...this.#exposures].map(([key, exposure]) => [key, { ...exposure }]))
  }

  #start(environment: string, row: Snapshot.SnapshotRow): void {
    for (const view of row.flows) {
      const key = [environment, view.flow_id, view.slot, row.started_index, row.name]
      const place = [...key, row.fingerprint].join(" ")
      if (!this.#starts.has(place)) this.#starts.set(place, { view: digestOf(startedView(view)) })
    }
  }

  #follow(exposure: Exposure, { index, timestamp }: SnapshotPlace, verdict: Verdict | null): void {
    exposure.non_compliant += redAt(exposure.verdict, timestamp) - redAt(verdict, timestamp)
    if (verdict === null) Object.assign(exposure, { last_index: index - 1, to_at: timestamp })
    else exposure.verdict = verdict
  }

  #expose({ environment, index, timestamp }: SnapshotPlace, row: Snapshot.SnapshotRow): void {
    const { fingerprint, name, verdict } = row
    if (fingerprint === "") return
    const exposure: Exposure = {
      fingerprint,
      environment_id: environment,
      name,
      first_index: index,
      from_at: timestamp,
      started_verdict: verdict,
      last_index: null,
      to_at: null,
      verdict,
      non_compliant: -redAt(verdict, timestamp)
    }
    this.#open.set(keyOf(row), exposure)
    this.#exposures.set([environment, fingerprint, index, name].join(" "), exposure)
  }
}

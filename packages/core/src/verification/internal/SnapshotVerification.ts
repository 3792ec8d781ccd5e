/** Verifies snapshots, their events and their rows against the journal. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { EnvironmentRef } from "../../environment/Environment.js"
import { keyOf } from "../../environment/RunningRow.js"
import { EnvironmentId, type OrgId } from "../../shared/Identifier.js"
import { attempt, readable } from "../../shared/internal/ReadableDamage.js"
import { Secrets } from "../../shared/Secrets.js"
import * as Slices from "../../shared/Slices.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import * as Snapshot from "../../snapshot/Snapshot.js"
import type { Span } from "../../snapshot/SnapshotRange.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import * as Coverage from "../Coverage.js"
import { type TableFinding, unreadable } from "../TableFinding.js"
import type { Replay } from "./Replay.js"
import { digestOf } from "./ReplayRules.js"
import type { ReplayedSnapshot } from "./ReplayState.js"
import { runningOf } from "./RunningRows.js"
import { SnapshotTraces } from "./SnapshotTraces.js"

/** The number of heads read at once. */
const HEADS = 100

const EVENTS_MAX = 1_000_000

/** At most this many snapshots beyond those of the journal are searched. */
const BEYOND_MAX = 1_000

const HEAD = ["timestamp", "verdict", "counts", "policies", "reasons"] as const

/** The result of verifying snapshots. */
export interface VerifiedSnapshots {
  readonly findings: ReadonlyArray<TableFinding>
  /** The records derived from the snapshots. */
  readonly traces: SnapshotTraces
  /** Counts snapshots; those of an environment with a finding count as skipped. */
  readonly coverage: Coverage.Coverage
  /** Environments with a finding. */
  readonly doubtful: ReadonlySet<string>
}

/** The rows of a snapshot, and those of the previous one. */
interface Step {
  readonly replayed: ReplayedSnapshot
  readonly before: ReadonlyArray<Snapshot.SnapshotRow>
  readonly traces: SnapshotTraces
}

/** Verifies snapshots with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, secrets] = [yield* SnapshotStore, yield* Secrets]
  const transaction = yield* Transaction

  const changed = (
    ref: EnvironmentRef,
    table: string,
    at: readonly [number, string]
  ): TableFinding => ({
    _tag: "RecordChanged",
    table,
    key: `${ref.environment} ${at[0]}`,
    column: at[1]
  })

  /** The readable heads in a range, by index. If they cannot be read together, each is read separately. */
  const headsOf = (
    ref: EnvironmentRef,
    span: Span
  ): Effect.Effect<Map<number, Snapshot.SnapshotHead>, StoreError> =>
    Effect.gen(function* () {
      const found = yield* readable(store.heads(ref, span))
      if (Option.isSome(found)) return new Map(found.value.map((head) => [head.index, head]))
      if (span.first === span.last) return new Map()
      const middle = Math.floor((span.first + span.last) / 2)
      const left = yield* headsOf(ref, { first: span.first, last: middle })
      return new Map([...left, ...(yield* headsOf(ref, { first: middle + 1, last: span.last }))])
    })

  /** Finds heads that differ, and indexes that only the journal or only the store has. */
  const compareHeads = (ref: EnvironmentRef, replayed: ReadonlyArray<ReplayedSnapshot>) =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      // The comparison below handles an unreadable head.
      const latest = Option.flatten(yield* readable(store.latest(ref)))
      const newest = Option.match(latest, { onNone: () => 0, onSome: ({ index }) => index })
      // WHY a limit: a tampered index may be arbitrarily large.
      const last = Math.min(Math.max(replayed.length, newest), replayed.length + BEYOND_MAX)
      if (newest > last)
        findings.push({
          _tag: "RecordUnexpected",
          table: "snapshot",
          key: `${ref.environment} ${newest}`
        })
      for (let first = 1; first <= last; first += HEADS) {
        const span = { first, last: Math.min(first + HEADS - 1, last) }
        const heads = yield* headsOf(ref, span)
        for (let index = span.first; index <= span.last; index++) {
          const [expected, head] = [replayed[index - 1], heads.get(index)]
          const key = `${ref.environment} ${index}`
          if (head === undefined) findings.push({ _tag: "RecordMissing", table: "snapshot", key })
          else if (expected === undefined)
            findings.push({ _tag: "RecordUnexpected", table: "snapshot", key })
          else
            for (const name of HEAD)
              if (digestOf(head[name]) !== expected[name])
                findings.push(changed(ref, "snapshot", [index, name]))
        }
      }
      return findings
    })

  const compareEvents = (ref: EnvironmentRef, { index, events }: ReplayedSnapshot) =>
    Effect.gen(function* () {
      if (events === null) return []
      const stored = yield* readable(
        store.events(ref, {
          span: { first: index, last: index },
          skip: 0,
          after: Option.none(),
          limit: EVENTS_MAX,
          newestFirst: false
        })
      )
      if (Option.isNone(stored)) return [changed(ref, "snapshot_event", [index, "events"])]
      yield* Slices.between(stored.value.length)
      const shown = stored.value.map(({ annotation, arrived, row: { name, fingerprint } }) => ({
        name,
        fingerprint,
        annotation,
        arrived
      }))
      return digestOf(shown) === events ? [] : [changed(ref, "snapshot_event", [index, "events"])]
    })

  /** Compares the rows of a snapshot with the digest of its changes. */
  const compareRows = (ref: EnvironmentRef, { replayed, before, traces }: Step) =>
    Effect.gen(function* () {
      const key = `${ref.environment} ${replayed.index}`
      const read = yield* readable(store.find(ref, { _tag: "AtIndex", index: replayed.index }))
      if (Option.isNone(read)) {
        const bad: TableFinding = { _tag: "RecordUnreadable", table: "snapshot_row", key }
        return { running: before, findings: [bad] }
      }
      const found = read.value
      if (Option.isNone(found)) return { running: before, findings: [] }
      const running = runningOf(found.value)
      const findings: Array<TableFinding> = []
      if (replayed.members !== null) {
        if (digestOf(found.value.members ?? []) !== replayed.members)
          findings.push(changed(ref, "snapshot", [replayed.index, "members"]))
        return { running, findings }
      }
      const { index, timestamp } = found.value
      yield* Slices.between(running.length)
      traces.accept({ environment: ref.environment, index, timestamp }, before, running)
      yield* Slices.between(running.length)
      const changes = Snapshot.rowChanges(before, running)
      yield* Slices.between(running.length)
      const digest = yield* secrets.digest(Snapshot.printChanges(changes))
      yield* Slices.between(running.length)
      // WHY: the changes contain only one of two equal rows.
      const isTwice = new Set(running.map(keyOf)).size < running.length
      if (isTwice || digest !== replayed.rows)
        findings.push(changed(ref, "snapshot_row", [replayed.index, "rows"]))
      return { running, findings }
    })

  const compareEnvironment = (
    ref: EnvironmentRef,
    replayed: ReadonlyArray<ReplayedSnapshot>,
    traces: SnapshotTraces
  ) =>
    Effect.gen(function* () {
      const findings = [...(yield* compareHeads(ref, replayed))]
      traces.begin()
      let running: ReadonlyArray<Snapshot.SnapshotRow> = []
      for (const each of replayed) {
        traces.replayed(ref.environment, each)
        findings.push(...(yield* compareEvents(ref, each)))
        const rows = yield* compareRows(ref, { replayed: each, before: running, traces })
        running = rows.running
        findings.push(...rows.findings)
      }
      return findings
    })

  /** Finds the differences between stored snapshots and the journal, and computes the derived records. */
  const verify = (org: OrgId, state: Replay): Effect.Effect<VerifiedSnapshots, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const traces = new SnapshotTraces()
      const doubtful = new Set<string>()
      const coverage = Coverage.none()
      for (const id of state.table("environment").keys()) {
        const replayed = state.snapshots.get(id) ?? []
        // WHY inside `suspend`: a tampered entry may have something that is not an id.
        const compared = Effect.suspend(() =>
          compareEnvironment({ org, environment: EnvironmentId.make(id) }, replayed, traces)
        )
        const found = Option.getOrElse(yield* attempt(transaction, org, compared), () => [
          unreadable("snapshot", id)
        ])
        if (found.length > 0) doubtful.add(id)
        coverage[found.length > 0 ? "skipped" : "proved"] += replayed.length
        findings.push(...found)
      }
      return { findings, traces, doubtful, coverage }
    })

  return { verify } as const
})

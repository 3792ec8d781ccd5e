/**
 * Verifies verdicts: level 5. Recomputes the decisions and verdicts of snapshots from the evidence that each
 * evaluation could see.
 *
 * Rows that were evaluated under other rule semantics are skipped. Rows of logical environments are verified in their
 * members.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { EnvironmentRef } from "../../environment/Environment.js"
import * as EnvironmentMoments from "../../history/EnvironmentMoments.js"
import * as EvaluationTimeline from "../../history/EvaluationTimeline.js"
import * as FactTimelines from "../../history/FactTimelines.js"
import {
  type AllowedPeriod,
  HistoryStore,
  type SnapshotEvaluation
} from "../../history/HistoryStore.js"
import { isValidFor } from "../../history/ValidityPeriod.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import * as PolicyVersions from "../../policy/PolicyVersions.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { EnvironmentId, type OrgId } from "../../shared/Identifier.js"
import { attempt, readable } from "../../shared/internal/ReadableDamage.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import * as RowDecision from "../../snapshot/RowDecision.js"
import type { ListedRow, Snapshot } from "../../snapshot/Snapshot.js"
import * as SnapshotCounts from "../../snapshot/SnapshotCounts.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import * as Coverage from "../Coverage.js"
import { type TableFinding, unreadable } from "../TableFinding.js"
import type { Replay } from "./Replay.js"

/** Other work gets a turn after this many snapshots. */
const SNAPSHOTS = 100

/** A row that was evaluated again: the recorded evaluation, its policies, and the result. */
interface Checked {
  readonly evaluated: EvaluationTimeline.Evaluation
  readonly policies: string
  readonly decisions: string
  outcome: keyof Coverage.Coverage | "found"
}

/** The inputs for evaluating the rows of an environment. */
interface Evaluated {
  readonly ref: EnvironmentRef
  readonly evaluations: EvaluationTimeline.EvaluationTimeline
  readonly allowedPeriods: ReadonlyArray<AllowedPeriod>
  readonly momentAt: EnvironmentMoments.MomentAt
  /** The rows of the previous snapshot, by name and fingerprint. */
  known: Map<string, Checked>
  /** Counts each row in every snapshot that shows it. */
  readonly counts: Coverage.Counting
}

/** The result of verifying verdicts. */
export interface VerifiedVerdicts {
  readonly findings: ReadonlyArray<TableFinding>
  readonly coverage: Coverage.Coverage
}

/** A snapshot with its commit position, and the evaluations in which its rows started. */
interface Numbered {
  readonly snapshot: Snapshot
  readonly self: SnapshotEvaluation
  readonly startedAt: (index: number) => SnapshotEvaluation | undefined
}

const changed = (
  table: "snapshot" | "snapshot_row",
  key: string,
  column: string
): TableFinding => ({ _tag: "VerdictChanged", table, key, column })

const isNumbered = (snapshot: SnapshotEvaluation | undefined): snapshot is SnapshotEvaluation =>
  snapshot !== undefined && snapshot.semantics === SEMANTICS

const runningOf = ({ rows }: Snapshot): ReadonlyArray<ListedRow> =>
  rows.filter(({ annotation }) => annotation.type !== "exited")

/** Verifies verdicts with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, history] = [yield* SnapshotStore, yield* HistoryStore]
  const [versions, transaction] = [yield* PolicyStore, yield* Transaction]
  const momentsOf = yield* EnvironmentMoments.make

  const compiledOf = (org: OrgId, { policies }: Snapshot) =>
    Effect.map(PolicyVersions.read(versions, org, policies), (versionOf) =>
      PolicyEvaluation.compile(
        policies.flatMap(({ id, mode, name, version }) => {
          const found = versionOf({ id, version })
          return found === undefined
            ? []
            : [{ ...found, id, name, ...(mode === undefined ? {} : { mode }) }]
        })
      )
    )

  /** The rows whose evaluation may differ from that in the previous snapshot. */
  const openRows = (evaluated: Evaluated, { snapshot, startedAt }: Numbered) => {
    const policies = CanonicalJson.print(snapshot.policies)
    const next = new Map<string, Checked>()
    const open = runningOf(snapshot).flatMap((row) => {
      const started = startedAt(row.started_index)
      if (!isNumbered(started)) {
        evaluated.counts.not_covered += 1
        return []
      }
      const by = evaluated.evaluations.evaluatedAt(started, snapshot.timestamp)
      const key = `${row.name}\u0000${row.fingerprint}`
      const before = evaluated.known.get(key)
      const checked: Checked = {
        evaluated: by,
        policies,
        decisions: CanonicalJson.print(row.decisions),
        outcome: "found"
      }
      next.set(key, checked)
      const isSame =
        before !== undefined &&
        before.evaluated.position === by.position &&
        before.policies === policies &&
        before.decisions === checked.decisions
      if (isSame) checked.outcome = before.outcome
      return isSame ? [] : [{ row, by, checked }]
    })
    evaluated.known = next
    return open
  }

  /** Counts the evaluated rows by result. */
  const count = ({ known, counts }: Evaluated) => {
    for (const { outcome } of known.values()) if (outcome !== "found") counts[outcome] += 1
  }

  /** Evaluates rows of a snapshot again, and compares the decisions. */
  const compareDecisions = (evaluated: Evaluated, numbered: Numbered) =>
    Effect.gen(function* () {
      const { ref } = evaluated
      const { index, policies } = numbered.snapshot
      const open = openRows(evaluated, numbered)
      if (open.length === 0) return []
      const compiled = yield* compiledOf(ref.org, numbered.snapshot)
      const timelineOf = yield* FactTimelines.read(
        history,
        ref.org,
        open.map(({ row }) => row.fingerprint)
      )
      return open.flatMap(({ row, by, checked }): ReadonlyArray<TableFinding> => {
        const { name, fingerprint } = row
        const timeline = timelineOf(fingerprint)
        const flows = timeline.at(by).map(({ view }) => view)
        const { policy_decisions } = PolicyEvaluation.evaluate(
          compiled,
          { artifact: { name, fingerprint }, flows },
          evaluated.momentAt(by.at)
        )
        const again = RowDecision.fromDecisions(policy_decisions, (_, at) => policies[at]?.id ?? "")
        const isProved = CanonicalJson.equals(again, row.decisions)
        if (isProved) checked.outcome = "proved"
        return isProved
          ? []
          : [changed("snapshot_row", `${ref.environment} ${index} ${name}`, "decisions")]
      })
    })

  /**
   * Compares the verdicts of rows with their decisions and the allow-list, and the verdict of the snapshot with those
   * of its rows.
   */
  const compareVerdicts = (
    { ref, allowedPeriods }: Evaluated,
    { snapshot, self }: Numbered
  ): ReadonlyArray<TableFinding> => {
    const at = `${ref.environment} ${snapshot.index}`
    const valid = allowedPeriods.filter((each) => isValidFor(each, self))
    const allowed = new Set<string>(valid.map(({ fingerprint }) => fingerprint))
    const running = runningOf(snapshot)
    const counts = SnapshotCounts.count(running)
    const hasPolicies = snapshot.policies.some(isEnforced)
    const isWhole =
      CanonicalJson.equals(counts, snapshot.counts) &&
      SnapshotCounts.verdictOf(counts, { hasPolicies, reasons: snapshot.reasons }) ===
        snapshot.verdict
    return [
      ...running.flatMap(({ name, fingerprint, decisions, verdict }) => {
        const again = allowed.has(fingerprint) ? "Compliant" : RowDecision.verdictOf(decisions)
        return again === verdict ? [] : [changed("snapshot_row", `${at} ${name}`, "verdict")]
      }),
      ...(isWhole ? [] : [changed("snapshot", at, "verdict")])
    ]
  }

  const compareSnapshot = (evaluated: Evaluated, snapshot: Snapshot) =>
    Effect.gen(function* () {
      const indexes = new Set([
        snapshot.index,
        ...snapshot.rows.map(({ started_index }) => started_index)
      ])
      const found = new Map(
        (yield* history.snapshots(evaluated.ref, [...indexes])).map((each) => [each.index, each])
      )
      const self = found.get(snapshot.index)
      if (!isNumbered(self)) {
        evaluated.counts.not_covered += runningOf(snapshot).length
        return []
      }
      const numbered = { snapshot, self, startedAt: (index: number) => found.get(index) }
      const decided = yield* compareDecisions(evaluated, numbered)
      count(evaluated)
      return [...decided, ...compareVerdicts(evaluated, numbered)]
    })

  const compareEnvironment = (ref: EnvironmentRef, snapshots: number) =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const evaluations = yield* readable(history.evaluations(ref))
      const allowedPeriods = yield* readable(history.allowedPeriods(ref))
      if (Option.isNone(evaluations))
        findings.push(unreadable("environment_evaluation", ref.environment))
      if (Option.isNone(allowedPeriods))
        findings.push(unreadable("allow_list_period", ref.environment))
      const counts = Coverage.none()
      if (Option.isNone(evaluations) || Option.isNone(allowedPeriods)) return { findings, counts }
      const evaluated: Evaluated = {
        ref,
        evaluations: EvaluationTimeline.make(evaluations.value),
        allowedPeriods: allowedPeriods.value,
        momentAt: yield* momentsOf(ref),
        known: new Map(),
        counts
      }
      for (let index = 1; index <= snapshots; index++) {
        // Level 3 reports an unreadable snapshot.
        const read = yield* readable(store.find(ref, { _tag: "AtIndex", index }))
        const found = Option.flatten(read)
        if (Option.isNone(found) || found.value.members !== null) continue
        const compared = yield* readable(compareSnapshot(evaluated, found.value))
        const bad = unreadable("snapshot_row", `${ref.environment} ${index}`)
        findings.push(...Option.getOrElse(compared, () => [bad]))
        if (index % SNAPSHOTS === 0) yield* Effect.yieldNow()
      }
      return { findings, counts }
    })

  /** Finds the verdicts that differ when they are computed again, and counts the evaluated rows. */
  const verify = (org: OrgId, state: Replay): Effect.Effect<VerifiedVerdicts, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const counted: Array<Coverage.Coverage> = []
      for (const id of state.table("environment").keys()) {
        const { length } = state.snapshots.get(id) ?? []
        // WHY inside `suspend`: a tampered entry may have something that is not an id.
        const compared = Effect.suspend(() =>
          compareEnvironment({ org, environment: EnvironmentId.make(id) }, length)
        )
        const found = yield* attempt(transaction, org, compared)
        if (Option.isNone(found)) findings.push(unreadable("snapshot_row", id))
        else {
          findings.push(...found.value.findings)
          counted.push(found.value.counts)
        }
      }
      return { findings, coverage: Coverage.sum(counted) }
    })

  return { verify } as const
})

/**
 * Verifies verdicts: level 5. Decisions and verdicts of snapshots are made again from what each judging knew.
 *
 * Rows that were evaluated under other semantics of rules are left out. Rows of logical environments are those of
 * their members.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { EnvironmentRef } from "../../environment/Environment.js"
import type { Allowance, NumberedSnapshot } from "../../history/HistoryStore.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import { isHeldBy } from "../../history/internal/AllowedAt.js"
import { Candidates } from "../../history/internal/Candidates.js"
import * as Timelines from "../../history/internal/Timelines.js"
import * as JudgingTimeline from "../../history/JudgingTimeline.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
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
import type { Replay } from "../Replay.js"
import { type TableFinding, unreadable } from "../TableFinding.js"

/** Snapshots after which other work gets a turn. */
const SNAPSHOTS = 100

/** A row that was decided again: by which knowledge and policies, and how that went. */
interface Checked {
  readonly judged: JudgingTimeline.Judging
  readonly policies: string
  readonly decisions: string
  outcome: keyof Coverage.Coverage | "found"
}

/** What the rows of an environment are decided with. */
interface Judged {
  readonly ref: EnvironmentRef
  readonly judgings: JudgingTimeline.JudgingTimeline
  readonly allowances: ReadonlyArray<Allowance>
  /** The rows of the snapshot before, by name and fingerprint. */
  known: Map<string, Checked>
  /** Of rows, each in each snapshot that shows it. */
  readonly counts: Coverage.Counting
}

/** What verifying verdicts gave. */
export interface VerifiedVerdicts {
  readonly findings: ReadonlyArray<TableFinding>
  readonly coverage: Coverage.Coverage
}

/** A snapshot of which the number is known, and the numbers of those in which its rows started. */
interface Numbered {
  readonly snapshot: Snapshot
  readonly self: NumberedSnapshot
  readonly startedAt: (index: number) => NumberedSnapshot | undefined
}

const changed = (
  table: "snapshot" | "snapshot_row",
  key: string,
  column: string
): TableFinding => ({ _tag: "VerdictChanged", table, key, column })

const isNumbered = (snapshot: NumberedSnapshot | undefined): snapshot is NumberedSnapshot =>
  snapshot !== undefined && snapshot.semantics === SEMANTICS

const runningOf = ({ rows }: Snapshot): ReadonlyArray<ListedRow> =>
  rows.filter(({ annotation }) => annotation.type !== "exited")

/** Verifies verdicts with the ports of a store. */
export const make = Effect.gen(function* () {
  const [store, history] = [yield* SnapshotStore, yield* HistoryStore]
  const [candidates, transaction] = [yield* Candidates, yield* Transaction]

  const compiledOf = (org: OrgId, { policies }: Snapshot) =>
    Effect.map(candidates.versions(org, policies), (versionOf) =>
      PolicyEvaluation.compile(
        policies.flatMap(({ id, mode, name, version }) => {
          const found = versionOf({ id, version })
          return found === undefined
            ? []
            : [{ ...found, id, name, ...(mode === undefined ? {} : { mode }) }]
        })
      )
    )

  /** The rows that a judging may have decided otherwise than the one before. */
  const openRows = (judged: Judged, { snapshot, startedAt }: Numbered) => {
    const policies = CanonicalJson.print(snapshot.policies)
    const next = new Map<string, Checked>()
    const open = runningOf(snapshot).flatMap((row) => {
      const started = startedAt(row.started_index)
      if (!isNumbered(started)) {
        judged.counts.not_covered += 1
        return []
      }
      const by = judged.judgings.judgedAt(started, snapshot.timestamp)
      const key = `${row.name}\u0000${row.fingerprint}`
      const before = judged.known.get(key)
      const checked: Checked = {
        ...{ judged: by, policies, decisions: CanonicalJson.print(row.decisions) },
        outcome: "found"
      }
      next.set(key, checked)
      const isSame =
        before !== undefined &&
        before.judged.known === by.known &&
        before.policies === policies &&
        before.decisions === checked.decisions
      if (isSame) checked.outcome = before.outcome
      return isSame ? [] : [{ row, by, checked }]
    })
    judged.known = next
    return open
  }

  /** Counts the rows that were decided about, once it is known how that went. */
  const count = ({ known, counts }: Judged) => {
    for (const { outcome } of known.values()) if (outcome !== "found") counts[outcome] += 1
  }

  /** Decides again about rows of a snapshot. */
  const compareDecisions = (judged: Judged, numbered: Numbered) =>
    Effect.gen(function* () {
      const { ref } = judged
      const { index, policies } = numbered.snapshot
      const open = openRows(judged, numbered)
      if (open.length === 0) return []
      const compiled = yield* compiledOf(ref.org, numbered.snapshot)
      const timelineOf = yield* Timelines.read(
        history,
        ref.org,
        open.map(({ row }) => row.fingerprint)
      )
      return open.flatMap(({ row, by, checked }): ReadonlyArray<TableFinding> => {
        const { name, fingerprint } = row
        const timeline = timelineOf(fingerprint)
        const flows = timeline.at(by).map(({ view }) => view)
        const { policy_decisions } = PolicyEvaluation.evaluate(compiled, {
          artifact: { name, fingerprint },
          flows
        })
        const again = RowDecision.fromDecisions(policy_decisions, (_, at) => policies[at]?.id ?? "")
        const isProved = CanonicalJson.equals(again, row.decisions)
        if (isProved) checked.outcome = "proved"
        return isProved
          ? []
          : [changed("snapshot_row", `${ref.environment} ${index} ${name}`, "decisions")]
      })
    })

  /** The verdicts of rows by their decisions and the allow-list, and that of the snapshot by those of its rows. */
  const compareVerdicts = (
    { ref, allowances }: Judged,
    { snapshot, self }: Numbered
  ): ReadonlyArray<TableFinding> => {
    const at = `${ref.environment} ${snapshot.index}`
    const held = allowances.filter((each) => isHeldBy(each, self))
    const allowed = new Set<string>(held.map(({ fingerprint }) => fingerprint))
    const running = runningOf(snapshot)
    const counts = SnapshotCounts.count(running)
    const hasPolicies = snapshot.policies.some(isEnforced)
    const isWhole =
      CanonicalJson.equals(counts, snapshot.counts) &&
      SnapshotCounts.verdictOf(counts, { hasPolicies }) === snapshot.verdict
    return [
      ...running.flatMap(({ name, fingerprint, decisions, verdict }) => {
        const again = allowed.has(fingerprint) ? "Compliant" : RowDecision.verdictOf(decisions)
        return again === verdict ? [] : [changed("snapshot_row", `${at} ${name}`, "verdict")]
      }),
      ...(isWhole ? [] : [changed("snapshot", at, "verdict")])
    ]
  }

  const compareSnapshot = (judged: Judged, snapshot: Snapshot) =>
    Effect.gen(function* () {
      const indexes = new Set([
        snapshot.index,
        ...snapshot.rows.map(({ started_index }) => started_index)
      ])
      const found = new Map(
        (yield* history.snapshots(judged.ref, [...indexes])).map((each) => [each.index, each])
      )
      const self = found.get(snapshot.index)
      if (!isNumbered(self)) {
        judged.counts.not_covered += runningOf(snapshot).length
        return []
      }
      const numbered = { snapshot, self, startedAt: (index: number) => found.get(index) }
      const decided = yield* compareDecisions(judged, numbered)
      count(judged)
      return [...decided, ...compareVerdicts(judged, numbered)]
    })

  const compareEnvironment = (ref: EnvironmentRef, snapshots: number) =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const judgings = yield* readable(history.judgings(ref))
      const allowances = yield* readable(history.allowances(ref))
      if (Option.isNone(judgings)) findings.push(unreadable("judging", ref.environment))
      if (Option.isNone(allowances)) findings.push(unreadable("allowance", ref.environment))
      const counts = Coverage.none()
      if (Option.isNone(judgings) || Option.isNone(allowances)) return { findings, counts }
      const judged: Judged = {
        ref,
        judgings: JudgingTimeline.make(judgings.value),
        allowances: allowances.value,
        known: new Map(),
        counts
      }
      for (let index = 1; index <= snapshots; index++) {
        // A snapshot that cannot be read is found by level 3.
        const read = yield* readable(store.find(ref, { _tag: "AtIndex", index }))
        const found = Option.flatten(read)
        if (Option.isNone(found) || found.value.members !== null) continue
        const compared = yield* readable(compareSnapshot(judged, found.value))
        const bad = unreadable("snapshot_row", `${ref.environment} ${index}`)
        findings.push(...Option.getOrElse(compared, () => [bad]))
        if (index % SNAPSHOTS === 0) yield* Effect.yieldNow()
      }
      return { findings, counts }
    })

  /** What evaluating again does not give, and how many rows it gave. */
  const verify = (org: OrgId, state: Replay): Effect.Effect<VerifiedVerdicts, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const counted: Array<Coverage.Coverage> = []
      for (const id of state.table("environment").keys()) {
        const { length } = state.snapshots.get(id) ?? []
        // WHY within: an entry that was changed may name what is no id.
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

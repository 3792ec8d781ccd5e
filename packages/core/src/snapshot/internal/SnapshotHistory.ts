/**
 * Makes snapshots: evaluates what runs, compares it with the latest snapshot, appends what changed.
 *
 * For use cases that hold the environment's lock: reports, and whatever else can change a verdict. Rows
 * that run on are only evaluated again when evidence about them or a policy may have changed.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as WriteContext from "../../access/internal/WriteContext.js"
import * as AllowListEntry from "../../allow-list/AllowListEntry.js"
import { distinctKnown, isKnown } from "../../artifact/Fingerprint.js"
import * as Environment from "../../environment/Environment.js"
import { classOf } from "../../environment/EnvironmentEvent.js"
import { EnvironmentStore, type StateChange } from "../../environment/EnvironmentStore.js"
import { keyOf, type RunningRow } from "../../environment/RunningRow.js"
import { reasonsOf, type SnapshotReason } from "../../environment/Silence.js"
import { type JournalRecord, Journals } from "../../journal/Journals.js"
import type { Moment } from "../../policy/Moment.js"
import { isEnforced } from "../../policy/PolicyMode.js"
import { SEMANTICS } from "../../policy/PolicySemantics.js"
import { type PolicySet, PolicySets, readingOf, type VersionKey } from "../../policy/PolicySets.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { Secrets } from "../../shared/Secrets.js"
import * as Slices from "../../shared/Slices.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import { WaiverStore } from "../../waiver/WaiverStore.js"
import * as DueInstant from "../DueInstant.js"
import * as RowDecision from "../RowDecision.js"
import { decide, nextChange, RowEvidence } from "../RowEvidence.js"
import * as Snapshot from "../Snapshot.js"
import * as SnapshotAnnotation from "../SnapshotAnnotation.js"
import * as SnapshotCounts from "../SnapshotCounts.js"
import * as SnapshotDiff from "../SnapshotDiff.js"
import { type SnapshotDraft, SnapshotStore, type StartKey } from "../SnapshotStore.js"
import * as SnapshotTimeline from "../SnapshotTimeline.js"
import * as ComparedRow from "./ComparedRow.js"
import { decayField, LogicalSnapshots } from "./LogicalSnapshots.js"
import { Moments } from "./Moments.js"
import * as NewDeployments from "./NewDeployments.js"
import * as RowComparison from "./RowComparison.js"
import { contentOf, eventsOf } from "./SnapshotEntry.js"
import { SnapshotListener } from "./SnapshotListener.js"
import * as WaivedRows from "./WaivedRows.js"
import * as WarnedRows from "./WarnedRows.js"

type Row = Snapshot.SnapshotRow
/** Why a snapshot may be due, and what the caller knows. */
export interface SnapshotTrigger {
  readonly cause: SnapshotDiff.DiffCause
  /** What runs now; none when that is what the latest snapshot says. */
  readonly rows: Option.Option<ReadonlyArray<RunningRow>>
  /** Whether evidence about rows that run on may have changed. */
  readonly isStale: boolean
  /** What the record of the snapshot says besides. */
  readonly note: { readonly [name: string]: string }
  /**
   * The due instant, where time alone is the cause: all rows are evaluated as of it, and only evidence that was
   * accepted by it counts. Absent for every other cause.
   */
  readonly dueAt?: Timestamp
  /** The instant of the snapshot; that of the writer where it is left out. */
  readonly at?: Timestamp
}

const sameVersions = (left: ReadonlyArray<VersionKey>, right: ReadonlyArray<VersionKey>): boolean =>
  left.length === right.length &&
  left.every(
    ({ id, mode, version }, index) =>
      id === right[index]?.id && version === right[index]?.version && mode === right[index]?.mode
  )

/** What ran, the index of the next snapshot, and the policies that evaluate it. */
interface Evaluation {
  readonly running: ReadonlyArray<Row>
  readonly index: number
  readonly set: PolicySet
  /** Whether rows that run on are evaluated again. */
  readonly isFresh: boolean
  /** Whether time alone is the cause. */
  readonly isDecay: boolean
  readonly moment: Moment
}

/** Which rows a snapshot evaluated, and by which meaning of rules. */
const evaluationOf = ({ isDecay, isFresh, index }: Evaluation) => ({
  evaluated_all: isFresh || index === 1,
  semantics: SEMANTICS,
  ...decayField(isDecay)
})

/** What the policies make of the rows as a whole. */
const outcomeOf = (
  rows: ReadonlyArray<Row>,
  { versions }: PolicySet,
  reasons: ReadonlyArray<SnapshotReason>
) => {
  const counts = SnapshotCounts.count(rows)
  const hasPolicies = versions.some(isEnforced)
  const verdict = SnapshotCounts.verdictOf(counts, { hasPolicies, reasons })
  return { counts, verdict, policies: versions, ...(reasons.length === 0 ? {} : { reasons }) }
}

/** Makes snapshots. */
export class SnapshotHistory extends Effect.Service<SnapshotHistory>()(
  "@attestry/core/SnapshotHistory",
  {
    effect: Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environments = yield* EnvironmentStore
      const journals = yield* Journals
      const moments = yield* Moments
      const logical = yield* LogicalSnapshots
      const secrets = yield* Secrets
      const sets = yield* PolicySets
      const evidence = yield* RowEvidence
      const listener = yield* SnapshotListener
      const waivers = yield* WaiverStore

      /** What flows know about rows that are new, and about all rows when evidence may have changed. */
      const lookUp = (
        org: Environment.EnvironmentRef["org"],
        { set, isDecay, isFresh, moment }: Evaluation,
        { after, places }: RowComparison.Placed<Row, RunningRow>
      ) => {
        const known = (rows: ReadonlyArray<RunningRow>) =>
          distinctKnown(rows.map(({ fingerprint }) => fingerprint))
        const arriving = known(after.filter((_, index) => places[index] === -1))
        return evidence.gather(org, isFresh ? known(after) : arriving, {
          ...readingOf(set),
          arriving,
          asOf: isDecay ? moment.now : undefined
        })
      }

      /** Adds to each flow view of new or moved rows what ran in its slot before. */
      const withPredecessors = Effect.fnUntraced(function* (
        ref: Environment.EnvironmentRef,
        rows: ReadonlyArray<Row>,
        moved: ReadonlySet<Row>
      ) {
        const keys = [...moved].flatMap((row): ReadonlyArray<StartKey> => {
          const { fingerprint, started_index: before } = row
          return isKnown(fingerprint)
            ? row.flows.map(({ flow_id: flow, slot }) => ({ flow, slot, fingerprint, before }))
            : []
        })
        if (keys.length === 0) return rows
        const found = yield* store.predecessors(ref, keys)
        let next = 0
        return rows.map((row): Row => {
          if (!moved.has(row) || !isKnown(row.fingerprint)) return row
          const flows = row.flows.map((view) => ({
            ...view,
            previous: Option.getOrNull(found[next++] ?? Option.none())
          }))
          return Snapshot.evaluatedRow(row, { ...row, flows })
        })
      })

      /** What runs now, with what flows know and with a verdict. */
      const evaluate = Effect.fnUntraced(function* (
        environment: Environment.Environment,
        evaluation: Evaluation,
        reported: ReadonlyArray<RunningRow>
      ) {
        const ref = Environment.ref(environment)
        const { running, index, set, isFresh, moment } = evaluation
        const places = RowComparison.places(running, reported)
        const placed = { before: running, after: reported, places }
        yield* Slices.between(reported.length)
        const knownOf = yield* lookUp(ref.org, evaluation, placed)
        const entries = yield* environments.listAllowed(ref)
        const allowed = new Set<string>(
          AllowListEntry.inForce(entries, moment.now).map(({ fingerprint }) => fingerprint)
        )
        const input = { knownOf, moment }
        const isTimed = set.compiled.isTimed || moment.waivers.length > 0
        const changes: Array<Timestamp | null> = []
        const moved = new Set<Row>()
        // An allowed row is compliant outright. WHY the size: `has` on an empty set still hashes its argument.
        const verdictOf = (row: RunningRow, decisions: Row["decisions"]) =>
          allowed.size > 0 && allowed.has(row.fingerprint)
            ? "Compliant"
            : RowDecision.verdictOf(decisions)
        const next = yield* Slices.map(reported, (row, position): Row => {
          const known = running[places[position] ?? -1]
          const runsOn = known !== undefined && !isFresh
          const found = runsOn ? known.flows : knownOf(row.fingerprint).views
          const isSame =
            runsOn ||
            (known !== undefined &&
              ComparedRow.provenanceOf(found) === ComparedRow.provenanceOf(known.flows))
          const decisions = runsOn ? known.decisions : decide(set, row, input)
          if (isTimed && !runsOn) changes.push(nextChange(set, row, input))
          const verdict = verdictOf(row, decisions)
          // INVARIANT: a row that stays as it was is the same object; the diff below compares only the others.
          if (
            isSame &&
            verdict === known.verdict &&
            (decisions === known.decisions || CanonicalJson.equals(decisions, known.decisions)) &&
            RowComparison.runsAlike(row, known)
          )
            return known
          const started_index = known?.started_index ?? index
          const flows = isSame ? known.flows : found
          const changed = Snapshot.evaluatedRow(row, { verdict, started_index, flows, decisions })
          if (!isSame) moved.add(changed)
          return changed
        })
        yield* Slices.between(next.length)
        const due = DueInstant.dueAfter(moment.now, {
          rows: changes,
          kept: isFresh ? null : (environment.due_at ?? null),
          allowed: AllowListEntry.nextEnd(entries, moment.now)
        })
        if (due !== (environment.due_at ?? null)) yield* environments.setDue(ref, due)
        return { before: running, places, after: yield* withPredecessors(ref, next, moved) }
      })

      /**
       * One entry on each trail that knows a row which started or stopped. Each trail shows where its artifact runs.
       */
      const trailRecords = (
        writer: WriteContext.WriteContext,
        environment: Environment.Environment,
        {
          index,
          changes
        }: {
          readonly index: number
          readonly changes: ReadonlyArray<SnapshotDiff.AnnotatedRow<ComparedRow.ComparedRow>>
        }
      ): ReadonlyArray<JournalRecord> =>
        changes.flatMap(({ row: { row }, annotation }) => {
          if (!SnapshotAnnotation.isEvent(annotation.type)) return []
          const kind = classOf(annotation.type)
          if (kind === "changed") return []
          return row.flows.map((view) => ({
            ...writer,
            kind: kind === "started" ? "artifact_started_running" : "artifact_stopped_running",
            subject: { type: "trail", id: view.trail_id },
            content: {
              artifact_id: view.artifact_id,
              artifact_fingerprint: row.fingerprint,
              artifact_name: row.name,
              environment_id: environment.id,
              environment_name: environment.name,
              snapshot_index: index,
              ...(kind === "started" ? { instances: annotation.now } : {})
            }
          }))
        })

      /** Records that all rows were evaluated and nothing changed; nothing where only rows that started were. */
      const quietly = (
        ref: Environment.EnvironmentRef,
        { isDecay, isFresh, index, moment }: Evaluation
      ) =>
        isFresh && index > 1
          ? store.recordUnchangedEvaluation(ref, {
              at: moment.now,
              index: index - 1,
              ...decayField(isDecay)
            })
          : Effect.void

      /** Journals a snapshot, and its changes on the trails of their rows. */
      const record = (
        writer: WriteContext.WriteContext,
        environment: Environment.Environment,
        snapshot: {
          readonly content: object
          readonly index: number
          readonly changes: ReadonlyArray<SnapshotDiff.AnnotatedRow<ComparedRow.ComparedRow>>
        }
      ) =>
        Effect.map(
          journals.recordAll([
            {
              ...writer,
              kind: "snapshot_created",
              subject: { type: "environment", id: environment.id },
              content: snapshot.content
            },
            ...trailRecords(writer, environment, snapshot)
          ]),
          ([recorded]) => recorded
        )

      /** The latest snapshot, and what the next one is evaluated by. */
      const prepare = Effect.fnUntraced(function* (
        writer: WriteContext.WriteContext,
        environment: Environment.Environment,
        trigger: SnapshotTrigger
      ) {
        const ref = Environment.ref(environment)
        const latest = yield* store.latest(ref)
        const running = Option.isSome(latest) ? yield* store.running(ref) : []
        const index = Option.match(latest, { onNone: () => 1, onSome: (head) => head.index + 1 })
        const set = yield* sets.latest(ref.org, Environment.selectionOf(environment))
        const before = Option.match(latest, { onNone: () => [], onSome: (head) => head.policies })
        const isDecay = trigger.dueAt !== undefined
        const timestamp = SnapshotTimeline.nextTimestamp(
          trigger.dueAt ?? trigger.at ?? writer.at,
          Option.map(latest, (head) => head.timestamp)
        )
        const evaluation: Evaluation = {
          running,
          index,
          set,
          isFresh: isDecay || trigger.isStale || !sameVersions(before, set.versions),
          isDecay,
          moment: yield* moments.of(environment, timestamp)
        }
        return { latest, before, reasons: reasonsOf(environment), evaluation }
      })

      /**
       * Appends what changed since the latest snapshot, records it, and lets the logical environments
       * above follow; none when nothing changed. Sets the next due instant.
       */
      const append = Effect.fnUntraced(function* (
        writer: WriteContext.WriteContext,
        environment: Environment.Environment,
        trigger: SnapshotTrigger
      ) {
        const ref = Environment.ref(environment)
        const { before, evaluation, latest, reasons } = yield* prepare(writer, environment, trigger)
        const { index, isDecay, running, set } = evaluation
        const { now: timestamp } = evaluation.moment
        const placed = yield* evaluate(
          environment,
          evaluation,
          Option.getOrElse(trigger.rows, (): ReadonlyArray<RunningRow> => running)
        )
        yield* Slices.between(placed.after.length)
        // WHY only these: a row that is the same object in both states has not changed.
        const { removed, added } = RowComparison.unshared(placed)
        const diff = SnapshotDiff.diff(
          Option.map(latest, (head) => ({
            running: removed.map(ComparedRow.make),
            policies: before,
            reasons: head.reasons
          })),
          { running: added.map(ComparedRow.make), policies: set.versions, reasons },
          { cause: trigger.cause, includeScaling: environment.include_scaling }
        )
        if (diff._tag === "Nothing") {
          yield* quietly(ref, evaluation)
          return Option.none<StateChange>()
        }
        yield* Slices.between(added.length)
        const changes = [...diff.running, ...diff.exited]
        const rows = Snapshot.rowChanges(removed, added)
        yield* Slices.between(added.length)
        const arrived = new Set(NewDeployments.deployed(running, added).map(keyOf))
        const draft: SnapshotDraft = {
          index,
          timestamp,
          ...outcomeOf(placed.after, set, reasons),
          ...rows,
          events: eventsOf(changes, arrived),
          ...evaluationOf(evaluation)
        }
        yield* Slices.between(added.length)
        yield* store.append(ref, draft)
        // WHY only these: a row whose waivers changed is another object in both states.
        if (removed.some(WaivedRows.isWaived) || added.some(WaivedRows.isWaived))
          yield* waivers.putUse(ref, { at: timestamp, rows: WaivedRows.countsOf(placed.after) })
        const content = { ...trigger.note, ...(yield* contentOf(draft, secrets)) }
        const recorded = yield* record(writer, environment, { content, changes, index })
        const warned = WarnedRows.gained(removed, added)
        yield* listener.appended({ writer, environment, head: draft, warned, recorded })
        yield* logical.memberChanged(writer, environment, { at: timestamp, isDecay, warned })
        const change: StateChange = { at: timestamp, verdict: draft.verdict }
        return Option.some(change)
      })

      return { append } as const
    })
  }
) {}

/**
 * Makes snapshots: judges what runs, compares it with the latest snapshot, appends what changed.
 *
 * For use cases that hold the environment's lock: reports, and whatever else can change a verdict. Rows are
 * judged by the allow-list alone; without policies everything else is Unknown.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Writer from "../access/Writer.js"
import { type Fingerprint, isKnown } from "../artifact/Fingerprint.js"
import { AllowListStore } from "../environment/AllowListStore.js"
import * as Environment from "../environment/Environment.js"
import { classOf } from "../environment/EnvironmentEvent.js"
import { byIdentity, keyOf, type RunningRow } from "../environment/RunningRow.js"
import type { JournalRecord } from "../journal/Journals.js"
import { Journals } from "../journal/Journals.js"
import * as Arrival from "./Arrival.js"
import type { FlowView } from "./FlowView.js"
import * as FlowViews from "./FlowViews.js"
import { LogicalSnapshots } from "./LogicalSnapshots.js"
import { ProvenanceStore } from "./ProvenanceStore.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotAnnotation from "./SnapshotAnnotation.js"
import * as SnapshotCounts from "./SnapshotCounts.js"
import * as SnapshotDiff from "./SnapshotDiff.js"
import { type SnapshotDraft, SnapshotStore, type StartKey } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

type Row = Snapshot.SnapshotRow
type Judged = Row & SnapshotAnnotation.JudgedRow

/** Why an environment is looked at, and what is known beforehand. */
export interface Occasion {
  readonly cause: SnapshotDiff.DiffCause
  /** What runs now; none when that is what the latest snapshot says. */
  readonly rows: Option.Option<ReadonlyArray<RunningRow>>
  /** Whether evidence about rows that run on may have changed. */
  readonly isStale: boolean
  /** What the record of the snapshot says besides. */
  readonly note: { readonly [name: string]: string }
}

const provenanceOf = (views: ReadonlyArray<FlowView>): string =>
  SnapshotDiff.provenanceKey(
    views.map((view) => ({
      flow: view.flow_id,
      trail: view.trail_id,
      slot: view.slot,
      artifact: view.artifact_id,
      status: view.status
    }))
  )

const NO_DECISION = SnapshotDiff.decisionKey({ statuses: [], reasons: [] })

const judged = (row: Row): Judged => ({
  ...row,
  decisionKey: NO_DECISION,
  provenanceKey: provenanceOf(row.flows)
})

const CLASS_RANK = { exited: 0, changed: 1, started: 2 } as const

/** What happened, in the order of the log. DECISION D9.2 */
const eventsOf = (
  rows: ReadonlyArray<SnapshotDiff.AnnotatedRow<Judged>>,
  arrived: ReadonlySet<string>
): ReadonlyArray<Snapshot.RowEvent> =>
  rows
    .flatMap(({ row: { name, fingerprint }, annotation }) =>
      SnapshotAnnotation.isEvent(annotation.type)
        ? [
            {
              rank: CLASS_RANK[classOf(annotation.type)],
              event: {
                name,
                fingerprint,
                annotation,
                arrived: arrived.has(keyOf({ name, fingerprint }))
              }
            }
          ]
        : []
    )
    .sort((left, right) => left.rank - right.rank || byIdentity(left.event, right.event))
    .map(({ event }) => event)

const knownFingerprints = (rows: ReadonlyArray<RunningRow>): ReadonlyArray<Fingerprint> =>
  [...new Set(rows.map(({ fingerprint }) => fingerprint))].filter(isKnown).sort()

/** Makes snapshots. */
export class SnapshotHistory extends Effect.Service<SnapshotHistory>()(
  "@attestry/core/SnapshotHistory",
  {
    effect: Effect.gen(function* () {
      const store = yield* SnapshotStore
      const provenance = yield* ProvenanceStore
      const allowLists = yield* AllowListStore
      const journals = yield* Journals
      const logical = yield* LogicalSnapshots

      /** The flow views of the rows whose evidence is not known to be as it was. */
      const lookUp = (
        org: Environment.EnvironmentRef["org"],
        running: ReadonlyArray<Row>,
        { rows, isStale }: { readonly rows: ReadonlyArray<RunningRow>; readonly isStale: boolean }
      ) =>
        Effect.gen(function* () {
          const before = new Set(running.map(keyOf))
          const arriving = knownFingerprints(rows.filter((row) => !before.has(keyOf(row))))
          const asked = isStale ? knownFingerprints(rows) : arriving
          if (asked.length === 0) return new Map<string, ReadonlyArray<FlowView>>()
          if (arriving.length > 0) yield* provenance.settle(org, arriving)
          return FlowViews.group(yield* provenance.records(org, asked))
        })

      /** Tells each flow view that is new what ran in its place before. */
      const withPredecessors = (
        ref: Environment.EnvironmentRef,
        rows: ReadonlyArray<Row>,
        fresh: ReadonlySet<string>
      ) =>
        Effect.gen(function* () {
          const keys = rows.flatMap((row): ReadonlyArray<StartKey> => {
            const { fingerprint, started_index: before } = row
            return fresh.has(keyOf(row)) && isKnown(fingerprint)
              ? row.flows.map(({ flow_id: flow, slot }) => ({ flow, slot, fingerprint, before }))
              : []
          })
          if (keys.length === 0) return rows
          const found = yield* store.predecessors(ref, keys)
          let next = 0
          return rows.map((row): Row => {
            if (!fresh.has(keyOf(row)) || !isKnown(row.fingerprint)) return row
            const flows = row.flows.map((view) => ({
              ...view,
              previous: Option.getOrNull(found[next++] ?? Option.none())
            }))
            return { ...row, flows }
          })
        })

      /** What runs now, with what flows know and with a verdict. */
      const judge = (
        environment: Environment.Environment,
        { running, index }: { readonly running: ReadonlyArray<Row>; readonly index: number },
        { rows, isStale }: Occasion
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const before = new Map(running.map((row) => [keyOf(row), row]))
          const reported = Option.getOrElse(rows, (): ReadonlyArray<RunningRow> => running)
          const views = yield* lookUp(ref.org, running, { rows: reported, isStale })
          const allowed = new Set<string>(
            (yield* allowLists.list(ref)).map(({ fingerprint }) => fingerprint)
          )
          const fresh = new Set<string>()
          const next = reported.map((row): Row => {
            const known = before.get(keyOf(row))
            const found =
              isStale || known === undefined ? (views.get(row.fingerprint) ?? []) : known.flows
            const isSame = known !== undefined && provenanceOf(found) === provenanceOf(known.flows)
            if (!isSame) fresh.add(keyOf(row))
            return {
              ...row,
              verdict: allowed.has(row.fingerprint) ? "Compliant" : "Unknown",
              started_index: known?.started_index ?? index,
              flows: isSame ? known.flows : found
            }
          })
          return yield* withPredecessors(ref, next, fresh)
        })

      /** One entry on each trail that knows a row which started or stopped. DECISION D2.17 */
      const trailRecords = (
        writer: Writer.Writer,
        environment: Environment.Environment,
        {
          index,
          changes
        }: {
          readonly index: number
          readonly changes: ReadonlyArray<SnapshotDiff.AnnotatedRow<Judged>>
        }
      ): ReadonlyArray<JournalRecord> =>
        changes.flatMap(({ row, annotation }) => {
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

      /**
       * Appends what changed since the latest snapshot, records it, and lets the logical environments
       * above follow; none when nothing changed.
       */
      const append = (
        writer: Writer.Writer,
        environment: Environment.Environment,
        occasion: Occasion
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const latest = yield* store.latest(ref)
          const running = Option.isSome(latest) ? yield* store.running(ref) : []
          const index = Option.match(latest, { onNone: () => 1, onSome: (head) => head.index + 1 })
          const after = yield* judge(environment, { running, index }, occasion)
          const diff = SnapshotDiff.diff(
            Option.map(latest, () => ({ running: running.map(judged), policies: [] })),
            { running: after.map(judged), policies: [] },
            { cause: occasion.cause, includeScaling: environment.include_scaling }
          )
          if (diff._tag === "Nothing") return Option.none()
          const counts = SnapshotCounts.count(after)
          const changes = [...diff.running, ...diff.exited]
          const draft: SnapshotDraft = {
            index,
            timestamp: SnapshotTimeline.nextTimestamp(
              writer.at,
              Option.map(latest, ({ timestamp }) => timestamp)
            ),
            verdict: SnapshotCounts.verdictOf(counts, { hasPolicies: false }),
            counts,
            ...Snapshot.rowChanges(running, after),
            events: eventsOf(changes, new Set(Arrival.deployed(running, after).map(keyOf)))
          }
          yield* store.append(ref, draft)
          const { timestamp, verdict, events } = draft
          yield* journals.recordAll([
            {
              ...writer,
              kind: "snapshot_created",
              subject: { type: "environment", id: environment.id },
              content: { ...occasion.note, index, timestamp, verdict, counts, events }
            },
            ...trailRecords(writer, environment, { index, changes })
          ])
          yield* logical.memberChanged({ ...writer, at: timestamp }, environment)
          return Option.some(draft)
        })

      return { append } as const
    })
  }
) {}

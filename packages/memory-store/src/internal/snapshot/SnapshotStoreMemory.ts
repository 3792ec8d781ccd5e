/** `SnapshotStore` in memory: whole snapshots, one list per environment. */

import * as DeploymentDiff from "@attestry/core/DeploymentDiff"
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { Evaluation } from "@attestry/core/EvaluationTimeline"
import { isKnown } from "@attestry/core/Fingerprint"
import type { Predecessor } from "@attestry/core/FlowView"
import type { EnvironmentId } from "@attestry/core/Identifier"
import * as LogicalRows from "@attestry/core/LogicalRows"
import { byNewest, keyOf } from "@attestry/core/RunningRow"
import {
  applyChanges,
  type ListedRow,
  type Snapshot,
  type SnapshotHead,
  type SnapshotMember,
  type SnapshotRow
} from "@attestry/core/Snapshot"
import type { SnapshotAnnotation } from "@attestry/core/SnapshotAnnotation"
import type { Locator } from "@attestry/core/SnapshotExpression"
import {
  type EventPosition,
  type EventQuery,
  type SnapshotDraft,
  SnapshotStore,
  type StartKey,
  type StoredEvent
} from "@attestry/core/SnapshotStore"
import * as SnapshotTimeline from "@attestry/core/SnapshotTimeline"
import { StoreError } from "@attestry/core/StoreError"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HistoryTables from "../history/HistoryTables.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"

/** A snapshot with all its rows; a logical one has members instead. */
export interface Stored {
  readonly draft: SnapshotHead
  /** The events in the order of the log; those of a logical environment are about rows of its members. */
  readonly events: ReadonlyArray<Pick<StoredEvent, "annotation" | "arrived" | "row">>
  readonly members: ReadonlyArray<SnapshotMember> | null
  readonly running: ReadonlyArray<SnapshotRow>
  readonly listed: ReadonlyArray<ListedRow>
}

/** The snapshots of one environment, oldest first. */
export type History = ReadonlyArray<Stored>

/** The snapshots of environments, by org and id. */
export const histories = table<History>("snapshot")

/** The key of the history of an environment. */
export const keyOfRef = ({ org, environment }: EnvironmentRef) => key(org, environment)

/** A row that continues to run; where scaling is not recorded, its instance count may have changed. */
const unchanged = (before: SnapshotRow, row: SnapshotRow): SnapshotAnnotation => ({
  type: "unchanged",
  was: before.creationTimestamp.length,
  now: row.creationTimestamp.length
})

/** The next snapshot, with all its rows. */
const build = (before: ReadonlyArray<SnapshotRow>, draft: SnapshotDraft): Stored => {
  const annotations = new Map(draft.events.map((event) => [keyOf(event), event.annotation]))
  const previous = new Map(before.map((row) => [keyOf(row), row]))
  const running = applyChanges(before, draft)
  const exited = before
    .filter((row) => annotations.get(keyOf(row))?.type === "exited")
    .sort(byNewest)
  const shown = new Map([...running, ...exited].map((row) => [keyOf(row), row]))
  return {
    draft,
    events: draft.events.flatMap(({ annotation, arrived, ...event }) => {
      const row = shown.get(keyOf(event))
      return row === undefined ? [] : [{ row, annotation, arrived }]
    }),
    members: null,
    running,
    listed: Array.from(shown.values(), (row) => ({
      ...row,
      annotation: annotations.get(keyOf(row)) ?? unchanged(previous.get(keyOf(row)) ?? row, row)
    }))
  }
}

const indexesOf = (members: ReadonlyArray<SnapshotMember> | null | undefined) =>
  new Map(members?.map(({ environment_id, index }) => [environment_id, index]))

/** The events of rows of members between two snapshots of a logical environment. */
const memberEvents = (
  before: ReadonlyArray<SnapshotMember> | null | undefined,
  after: ReadonlyArray<SnapshotMember>,
  historyOf: (member: EnvironmentId) => History
): Stored["events"] => {
  const [old, next] = [indexesOf(before), indexesOf(after)]
  return LogicalRows.events(
    [...new Set([...old.keys(), ...next.keys()])].map((environment) => {
      const [from, to] = [old.get(environment) ?? null, next.get(environment) ?? null]
      return {
        environment,
        before: from,
        now: to,
        rows: historyOf(environment)[(to ?? from ?? 0) - 1]?.listed ?? []
      }
    })
  ).map(({ annotation, environment: _, ...row }) => ({ row, annotation, arrived: false }))
}

/** The index of a locator; that of an instant is the newest by then, 0 when there is none. */
export const indexOf = (history: History, locator: Locator): number =>
  locator._tag === "AtIndex"
    ? locator.index
    : SnapshotTimeline.indexAt(
        history.map(({ draft }) => draft.timestamp),
        locator.instant
      )

const headOf = ({ index, timestamp, verdict, counts, policies, reasons }: SnapshotHead) => ({
  index,
  timestamp,
  verdict,
  counts,
  policies,
  ...(reasons === undefined ? {} : { reasons })
})

const snapshotAt = (
  { org, environment }: EnvironmentRef,
  history: History,
  index: number
): Option.Option<Snapshot> =>
  Option.map(Option.fromNullable(history[index - 1]), ({ draft, listed, members }) => ({
    org_id: org,
    environment_id: environment,
    ...headOf(draft),
    rows: listed,
    members,
    next_timestamp: history[index]?.draft.timestamp ?? null
  }))

/** Every event of the snapshots with its row, oldest first. */
export const eventsOf = (history: History): Array<StoredEvent> =>
  history.flatMap(({ draft: { index, timestamp, verdict: snapshotVerdict }, events }) =>
    events.map((event, at) => ({ index, position: at + 1, timestamp, snapshotVerdict, ...event }))
  )

const isAfter = (left: EventPosition, right: EventPosition): boolean =>
  left.index > right.index || (left.index === right.index && left.position > right.position)

const selectEvents = (
  history: History,
  { span, skip, after, limit, newestFirst }: EventQuery
): ReadonlyArray<StoredEvent> => {
  const events = eventsOf(history.slice(span.first - 1, span.last))
  return (newestFirst ? events.reverse() : events)
    .slice(skip)
    .filter((event) =>
      Option.match(after, {
        onNone: () => true,
        onSome: (at) => (newestFirst ? isAfter(at, event) : isAfter(event, at))
      })
    )
    .slice(0, limit)
}

/** Every start of an artifact with provenance: rows at their start, or when their provenance became known. */
export const startsOf = (history: History) =>
  history.flatMap(({ running }) =>
    running.flatMap((row) =>
      row.flows.map((view) => ({
        snapshotIndex: row.started_index,
        name: row.name,
        fingerprint: row.fingerprint,
        flow: view.flow_id,
        slot: view.slot,
        view
      }))
    )
  )

const predecessorOf = (
  starts: ReturnType<typeof startsOf>,
  { flow, slot, fingerprint, before }: StartKey
): Option.Option<Predecessor> =>
  Option.flatMap(
    DeploymentDiff.predecessor(
      starts.flatMap((start) =>
        isKnown(start.fingerprint) ? [{ ...start, fingerprint: start.fingerprint }] : []
      ),
      { snapshotIndex: before, name: "", fingerprint, flow, slot }
    ),
    ({ name, fingerprint: other, view }) =>
      Option.some({
        name,
        fingerprint: other,
        git_commit: view.git_commit,
        commit_url: view.commit_url,
        trail_name: view.trail_name,
        slot: view.slot,
        status: view.status
      })
  )

/** `SnapshotStore` in memory. */
export const layer: Layer.Layer<SnapshotStore, never, MemoryState> = Layer.effect(
  SnapshotStore,
  Effect.map(MemoryState, (state) => {
    const historyOf = (ref: EnvironmentRef): Effect.Effect<History> =>
      Effect.map(state.read(histories), (rows) =>
        Option.getOrElse(HashMap.get(rows, keyOfRef(ref)), (): History => [])
      )

    const push = (ref: EnvironmentRef, index: number, next: (history: History) => Stored) =>
      state.transaction(() =>
        Effect.gen(function* () {
          const history = yield* historyOf(ref)
          if (index !== history.length + 1) {
            const cause = new Error(`snapshot ${index} is not the next one`)
            return yield* new StoreError({ operation: "SnapshotStore.append", cause })
          }
          yield* state.modify(histories, (rows) => [
            undefined,
            HashMap.set(rows, keyOfRef(ref), [...history, next(history)])
          ])
        })
      )

    const evaluated = (ref: EnvironmentRef, evaluation: Evaluation) =>
      HistoryTables.change(state, HistoryTables.evaluations, {
        at: keyOfRef(ref),
        next: (list) => [
          ...list,
          { ...evaluation, at: Timestamp.fromMicros(Math.max(list.at(-1)?.at ?? 0, evaluation.at)) }
        ]
      })

    /** Gives a snapshot its number; as an evaluation of all rows where it was one. */
    const numbered = (
      ref: EnvironmentRef,
      {
        index,
        evaluated_all,
        semantics,
        timestamp,
        is_decay
      }: Pick<SnapshotDraft, "index" | "evaluated_all" | "semantics" | "timestamp" | "is_decay">
    ) =>
      Effect.gen(function* () {
        const evaluation = {
          ...(yield* HistoryTables.draw(state, timestamp)),
          index,
          is_decay: is_decay === true
        }
        yield* HistoryTables.change(state, HistoryTables.snapshotEvaluations, {
          at: keyOfRef(ref),
          next: (list) => [...list, { ...evaluation, semantics }]
        })
        if (evaluated_all) yield* evaluated(ref, evaluation)
      })

    return SnapshotStore.of({
      latest: (ref) =>
        Effect.map(historyOf(ref), (history) =>
          Option.map(Option.fromNullable(history.at(-1)), ({ draft }) => headOf(draft))
        ),
      running: (ref) => Effect.map(historyOf(ref), (history) => history.at(-1)?.running ?? []),
      find: (ref, locator, only) =>
        Effect.map(historyOf(ref), (history) =>
          Option.map(snapshotAt(ref, history, indexOf(history, locator)), (found) =>
            only === undefined
              ? found
              : { ...found, rows: found.rows.filter((row) => only.includes(row.fingerprint)) }
          )
        ),
      heads: (ref, { first, last }) =>
        Effect.map(historyOf(ref), (history) =>
          history
            .slice(first - 1, last)
            .map((stored) => ({
              ...headOf(stored.draft),
              next_timestamp: history[stored.draft.index]?.draft.timestamp ?? null
            }))
            .reverse()
        ),
      indexAt: (ref, instant) =>
        Effect.map(historyOf(ref), (history) => indexOf(history, { _tag: "AtInstant", instant })),
      append: (ref, draft) =>
        Effect.zipRight(
          push(ref, draft.index, (history) => build(history.at(-1)?.running ?? [], draft)),
          numbered(ref, draft)
        ),
      recordUnchangedEvaluation: (ref, { at, index, is_decay }) =>
        Effect.flatMap(HistoryTables.draw(state, at), (known) =>
          evaluated(ref, { ...known, index, is_decay: is_decay === true })
        ),
      appendLogical: (ref, { members, semantics, ...draft }) =>
        Effect.flatMap(state.read(histories), (all) =>
          push(ref, draft.index, (history) => ({
            draft,
            members,
            events: memberEvents(history.at(-1)?.members, members, (environment) =>
              Option.getOrElse(
                HashMap.get(all, keyOfRef({ org: ref.org, environment })),
                (): History => []
              )
            ),
            running: [],
            listed: []
          }))
        ).pipe(Effect.zipRight(numbered(ref, { ...draft, evaluated_all: true, semantics }))),
      events: (ref, query) => Effect.map(historyOf(ref), (history) => selectEvents(history, query)),
      countEvents: (ref, { first, last }) =>
        Effect.map(historyOf(ref), (history) => eventsOf(history.slice(first - 1, last)).length),
      predecessors: (ref, keys) =>
        Effect.map(historyOf(ref), (history) => {
          const starts = startsOf(history)
          return keys.map((key) => predecessorOf(starts, key))
        })
    })
  })
)

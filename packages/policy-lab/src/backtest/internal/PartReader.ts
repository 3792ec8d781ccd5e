/** Reads a part of the history of a physical environment, and the context of its replay. */

import type { EnvironmentRef } from "@attestry/core/Environment"
import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import type { FactTimeline } from "@attestry/core/FactTimeline"
import * as FactTimelines from "@attestry/core/FactTimelines"
import { type AllowedPeriod, HistoryStore, type RecordedRow } from "@attestry/core/HistoryStore"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { VersionKey } from "@attestry/core/PolicySets"
import { PolicyStore } from "@attestry/core/PolicyStore"
import * as PolicyVersions from "@attestry/core/PolicyVersions"
import type { Span } from "@attestry/core/SnapshotRange"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import type { JudgedRows } from "../../authoring/internal/JudgedRows.js"
import type { HistoryHead } from "./HistoryPart.js"
import type { BacktestContext } from "./RowReplay.js"

/** The part of the context that all environments share. */
export interface ReplaySettings
  extends Pick<BacktestContext, "candidate" | "horizon" | "evidence" | "replaces" | "verify"> {
  /** The rows that the caller may try the candidate on. */
  readonly judged: (
    rows: ReadonlyArray<RecordedRow>
  ) => Effect.Effect<JudgedRows<RecordedRow>, StoreError>
}

/** A physical environment that is read part by part. */
export interface Source {
  readonly ref: EnvironmentRef
  readonly memo: Memo
}

/** Evaluations, allow-list and moments, read once for all parts, and timelines that are kept for the next part. */
export interface Memo {
  evaluations?: EvaluationTimeline.EvaluationTimeline
  allowedPeriods?: ReadonlyMap<string, ReadonlyArray<AllowedPeriod>>
  momentAt?: EnvironmentMoments.MomentAt
  timelines: ReadonlyMap<string, FactTimeline>
}

/** A part that was read. */
export interface ReadPart {
  /** Oldest first. */
  readonly heads: ReadonlyArray<HistoryHead>
  /** The instant of the snapshot after the last; null where there is none. */
  readonly next: Timestamp | null
  readonly rows: ReadonlyArray<RecordedRow>
  /** Those that are not replayed, because a flow knows them that the caller does not read. */
  readonly hidden: ReadonlyArray<RecordedRow>
  readonly context: BacktestContext
}

/** A source before its first part. */
export const source = (ref: EnvironmentRef): Source => ({ ref, memo: { timelines: new Map() } })

const byFingerprint = (allowedPeriods: ReadonlyArray<AllowedPeriod>) => {
  const found = new Map<string, Array<AllowedPeriod>>()
  for (const allowance of allowedPeriods) {
    const others = found.get(allowance.fingerprint)
    if (others === undefined) found.set(allowance.fingerprint, [allowance])
    else others.push(allowance)
  }
  return found
}

const NO_PERIODS: ReadonlyArray<AllowedPeriod> = []

const versionKeys = (rows: ReadonlyArray<RecordedRow>, more: ReadonlyArray<VersionKey>) => {
  const keys = new Map(more.map((key) => [`${key.id} ${key.version}`, key]))
  for (const { decisions } of rows)
    for (const { policy_id: id, policy_name: name, version } of decisions)
      keys.set(`${id} ${version}`, { id, name, version })
  return [...keys.values()]
}

/** Makes the reader of parts. */
export const make = Effect.gen(function* () {
  const snapshots = yield* SnapshotStore
  const history = yield* HistoryStore
  const policies = yield* PolicyStore
  const momentsOf = yield* EnvironmentMoments.make

  const onceOf = ({ memo, ref }: Source) =>
    Effect.gen(function* () {
      memo.evaluations ??= EvaluationTimeline.make(yield* history.evaluations(ref))
      memo.allowedPeriods ??= byFingerprint(yield* history.allowedPeriods(ref))
      memo.momentAt ??= yield* momentsOf(ref)
      const { allowedPeriods, evaluations, momentAt } = memo
      return { allowedPeriods, evaluations, momentAt }
    })

  /** The timelines of the rows of a part; those of rows that continue are kept for the next part. */
  const timelinesOf = ({ memo, ref }: Source, rows: ReadonlyArray<RecordedRow>, { last }: Span) =>
    Effect.gen(function* () {
      const known = memo.timelines
      const prints = rows.map(({ fingerprint }) => fingerprint)
      const fresh = yield* FactTimelines.read(
        history,
        ref.org,
        prints.filter((fingerprint) => !known.has(fingerprint))
      )
      const timelineOf = (fingerprint: string) => known.get(fingerprint) ?? fresh(fingerprint)
      memo.timelines = new Map(
        rows
          .filter(({ lastIndex }) => lastIndex === last)
          .map(({ fingerprint }) => [fingerprint, timelineOf(fingerprint)])
      )
      return timelineOf
    })

  const headsOf = (ref: EnvironmentRef, span: Span) =>
    Effect.map(snapshots.heads(ref, span), (found) => {
      const [newest] = found
      const heads = found
        .map(({ index, timestamp, verdict }): HistoryHead => ({ index, timestamp, verdict }))
        .reverse()
      return { heads, next: newest?.next_timestamp ?? null }
    })

  const versionsOf = (ref: EnvironmentRef, keys: ReadonlyArray<VersionKey>) =>
    Effect.map(PolicyVersions.read(policies, ref.org, keys), (versionOf) => {
      const known = new Map<string, PolicyEvaluation.CompiledPolicies | undefined>()
      return (key: { readonly id: string; readonly version: number }) => {
        const text = `${key.id} ${key.version}`
        const version = versionOf(key)
        if (!known.has(text))
          known.set(text, version === undefined ? undefined : PolicyEvaluation.compile([version]))
        return known.get(text)
      }
    })

  /** Reads the snapshots of a span and the context of their rows; `more` are further policy versions to compile. */
  return (
    from: Source,
    span: Span,
    {
      judged,
      more = [],
      ...settings
    }: ReplaySettings & { readonly more?: ReadonlyArray<VersionKey> }
  ): Effect.Effect<ReadPart, StoreError> =>
    Effect.gen(function* () {
      const { ref } = from
      const { evaluations, allowedPeriods, momentAt } = yield* onceOf(from)
      const { heads, next } = yield* headsOf(ref, span)
      const all = yield* history.recordedRows(ref, span)
      const { rows } = yield* judged(all)
      const kept = new Set(rows)
      const started = yield* history.snapshots(ref, [
        ...new Set(rows.flatMap(({ firstIndex, startedIndex }) => [firstIndex, startedIndex]))
      ])
      const context: BacktestContext = {
        ...settings,
        evaluations,
        started: new Map(started.map((each) => [each.index, each])),
        allowedPeriods: (fingerprint) => allowedPeriods.get(fingerprint) ?? NO_PERIODS,
        timelineOf: yield* timelinesOf(from, rows, span),
        momentAt,
        versionOf: yield* versionsOf(ref, versionKeys(rows, more))
      }
      const hidden = all.filter((row) => !kept.has(row))
      return { heads, next, rows, hidden, context }
    })
})

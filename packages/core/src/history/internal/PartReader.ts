/** Reads what a part of the history of a physical environment is played with. */
import * as Effect from "effect/Effect"
import type { EnvironmentRef } from "../../environment/Environment.js"
import type { VersionKey } from "../../policy/internal/PolicySets.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import type { Span } from "../../snapshot/SnapshotRange.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import type { FactTimeline } from "../FactTimeline.js"
import type { PastHead } from "../HistoryPart.js"
import { type Allowance, HistoryStore } from "../HistoryStore.js"
import * as JudgingTimeline from "../JudgingTimeline.js"
import { type RecordedRow, RecordedRowStore } from "../RecordedRowStore.js"
import { Candidates } from "./Candidates.js"
import type { Play } from "./PlayedRow.js"
import * as Timelines from "./Timelines.js"

/** What is played, whatever the environment. */
export type Played = Pick<Play, "candidate" | "horizon" | "knowledge" | "replaces" | "verify">

/** A physical environment that is read part by part. */
export interface Source {
  readonly ref: EnvironmentRef
  readonly memo: Memo
}

/** What is read once for all parts: judgings and the allow-list; and for the next part: timelines of what runs on. */
export interface Memo {
  judgings?: JudgingTimeline.JudgingTimeline
  allowances?: ReadonlyMap<string, ReadonlyArray<Allowance>>
  timelines: ReadonlyMap<string, FactTimeline>
}

/** What was read. */
export interface ReadPart {
  /** Oldest first. */
  readonly heads: ReadonlyArray<PastHead>
  /** The instant of the snapshot after the last; null where there is none. */
  readonly next: Timestamp | null
  readonly rows: ReadonlyArray<RecordedRow>
  readonly play: Play
}

/** A source of which nothing was read. */
export const source = (ref: EnvironmentRef): Source => ({ ref, memo: { timelines: new Map() } })

const byFingerprint = (allowances: ReadonlyArray<Allowance>) => {
  const found = new Map<string, Array<Allowance>>()
  for (const allowance of allowances) {
    const others = found.get(allowance.fingerprint)
    if (others === undefined) found.set(allowance.fingerprint, [allowance])
    else others.push(allowance)
  }
  return found
}

const NO_ALLOWANCES: ReadonlyArray<Allowance> = []

const versionKeys = (rows: ReadonlyArray<RecordedRow>, more: ReadonlyArray<VersionKey>) => {
  const keys = new Map(more.map((key) => [`${key.id} ${key.version}`, key]))
  for (const { decisions } of rows)
    for (const { policy_id: id, policy_name: name, version } of decisions)
      keys.set(`${id} ${version}`, { id, name, version })
  return [...keys.values()]
}

/** Makes what reads parts. */
export const make = Effect.gen(function* () {
  const snapshots = yield* SnapshotStore
  const history = yield* HistoryStore
  const recorded = yield* RecordedRowStore
  const candidates = yield* Candidates

  const onceOf = ({ memo, ref }: Source) =>
    Effect.gen(function* () {
      memo.judgings ??= JudgingTimeline.make(yield* history.judgings(ref))
      memo.allowances ??= byFingerprint(yield* history.allowances(ref))
      return { judgings: memo.judgings, allowances: memo.allowances }
    })

  /** The timelines of the rows of a part; those of what runs on are kept for the next. */
  const timelinesOf = ({ memo, ref }: Source, rows: ReadonlyArray<RecordedRow>, { last }: Span) =>
    Effect.gen(function* () {
      const known = memo.timelines
      const prints = rows.map(({ fingerprint }) => fingerprint)
      const fresh = yield* Timelines.read(
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
        .map(({ index, timestamp, verdict }): PastHead => ({ index, timestamp, verdict }))
        .reverse()
      return { heads, next: newest?.next_timestamp ?? null }
    })

  const versionsOf = (ref: EnvironmentRef, keys: ReadonlyArray<VersionKey>) =>
    Effect.map(candidates.versions(ref.org, keys), (versionOf) => {
      const known = new Map<string, PolicyEvaluation.CompiledPolicies | undefined>()
      return (key: { readonly id: string; readonly version: number }) => {
        const text = `${key.id} ${key.version}`
        const version = versionOf(key)
        if (!known.has(text))
          known.set(text, version === undefined ? undefined : PolicyEvaluation.compile([version]))
        return known.get(text)
      }
    })

  /** Reads the snapshots of a span, and what their rows are played with; `more` versions can be asked for too. */
  return (
    from: Source,
    span: Span,
    { more = [], ...played }: Played & { readonly more?: ReadonlyArray<VersionKey> }
  ): Effect.Effect<ReadPart, StoreError> =>
    Effect.gen(function* () {
      const { ref } = from
      const { judgings, allowances } = yield* onceOf(from)
      const { heads, next } = yield* headsOf(ref, span)
      const rows = yield* recorded.rows(ref, span)
      const started = yield* history.snapshots(ref, [
        ...new Set(rows.flatMap(({ firstIndex, startedIndex }) => [firstIndex, startedIndex]))
      ])
      const play: Play = {
        ...played,
        judgings,
        started: new Map(started.map((each) => [each.index, each])),
        allowances: (fingerprint) => allowances.get(fingerprint) ?? NO_ALLOWANCES,
        timelineOf: yield* timelinesOf(from, rows, span),
        versionOf: yield* versionsOf(ref, versionKeys(rows, more))
      }
      return { heads, next, rows, play }
    })
})

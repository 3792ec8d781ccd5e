/** Reads the history of environments part by part, and plays each part. */
import * as Effect from "effect/Effect"
import {
  type Environment,
  type EnvironmentRef,
  ref as refOf
} from "../../environment/Environment.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import type { EnvironmentName } from "../../shared/Identifier.js"
import * as Timestamp from "../../shared/Timestamp.js"
import type { WholeWindow } from "../../shared/TimeWindow.js"
import type { Span } from "../../snapshot/SnapshotRange.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import type { FactTimeline } from "../FactTimeline.js"
import type { PastHead } from "../HistoryPart.js"
import { type Allowance, HistoryStore } from "../HistoryStore.js"
import * as JudgingTimeline from "../JudgingTimeline.js"
import * as PolicyBacktest from "../PolicyBacktest.js"
import { type RecordedRow, RecordedRowStore } from "../RecordedRowStore.js"
import { Candidates } from "./Candidates.js"
import * as Timelines from "./Timelines.js"

/** What is played, whatever the environment. */
export type Played = Pick<
  PolicyBacktest.Play,
  "candidate" | "horizon" | "knowledge" | "replaces" | "verify"
>

/** An environment whose history is played. */
export interface PlayedEnvironment extends Played {
  readonly ref: EnvironmentRef
  readonly name: EnvironmentName
  readonly isArchived: boolean
  readonly window: WholeWindow
  readonly parts: ReadonlyArray<Span>
  /** The number of snapshots. */
  readonly count: number
  readonly memo: Memo
}

/** What is read once for all parts: judgings and the allow-list; and for the next part: timelines of what runs on. */
interface Memo {
  judgings?: JudgingTimeline.JudgingTimeline
  allowances?: ReadonlyMap<string, ReadonlyArray<Allowance>>
  timelines: ReadonlyMap<string, FactTimeline>
}

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

const versionKeys = (rows: ReadonlyArray<RecordedRow>) => {
  const keys = new Map(
    rows.flatMap(({ decisions }) =>
      decisions.map(({ policy_id: id, policy_name: name, version }) => [
        `${id} ${version}`,
        { id, name, version }
      ])
    )
  )
  return [...keys.values()]
}

/** Reads and plays parts of histories. */
export class HistoryParts extends Effect.Service<HistoryParts>()("@attestry/core/HistoryParts", {
  effect: Effect.gen(function* () {
    const snapshots = yield* SnapshotStore
    const history = yield* HistoryStore
    const recorded = yield* RecordedRowStore
    const candidates = yield* Candidates

    /** The snapshots of a window, cut into parts; the history of an archived environment ends with it. */
    const prepare = (
      environment: Environment,
      { window: asked, ...played }: Played & { readonly window: WholeWindow }
    ) =>
      Effect.gen(function* () {
        const { archived_at: end, name } = environment
        const ref = refOf(environment)
        const window = { ...asked, to: end !== null && end < asked.to ? end : asked.to }
        const first = Math.max(1, yield* snapshots.indexAt(ref, window.from))
        const last = window.to <= window.from ? 0 : yield* snapshots.indexAt(ref, window.to)
        const parts = last < first ? [] : yield* recorded.parts(ref, { first, last })
        const count = parts.reduce((sum, part) => sum + part.last - part.first + 1, 0)
        const memo: Memo = { timelines: new Map() }
        return {
          ...played,
          ...{ ref, name, isArchived: end !== null, window, parts, count, memo }
        } satisfies PlayedEnvironment
      })

    const onceOf = ({ memo, ref }: PlayedEnvironment) =>
      Effect.gen(function* () {
        memo.judgings ??= JudgingTimeline.make(yield* history.judgings(ref))
        memo.allowances ??= byFingerprint(yield* history.allowances(ref))
        return { judgings: memo.judgings, allowances: memo.allowances }
      })

    /** The timelines of the rows of a part; those of what runs on are kept for the next. */
    const timelinesOf = (
      { memo, ref }: PlayedEnvironment,
      rows: ReadonlyArray<RecordedRow>,
      { last }: Span
    ) =>
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
          .map(
            ({ counts, index, timestamp, verdict }): PastHead => ({
              index,
              timestamp,
              verdict,
              countFalse: counts.false
            })
          )
          .reverse()
        return { heads, next: newest?.next_timestamp ?? null }
      })

    const versionsOf = (ref: EnvironmentRef, rows: ReadonlyArray<RecordedRow>) =>
      Effect.map(candidates.versions(ref.org, versionKeys(rows)), (versionOf) => {
        const known = new Map<string, PolicyEvaluation.CompiledPolicies | undefined>()
        return (key: { readonly id: string; readonly version: number }) => {
          const text = `${key.id} ${key.version}`
          const version = versionOf(key)
          if (!known.has(text))
            known.set(text, version === undefined ? undefined : PolicyEvaluation.compile([version]))
          return known.get(text)
        }
      })

    /** Plays one part of an environment. */
    const play = (environment: PlayedEnvironment, at: number) =>
      Effect.gen(function* () {
        const { parts, ref, window, ...played } = environment
        const span = parts[at] ?? { first: 1, last: 0 }
        const { judgings, allowances } = yield* onceOf(environment)
        const { heads, next } = yield* headsOf(ref, span)
        const rows = yield* recorded.rows(ref, span)
        const started = yield* history.snapshots(ref, [
          ...new Set(rows.flatMap(({ firstIndex, startedIndex }) => [firstIndex, startedIndex]))
        ])
        const timelineOf = yield* timelinesOf(environment, rows, span)
        const begin = heads[0]?.timestamp ?? window.from
        return PolicyBacktest.play(
          {
            heads,
            rows,
            from: Timestamp.fromMicros(Math.max(begin, window.from)),
            to: next === null || next > window.to ? window.to : next,
            isFirst: at === 0,
            isLast: at === parts.length - 1
          },
          {
            ...played,
            judgings,
            started: new Map(started.map((each) => [each.index, each])),
            allowances: (fingerprint) => allowances.get(fingerprint) ?? NO_ALLOWANCES,
            timelineOf,
            versionOf: yield* versionsOf(ref, rows)
          }
        )
      })

    return { prepare, play } as const
  })
}) {}

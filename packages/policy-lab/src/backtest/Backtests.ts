/**
 * Backtests: replays recorded history with a candidate, as a stream. SPEC §4.6
 *
 * One part of one environment is read at a time, in statements of its own; nothing is stored, and a stream that is
 * closed stops reading.
 */

import type { CommitPosition } from "@attestry/core/CommitPosition"
import type { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import type { StoreError } from "@attestry/core/StoreError"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as BacktestCursor from "./internal/BacktestCursor.js"
import * as BacktestPlaces from "./internal/BacktestPlaces.js"
import * as BacktestPlans from "./internal/BacktestPlans.js"
import * as FlippedArtifacts from "./internal/FlippedArtifacts.js"
import { type BacktestEnvironment, HistoryParts } from "./internal/HistoryParts.js"
import * as PolicyBacktest from "./PolicyBacktest.js"

/** One line of a backtest. */
export type BacktestEvent =
  | {
      readonly type: "started"
      readonly horizon: CommitPosition
      readonly environments: number
      readonly snapshots: number
      readonly request: string
      readonly notes: ReadonlyArray<BacktestPlans.BacktestNote>
    }
  | {
      readonly type: "flip"
      readonly environment: EnvironmentName
      readonly flip: PolicyBacktest.Flip
      /** Whether the flip lasts at the horizon. */
      readonly lasts: boolean
    }
  | {
      readonly type: "progress"
      readonly environment: EnvironmentName
      /** The number of replayed snapshots, and of all. */
      readonly played: number
      readonly of: number
      /** The flips of the environment so far. */
      readonly flips: number
      /** Of all environments so far. */
      readonly totals: PolicyBacktest.Totals
      readonly artifacts: number
      /** Null after the last part. */
      readonly cursor: string | null
    }
  | {
      readonly type: "environment"
      readonly environment: EnvironmentName
      readonly totals: PolicyBacktest.Totals
      readonly artifacts: number
      readonly now: PolicyBacktest.VerdictNow | null
    }
  | {
      readonly type: "done"
      readonly totals: PolicyBacktest.Totals
      readonly artifacts: number
      readonly truncated: boolean
    }

/** The progress of a backtest. */
interface State {
  /** The environment that is replayed, and its next part. */
  readonly at: number
  readonly part: number
  /** The flips that may continue in the next part. */
  readonly open: ReadonlyMap<string, PolicyBacktest.Flip>
  /** The verdict at the end of the environment, after its last part. */
  readonly now: PolicyBacktest.VerdictNow | null
  readonly totals: PolicyBacktest.Totals
  readonly whole: PolicyBacktest.Totals
  /** The artifacts with flips, of the environment and of all. */
  readonly artifacts: FlippedArtifacts.FlippedArtifacts
  readonly allArtifacts: FlippedArtifacts.FlippedArtifacts
  readonly listed: number
  readonly played: number
}

const start = (): State => ({
  at: 0,
  part: 0,
  open: new Map(),
  now: null,
  listed: 0,
  played: 0,
  totals: PolicyBacktest.empty,
  whole: PolicyBacktest.empty,
  artifacts: FlippedArtifacts.make(),
  allArtifacts: FlippedArtifacts.make()
})

/** The constants of a backtest. */
interface Backtest {
  readonly all: ReadonlyArray<BacktestEnvironment>
  readonly limit: number
  /** The number of snapshots. */
  readonly of: number
  readonly digest: string
  readonly horizon: CommitPosition
  /** The position of the request's cursor, before which no lines are repeated; absent without a cursor. */
  readonly until?: { readonly at: number; readonly part: number; readonly cursor: string }
}

const soFar = (state: State): BacktestCursor.BacktestSoFar | undefined => {
  const { allArtifacts, artifacts, listed, played, totals, whole } = state
  const all = FlippedArtifacts.print(allArtifacts)
  const own = FlippedArtifacts.print(artifacts)
  if (all === undefined || own === undefined) return undefined
  const isOwn = new Set(own)
  return { totals, whole, own, others: all.filter((each) => !isOwn.has(each)), listed, played }
}

/** The cursor of a state; null after the last part of all. */
const cursorOf = (state: State, { all, digest, horizon }: Backtest): string | null => {
  const environment = all[state.at]
  if (environment === undefined) return null
  const next = environment.parts[state.part]
  if (next === undefined && state.at === all.length - 1) return null
  const so_far = soFar(state)
  return BacktestCursor.print({
    v: 1,
    digest,
    horizon,
    environment: environment.ref.environment,
    index: next?.first ?? (environment.parts.at(-1)?.last ?? 0) + 1,
    ...(so_far === undefined ? {} : { so_far })
  })
}

const nextEnvironment = (state: State): State => ({
  ...state,
  at: state.at + 1,
  part: 0,
  open: new Map(),
  now: null,
  totals: PolicyBacktest.empty,
  artifacts: FlippedArtifacts.make()
})

/** The environment and the part of a cursor. */
const placeOf = (
  all: ReadonlyArray<BacktestEnvironment>,
  cursor: BacktestCursor.BacktestCursor
) => {
  const at = Math.max(
    0,
    all.findIndex(({ ref }) => ref.environment === cursor.environment)
  )
  const parts = all[at]?.parts ?? []
  const part = parts.findIndex(({ first }) => first === cursor.index)
  const isEnd = parts.at(-1)?.last === cursor.index - 1
  return { at, part: isEnd ? parts.length : Math.max(0, part) }
}

type Step = readonly [Chunk.Chunk<BacktestEvent>, Option.Option<State>]

/** Use cases of backtests. */
export class Backtests extends Effect.Service<Backtests>()("@attestry/policy-lab/Backtests", {
  effect: Effect.gen(function* () {
    const parts = yield* HistoryParts
    const reaches = yield* Reaches
    const planOf = yield* BacktestPlans.make
    const takePlace = yield* BacktestPlaces.make

    /** Replays one part. */
    const replayPart = (state: State, environment: BacktestEnvironment, backtest: Backtest) =>
      Effect.gen(function* () {
        const { flips, now, totals } = PolicyBacktest.after(
          state.open,
          yield* parts.replay(environment, state.part)
        )
        const span = environment.parts[state.part]
        const fingerprints = new Set(flips.map(({ fingerprint }) => fingerprint))
        FlippedArtifacts.add(state.artifacts, fingerprints)
        FlippedArtifacts.add(state.allArtifacts, fingerprints)
        const after: State = {
          ...state,
          part: state.part + 1,
          open: PolicyBacktest.open(flips),
          now,
          totals: PolicyBacktest.add(state.totals, totals),
          whole: PolicyBacktest.add(state.whole, totals),
          listed: state.listed + flips.length,
          played: state.played + (span === undefined ? 0 : span.last - span.first + 1)
        }
        const { name } = environment
        const listed = flips.slice(0, Math.max(0, backtest.limit - state.listed)).map(
          (flip): BacktestEvent => ({
            type: "flip",
            environment: name,
            flip,
            lasts: flip.to === environment.settings.horizon.at
          })
        )
        return { after, listed }
      })

    /** The lines of one part, or of the end of an environment or backtest; lines before the cursor are left out. */
    const step = (state: State, backtest: Backtest): Effect.Effect<Step, StoreError> =>
      Effect.gen(function* () {
        const { all, limit, of, until } = backtest
        const environment = all[state.at]
        if (environment === undefined) {
          const artifacts = FlippedArtifacts.count(state.allArtifacts)
          const truncated = state.listed > limit
          const done = { type: "done", totals: state.whole, artifacts, truncated } as const
          return [Chunk.of<BacktestEvent>(done), Option.none()] as const
        }
        const { isArchived, name, parts: spans } = environment
        const isBefore =
          until !== undefined &&
          (state.at < until.at || (state.at === until.at && state.part < until.part))
        if (state.part >= spans.length) {
          const ended: BacktestEvent = {
            type: "environment",
            environment: name,
            totals: state.totals,
            artifacts: FlippedArtifacts.count(state.artifacts),
            now: isArchived ? null : state.now
          }
          const lines = isBefore ? Chunk.empty<BacktestEvent>() : Chunk.of(ended)
          return [lines, Option.some(nextEnvironment(state))] as const
        }
        const { after, listed } = yield* replayPart(state, environment, backtest)
        const progress: BacktestEvent = {
          type: "progress",
          environment: name,
          played: after.played,
          of,
          flips: after.totals.flips,
          totals: after.whole,
          artifacts: FlippedArtifacts.count(after.allArtifacts),
          cursor: isBefore ? until.cursor : cursorOf(after, backtest)
        }
        const lines = isBefore ? [progress] : [...listed, progress]
        return [Chunk.unsafeFromArray(lines), Option.some(after)] as const
      })

    /** The state at a cursor that has the results before it. */
    const stateAt = (
      all: ReadonlyArray<BacktestEnvironment>,
      { at, part }: { readonly at: number; readonly part: number },
      so: BacktestCursor.BacktestSoFar
    ) =>
      Effect.gen(function* () {
        const found = all[at]
        // The part before the cursor is replayed, because its flips may continue.
        const before =
          found === undefined || part === 0 ? undefined : yield* parts.replay(found, part - 1)
        const { listed, own, others, played, totals, whole } = so
        return {
          at,
          part,
          totals,
          whole,
          listed,
          played,
          open: PolicyBacktest.open(before?.flips ?? []),
          now: before?.now ?? null,
          artifacts: FlippedArtifacts.make(own),
          allArtifacts: FlippedArtifacts.make([...others, ...own])
        } satisfies State
      })

    const begin = (granted: GrantedWithin, request: BacktestPlans.BacktestRequest) =>
      Effect.gen(function* () {
        const { all, cursor, digest, horizon, notes } = yield* planOf(granted, request)
        const of = all.reduce((sum, { count }) => sum + count, 0)
        const place = cursor === undefined ? undefined : placeOf(all, cursor)
        const so = cursor?.so_far
        const first =
          place === undefined || so === undefined ? start() : yield* stateAt(all, place, so)
        const backtest: Backtest = {
          all,
          limit: request.limit,
          of,
          digest,
          horizon,
          ...(place === undefined ? {} : { until: { ...place, cursor: request.cursor ?? "" } })
        }
        const started: BacktestEvent = {
          type: "started",
          horizon,
          environments: all.length,
          snapshots: of,
          request: digest,
          notes
        }
        const lines = Stream.paginateChunkEffect(first, (state) => step(state, backtest))
        return Stream.concat(Stream.succeed(started), lines)
      })

    /** The lines of a backtest; an invalid request fails before the first line. */
    const run = Effect.fn("Backtests.run")(function* (
      org: OrgName,
      request: BacktestPlans.BacktestRequest
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const place = yield* takePlace(granted.orgId)
      const lines = yield* Effect.onError(begin(granted, request), () => place.giveBack)
      const running = Effect.acquireRelease(place.hold, () => place.giveBack)
      return Stream.unwrapScoped(Effect.as(running, lines))
    })

    return { run } as const
  })
}) {}

/** The limit of backtests of one org that run at a time. */
export { AT_ONCE, TooManyBacktests } from "./internal/BacktestPlaces.js"
/** A request for a backtest, and its errors. */
export {
  type BacktestNote,
  type BacktestRequest,
  DAYS,
  DAYS_MAX,
  ENVIRONMENTS_MAX,
  InvalidBacktest
} from "./internal/BacktestPlans.js"
/** The evidence that rows are evaluated on. */
export type { BacktestEvidence } from "./internal/RowReplay.js"

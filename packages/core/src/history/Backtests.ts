/**
 * Backtests: a candidate played over recorded history, as a stream. SPEC §4.6, DECISION B-371, B-372
 *
 * One part of one environment is read at a time, in statements of its own; nothing is stored, and a stream that is
 * closed stops reading.
 */
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { Environment } from "../environment/Environment.js"
import { EnvironmentNotFound } from "../environment/EnvironmentFailure.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { PolicyNotFound } from "../policy/Policy.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import { type EnvironmentName, type OrgName, PolicyName } from "../shared/Identifier.js"
import type { Knowledge } from "../shared/Knowledge.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import * as BacktestCursor from "./BacktestCursor.js"
import { BacktestsAtOnce } from "./BacktestsAtOnce.js"
import { HistoryStore } from "./HistoryStore.js"
import { type CandidateSource, Candidates } from "./internal/Candidates.js"
import { HistoryParts, type PlayedEnvironment } from "./internal/HistoryParts.js"
import type { BacktestKnowledge } from "./internal/PlayedRow.js"
import * as PolicyBacktest from "./PolicyBacktest.js"

/** The most environments of one backtest. */
export const ENVIRONMENTS_MAX = 200
/** Days before its end at which a window begins unless asked. */
export const DAYS = 90
/** The longest window, in days. */
export const DAYS_MAX = 5 * 366
/** How many backtests of one org a process plays at a time; of all orgs together: `BacktestsAtOnce`. */
export const AT_ONCE = 2

const DAY_SECONDS = 86_400

/** A backtest as it is asked for. */
export interface BacktestRequest {
  readonly candidate: CandidateSource
  /** Absent for the policy of the candidate's name where there is one; null to add the candidate to all others. */
  readonly replaces?: PolicyName | null
  /** Absent for every physical one that is not archived; a logical one stands for its members. */
  readonly environments?: ReadonlyArray<EnvironmentName>
  readonly from?: Timestamp.Timestamp
  readonly to?: Timestamp.Timestamp
  readonly knowledge: BacktestKnowledge
  readonly verify: boolean
  /** The most flips that are listed; all of them count. */
  readonly limit: number
  readonly cursor?: string
}

/** One line of a backtest. */
export type BacktestEvent =
  | {
      readonly type: "started"
      readonly horizon: Knowledge
      readonly environments: number
      readonly snapshots: number
      readonly request: string
    }
  | {
      readonly type: "flip"
      readonly environment: EnvironmentName
      readonly flip: PolicyBacktest.Flip
      /** Whether it lasts at the horizon. */
      readonly lasts: boolean
    }
  | {
      readonly type: "progress"
      readonly environment: EnvironmentName
      /** The number of snapshots that were played, of all. */
      readonly played: number
      readonly of: number
      readonly flips: number
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

/** A backtest that cannot be played, and the field that says so. */
export class InvalidBacktest extends Schema.TaggedError<InvalidBacktest>()("InvalidBacktest", {
  field: Schema.Literal("environments", "from", "cursor"),
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

/** As many backtests as may run at a time are running. */
export class TooManyBacktests extends Schema.TaggedError<TooManyBacktests>()("TooManyBacktests", {
  running: Schema.Int,
  where: Schema.Literal("of this org", "on this server")
}) {
  override get message(): string {
    return `${this.running} backtests ${this.where} are running: wait until one has ended`
  }
}

/** What is to be done, and what was done. */
interface State {
  /** The environment that is played, and the part of it that comes next. */
  readonly at: number
  readonly part: number
  /** The flips that may go on in it. */
  readonly open: ReadonlyMap<string, PolicyBacktest.Flip>
  readonly totals: PolicyBacktest.Totals
  readonly whole: PolicyBacktest.Totals
  readonly fingerprints: ReadonlySet<string>
  readonly allFingerprints: ReadonlySet<string>
  readonly listed: number
  readonly played: number
}

const isPhysical = ({ included }: Environment): boolean => included === null

const decodeName = Schema.decodeOption(PolicyName)

const union = (known: ReadonlySet<string>, flips: ReadonlyArray<PolicyBacktest.Flip>) =>
  flips.length === 0 ? known : new Set([...known, ...flips.map(({ fingerprint }) => fingerprint)])

/** Use cases of backtests. */
export class Backtests extends Effect.Service<Backtests>()("@attestry/core/Backtests", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const history = yield* HistoryStore
    const policies = yield* PolicyStore
    const candidates = yield* Candidates
    const parts = yield* HistoryParts
    const atOnce = yield* BacktestsAtOnce
    const running = new Map<string, number>()

    const replacedOf = (
      { org, orgId }: Access.Granted,
      given: PolicyName | null | undefined,
      name: string
    ) =>
      Effect.gen(function* () {
        if (given === null) return null
        const key = given === undefined ? decodeName(name) : Option.some(given)
        if (Option.isNone(key)) return null
        const found = yield* policies.findByName({ org: orgId, name: key.value })
        if (Option.isSome(found)) return found.value.name
        return given === undefined ? null : yield* new PolicyNotFound({ org, policy: given })
      })

    /** The environment of that name, archived or not. */
    const namedOf = ({ org, orgId }: Access.Granted, name: EnvironmentName) =>
      Effect.flatMap(
        environments.findByName({ org: orgId, name }),
        Option.match({
          onNone: () => new EnvironmentNotFound({ org, environment: name }),
          onSome: ({ environment }) => Effect.succeed(environment)
        })
      )

    const environmentsOf = (
      granted: Access.Granted,
      names: ReadonlyArray<EnvironmentName> | undefined
    ) =>
      Effect.gen(function* () {
        const active = (yield* environments.list(granted.orgId)).filter(isPhysical)
        const named = yield* Effect.forEach(names ?? [], (name) => namedOf(granted, name))
        const wanted = new Set(named.flatMap(({ included }) => included ?? []))
        const meant =
          names === undefined
            ? active
            : Arr.dedupeWith(
                [...named.filter(isPhysical), ...active.filter(({ id }) => wanted.has(id))],
                (left, right) => left.id === right.id
              )
        return meant.length <= ENVIRONMENTS_MAX
          ? meant
          : yield* new InvalidBacktest({
              field: "environments",
              problem: `more than ${ENVIRONMENTS_MAX} environments: name fewer of them`
            })
      })

    /** The window of a request, up to the horizon. */
    const windowOf = ({ from, to }: BacktestRequest, horizon: Knowledge) => {
      const end = to === undefined || to > horizon.at ? horizon.at : to
      const start = from ?? Timestamp.plusSeconds(end, -DAYS * DAY_SECONDS)
      const problem =
        start >= end
          ? "Input should be before `to`, and not in the future"
          : start < Timestamp.plusSeconds(end, -DAYS_MAX * DAY_SECONDS)
            ? "Input should be at most 5 years before `to`"
            : undefined
      return problem === undefined
        ? Effect.succeed({ from: start, to: end })
        : Effect.fail(new InvalidBacktest({ field: "from", problem }))
    }

    const cursorOf = (text: string | undefined, digest: string) => {
      if (text === undefined) return Effect.succeed(undefined)
      const found = Option.filter(BacktestCursor.parse(text), (each) => each.digest === digest)
      return Option.match(found, {
        onNone: () =>
          Effect.fail(
            new InvalidBacktest({
              field: "cursor",
              problem: "Input should be a cursor out of an answer to the same request"
            })
          ),
        onSome: Effect.succeed
      })
    }

    /** One part, or the end of an environment, or of all. */
    const step = (
      state: State,
      asked: {
        readonly all: ReadonlyArray<PlayedEnvironment>
        readonly limit: number
        readonly of: number
        readonly cursorAt: (environment: PlayedEnvironment, index: number) => string
      }
    ): Effect.Effect<readonly [Chunk.Chunk<BacktestEvent>, Option.Option<State>], StoreError> =>
      Effect.gen(function* () {
        const environment = asked.all[state.at]
        if (environment === undefined) {
          const artifacts = state.allFingerprints.size
          const truncated = state.listed > asked.limit
          const done = { type: "done", totals: state.whole, artifacts, truncated } as const
          return [Chunk.of<BacktestEvent>(done), Option.none()] as const
        }
        const span = environment.parts[state.part]
        const next = environment.parts[state.part + 1]
        const following = asked.all[state.at + 1]
        const { name } = environment
        if (span === undefined) {
          const ended: BacktestEvent = {
            ...{ type: "environment", environment: name, totals: state.totals },
            ...{ artifacts: state.fingerprints.size, now: null }
          }
          return [Chunk.of(ended), Option.some(nextEnvironment(state))] as const
        }
        const { flips, now, totals } = PolicyBacktest.after(
          state.open,
          yield* parts.play(environment, state.part)
        )
        const cursor =
          next !== undefined
            ? asked.cursorAt(environment, next.first)
            : following === undefined
              ? null
              : asked.cursorAt(following, following.parts[0]?.first ?? 1)
        const after: State = {
          ...state,
          part: state.part + 1,
          open: PolicyBacktest.open(flips),
          totals: PolicyBacktest.add(state.totals, totals),
          whole: PolicyBacktest.add(state.whole, totals),
          fingerprints: union(state.fingerprints, flips),
          allFingerprints: union(state.allFingerprints, flips),
          listed: state.listed + flips.length,
          played: state.played + span.last - span.first + 1
        }
        const lines: Array<BacktestEvent> = flips
          .slice(0, Math.max(0, asked.limit - state.listed))
          .map((flip) => ({
            ...{ type: "flip", environment: name, flip },
            lasts: flip.to === environment.horizon.at
          }))
        lines.push({
          ...{ type: "progress", environment: name, played: after.played, of: asked.of },
          ...{ flips: after.totals.flips, cursor }
        })
        if (next !== undefined) return [Chunk.unsafeFromArray(lines), Option.some(after)] as const
        lines.push({
          ...{ type: "environment", environment: name, totals: after.totals },
          ...{ artifacts: after.fingerprints.size, now: environment.isArchived ? null : now }
        })
        return [Chunk.unsafeFromArray(lines), Option.some(nextEnvironment(after))] as const
      })

    const nextEnvironment = (state: State): State => ({
      ...state,
      at: state.at + 1,
      part: 0,
      open: new Map(),
      totals: PolicyBacktest.empty,
      fingerprints: new Set()
    })

    const count = (org: string, change: number) =>
      Effect.sync(() => {
        running.set(org, (running.get(org) ?? 0) + change)
      })

    /** Fails while as many are running as may. */
    const roomFor = (org: string) =>
      Effect.suspend(() => {
        const own = running.get(org) ?? 0
        const all = [...running.values()].reduce((sum, each) => sum + each, 0)
        if (own >= AT_ONCE) return new TooManyBacktests({ running: own, where: "of this org" })
        return all >= atOnce
          ? new TooManyBacktests({ running: all, where: "on this server" })
          : Effect.void
      })

    /** What is played, and from where on. */
    const planOf = (granted: Access.Granted, request: BacktestRequest) =>
      Effect.gen(function* () {
        const candidate = yield* candidates.get(granted, request.candidate)
        const replaces = yield* replacedOf(granted, request.replaces, candidate.name)
        const meant = yield* environmentsOf(granted, request.environments)
        const { cursor: text, candidate: _, environments: __, ...options } = request
        const digest = BacktestCursor.digestOf({
          ...options,
          replaces,
          text: candidate.text,
          name: candidate.name,
          environments: meant.map(({ id }) => id)
        })
        const cursor = yield* cursorOf(text, digest)
        const horizon = cursor?.horizon ?? (yield* history.horizon(granted.orgId))
        const play = {
          candidate: PolicyEvaluation.compile([candidate.policy]),
          replaces,
          knowledge: request.knowledge,
          verify: request.verify && replaces !== null,
          horizon,
          window: yield* windowOf(request, horizon)
        }
        const all = yield* Effect.forEach(meant, (environment) => parts.prepare(environment, play))
        return { all, cursor, digest, horizon }
      })

    /** The state at a cursor, or at the beginning. */
    const startOf = (
      all: ReadonlyArray<PlayedEnvironment>,
      cursor: BacktestCursor.BacktestCursor | undefined
    ) =>
      Effect.gen(function* () {
        const place = all.findIndex(({ ref }) => ref.environment === cursor?.environment)
        const at = Math.max(0, place)
        const found = all[at]
        const index = found?.parts.findIndex(({ first }) => first === cursor?.index) ?? 0
        const part = Math.max(0, index)
        // The part before the cursor is played once more, because its flips may go on.
        const before =
          found === undefined || part === 0 ? [] : (yield* parts.play(found, part - 1)).flips
        return {
          ...{ at, part, open: PolicyBacktest.open(before) },
          ...{ totals: PolicyBacktest.empty, whole: PolicyBacktest.empty },
          ...{ fingerprints: new Set<string>(), allFingerprints: new Set<string>() },
          ...{ listed: 0, played: 0 }
        } satisfies State
      })

    /** The lines of a backtest; what is wrong with the request is a failure before the first. */
    const run = Effect.fn("Backtests.run")(function* (org: OrgName, request: BacktestRequest) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      yield* roomFor(granted.orgId)
      const { all, cursor, digest, horizon } = yield* planOf(granted, request)
      const start: State = yield* startOf(all, cursor)
      const of = all.reduce((sum, { count: own }) => sum + own, 0)
      const cursorAt = ({ ref }: PlayedEnvironment, index: number) =>
        BacktestCursor.print({ v: 1, digest, horizon, environment: ref.environment, index })
      const lines = Stream.paginateChunkEffect(start, (state) =>
        step(state, { all, limit: request.limit, of, cursorAt })
      )
      const started: BacktestEvent = {
        ...{ type: "started", horizon, environments: all.length, snapshots: of },
        request: digest
      }
      const counted = Effect.acquireRelease(count(granted.orgId, 1), () => count(granted.orgId, -1))
      return Stream.unwrapScoped(Effect.as(counted, Stream.concat(Stream.succeed(started), lines)))
    })

    return { run } as const
  })
}) {}

/** By what rows are judged. */
export type { BacktestKnowledge } from "./internal/PlayedRow.js"

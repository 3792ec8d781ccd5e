/** Plans a backtest: resolves the candidate, the window, the environments and the cursor of a request. */

import type { CommitPosition } from "@attestry/core/CommitPosition"
import { type Environment, ref as refOf } from "@attestry/core/Environment"
import { EnvironmentNotFound } from "@attestry/core/EnvironmentFailure"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { HistoryStore, type RecordedRow } from "@attestry/core/HistoryStore"
import { type EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import { type Policy, PolicyNotFound } from "@attestry/core/Policy"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import * as Timestamp from "@attestry/core/Timestamp"
import type { WholeWindow } from "@attestry/core/TimeWindow"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as JudgedRows from "../../authoring/internal/JudgedRows.js"
import { type CandidateSource, PolicyCandidates } from "../../dry-run/internal/PolicyCandidates.js"
import * as BacktestCursor from "./BacktestCursor.js"
import { HistoryParts } from "./HistoryParts.js"
import type { BacktestEvidence } from "./RowReplay.js"

/** The most environments of one backtest. */
export const ENVIRONMENTS_MAX = 200
/** Days before its end at which a window begins by default. */
export const DAYS = 90
/** The longest window, in days. */
export const DAYS_MAX = 5 * 366

const DAY_SECONDS = 86_400

/** A request for a backtest. */
export interface BacktestRequest {
  readonly candidate: CandidateSource
  /** Absent for the policy of the candidate's name where there is one; null to add the candidate to all others. */
  readonly replaces?: PolicyName | null
  /**
   * Absent for every physical one that the caller reads and that is not archived; a logical one stands for its
   * members. Logical ones that the
   * replaced policy was attached to are replayed themselves, too.
   */
  readonly environments?: ReadonlyArray<EnvironmentName>
  readonly from?: Timestamp.Timestamp
  readonly to?: Timestamp.Timestamp
  readonly evidence: BacktestEvidence
  readonly verify: boolean
  /** The most flips that are listed; all of them count. */
  readonly limit: number
  readonly cursor?: string
}

/** A note that a reader needs to understand an answer. */
export interface BacktestNote {
  readonly type: "logical_not_played"
  /** The logical environment that the replaced policy was attached to. */
  readonly environment: EnvironmentName
  readonly policy: PolicyName
  /** Its members that are replayed. */
  readonly members: ReadonlyArray<EnvironmentName>
}

/** An invalid request for a backtest, and its invalid field. */
export class InvalidBacktest extends Schema.TaggedError<InvalidBacktest>()("InvalidBacktest", {
  field: Schema.Literal("environments", "from", "cursor"),
  problem: Schema.String
}) {
  override get message(): string {
    return this.problem
  }
}

const isPhysical = ({ included }: Environment): boolean => included === null

const decodeName = Schema.decodeOption(PolicyName)

/** The window of a request, up to the horizon. */
const windowOf = ({ from, to }: BacktestRequest, horizon: CommitPosition) => {
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

const invalidCursor = new InvalidBacktest({
  field: "cursor",
  problem: "Input should be a cursor out of an answer to the same request"
})

const byId = (left: Environment, right: Environment): boolean => left.id === right.id

/** Makes the planner of backtests. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const history = yield* HistoryStore
  const policies = yield* PolicyStore
  const candidates = yield* PolicyCandidates
  const parts = yield* HistoryParts
  const reaches = yield* Reaches
  const judged = yield* JudgedRows.make

  /** The policy that is replaced; one that the caller does not read is as absent. */
  const replacedOf = (granted: GrantedWithin, given: PolicyName | null | undefined, name: string) =>
    Effect.gen(function* () {
      const { org, orgId } = granted
      if (given === null) return null
      const key = given === undefined ? decodeName(name) : Option.some(given)
      if (Option.isNone(key)) return null
      const found = yield* policies.findByName({ org: orgId, name: key.value })
      const thing = { kind: "policy", id: Option.isSome(found) ? found.value.id : "" } as const
      if (Option.isSome(found) && (yield* reaches.isReadable(granted, thing))) return found.value
      return given === undefined ? null : yield* new PolicyNotFound({ org, policy: given })
    })

  /** The environment of that name, archived or not; one that the caller does not read is as absent. */
  const namedOf = (granted: GrantedWithin, name: EnvironmentName) =>
    Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (found) =>
      reaches.permitFound(
        granted,
        Option.map(found, ({ environment }) => environment),
        {
          kind: "environment",
          idOf: ({ id }) => id,
          notFound: () => new EnvironmentNotFound({ org: granted.org, environment: name })
        }
      )
    )

  /** Those of logical environments that a policy was attached to within a window. */
  const attachedTo = (
    logical: ReadonlyArray<Environment>,
    policy: Policy | null,
    { from, to }: WholeWindow
  ) =>
    policy === null
      ? Effect.succeed([])
      : Effect.filter(logical, (environment) =>
          Effect.map(history.attachments(refOf(environment)), (found) =>
            found.some(
              (each) =>
                each.policy_id === policy.id &&
                each.from.at < to &&
                (each.to === null || each.to.at > from)
            )
          )
        )

  /** The environments to replay, and notes about others. */
  const environmentsOf = (
    granted: GrantedWithin,
    names: ReadonlyArray<EnvironmentName> | undefined,
    { replaced, window }: { readonly replaced: Policy | null; readonly window: WholeWindow }
  ) =>
    Effect.gen(function* () {
      const active = yield* reaches.keepReadable(granted, {
        kind: "environment",
        things: yield* environments.list(granted.orgId),
        idOf: ({ id }) => id
      })
      const named = yield* Effect.forEach(names ?? [], (name) => namedOf(granted, name))
      const wanted = new Set(named.flatMap(({ included }) => included ?? []))
      const physical =
        names === undefined
          ? active.filter(isPhysical)
          : [...named, ...active.filter(({ id }) => wanted.has(id))].filter(isPhysical)
      const logical = Arr.dedupeWith([...named, ...active], byId).filter(
        (each) => !isPhysical(each)
      )
      const attached = yield* attachedTo(logical, replaced, window)
      const isMeant = ({ id }: Environment) =>
        names === undefined || named.some((each) => each.id === id)
      const meant = Arr.dedupeWith([...physical, ...attached.filter(isMeant)], byId)
      if (meant.length > ENVIRONMENTS_MAX)
        return yield* new InvalidBacktest({
          field: "environments",
          problem: `more than ${ENVIRONMENTS_MAX} environments: name fewer of them`
        })
      const notes = attached.flatMap((environment): ReadonlyArray<BacktestNote> => {
        const ids = new Set(environment.included)
        const members = physical.filter(({ id }) => ids.has(id)).map(({ name }) => name)
        return replaced === null || isMeant(environment) || members.length === 0
          ? []
          : [
              {
                type: "logical_not_played",
                environment: environment.name,
                policy: replaced.name,
                members
              }
            ]
      })
      return { meant, notes }
    })

  const cursorOf = (text: string | undefined) =>
    text === undefined
      ? Effect.succeed(undefined)
      : Option.match(BacktestCursor.parse(text), {
          onNone: () => Effect.fail(invalidCursor),
          onSome: Effect.succeed
        })

  /** The plan of a request. */
  return (granted: GrantedWithin, request: BacktestRequest) =>
    Effect.gen(function* () {
      const candidate = yield* candidates.get(granted, request.candidate)
      const replaced = yield* replacedOf(granted, request.replaces, candidate.name)
      const cursor = yield* cursorOf(request.cursor)
      const horizon = cursor?.horizon ?? (yield* history.horizon(granted.orgId))
      const window = yield* windowOf(request, horizon)
      const asked = { replaced, window }
      const { meant, notes } = yield* environmentsOf(granted, request.environments, asked)
      const { cursor: _, candidate: __, environments: ___, ...options } = request
      const digest = BacktestCursor.digestOf({
        ...options,
        replaces: replaced?.name ?? null,
        text: candidate.text,
        name: candidate.name,
        environments: meant.map(({ id }) => id)
      })
      if (cursor !== undefined && cursor.digest !== digest) return yield* invalidCursor
      const play = {
        candidate: PolicyEvaluation.compile([candidate.policy]),
        replaces: replaced?.name ?? null,
        evidence: request.evidence,
        verify: request.verify && replaced !== null,
        horizon,
        window,
        judged: (rows: ReadonlyArray<RecordedRow>) =>
          judged(granted, rows, ({ fingerprint }) => fingerprint)
      }
      const all = yield* Effect.forEach(meant, (environment) => parts.prepare(environment, play))
      return { all, cursor, digest, horizon, notes }
    })
})

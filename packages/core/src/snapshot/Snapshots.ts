/** Finds snapshots by expression. SPEC §4.5 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Environment from "../environment/Environment.js"
import { UpToDateEnvironments } from "../environment/internal/UpToDateEnvironments.js"
import type { AppliedPolicy } from "../policy/AppliedPolicy.js"
import { PolicySets } from "../policy/internal/PolicySets.js"
import type { EnvironmentName, FlowId, FlowName, OrgName } from "../shared/Identifier.js"
import * as Slices from "../shared/Slices.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as EvaluatedRow from "./internal/EvaluatedRow.js"
import { MemberChanges } from "./internal/MemberChanges.js"
import * as LogicalRows from "./LogicalRows.js"
import { ProvenanceStore } from "./ProvenanceStore.js"
import type * as QualifiedExpression from "./QualifiedExpression.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotComparison from "./SnapshotComparison.js"
import * as SnapshotExpression from "./SnapshotExpression.js"
import * as SnapshotRange from "./SnapshotRange.js"
import { SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"
import * as TimelineColumns from "./TimelineColumns.js"

/** A snapshot with its rows, its policies, and the names that flows have now. */
export interface CompleteSnapshot {
  readonly environment: Environment.Environment
  readonly snapshot: Snapshot.Snapshot
  readonly rows: ReadonlyArray<EvaluatedRow.EvaluatedRow>
  readonly policies: ReadonlyArray<AppliedPolicy>
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
}

/** One side of a comparison, with the text that named it where there is one. */
export interface ComparedSide extends QualifiedExpression.QualifiedExpression {
  readonly text?: string
}

/** Use cases of snapshots. */
export class Snapshots extends Effect.Service<Snapshots>()("@attestry/core/Snapshots", {
  effect: Effect.gen(function* () {
    const store = yield* SnapshotStore
    const provenance = yield* ProvenanceStore
    const transaction = yield* Transaction
    const settled = yield* UpToDateEnvironments
    const sets = yield* PolicySets
    const members = yield* MemberChanges

    /** The snapshot that an expression means, at the moment of asking. */
    const locate = (
      granted: Access.Granted,
      environment: Environment.Environment,
      asked: {
        readonly expression: SnapshotExpression.SnapshotExpression
        readonly now: Timestamp
      }
    ) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        const latestIndex = Option.match(yield* store.latest(ref), {
          onNone: () => 0,
          onSome: ({ index }) => index
        })
        const missing = (index: number) =>
          new Snapshot.SnapshotNotFound({
            org: granted.org,
            environment: environment.name,
            expression: SnapshotExpression.print(asked.expression),
            index,
            latestIndex
          })
        const locator = yield* Either.mapLeft(
          SnapshotExpression.locate(asked.expression, { now: asked.now, latestIndex }),
          ({ index }) => missing(index)
        )
        return yield* Effect.flatMap(
          store.find(ref, locator),
          Either.fromOption(() => missing(0))
        )
      })

    /** The rows of a snapshot, wherever they run, and the names that flows have now. */
    const complete = (environment: Environment.Environment, snapshot: Snapshot.Snapshot) =>
      Effect.gen(function* () {
        const rows =
          snapshot.members === null
            ? yield* Slices.map(snapshot.rows, (row) => ({ ...row, environment: environment.name }))
            : LogicalRows.compose(yield* members.read(snapshot))
        const flows = new Set(rows.flatMap((row) => row.flows.map(({ flow_id }) => flow_id)))
        const flowNames = yield* provenance.flowNames(environment.org_id, [...flows])
        const dumpOf = yield* sets.dumpsOf(
          environment.org_id,
          EvaluatedRow.versionsOf(snapshot, rows)
        )
        return {
          environment,
          snapshot,
          rows: yield* Slices.map(rows, EvaluatedRow.decider(flowNames, dumpOf)),
          policies: EvaluatedRow.appliedPolicies(snapshot, dumpOf),
          flowNames
        } satisfies CompleteSnapshot
      })

    /** The snapshot that an expression means, with everything that is shown of it. */
    const get = Effect.fn("Snapshots.get")(function* (
      org: OrgName,
      name: EnvironmentName,
      expression: SnapshotExpression.SnapshotExpression
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) =>
          Effect.flatMap(locate(granted, environment, { expression, now }), (snapshot) =>
            complete(environment, snapshot)
          )
        )
      )
    })

    /** One page of a range of snapshots, newest first unless reversed; a page past the end is empty. */
    const list = Effect.fn("Snapshots.list")(function* (
      org: OrgName,
      name: EnvironmentName,
      query: { readonly range: SnapshotRange.SnapshotRange; readonly window: SnapshotRange.Window }
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      const ref = Environment.ref(environment)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const latest = yield* store.latest(ref)
          const span = Option.flatMap(latest, ({ index }) =>
            Option.flatMap(SnapshotRange.resolve(query.range, index), (whole) =>
              SnapshotRange.pageOf(whole, query.window)
            )
          )
          if (Option.isNone(span)) return []
          const heads = yield* store.heads(ref, span.value)
          const lines = heads.map((head) =>
            SnapshotTimeline.summarize(head, {
              next: Option.fromNullable(head.next_timestamp),
              now
            })
          )
          return query.window.reverse ? lines.reverse() : lines
        })
      )
    })

    /** The history of an environment in columns, with the place of its first and its latest snapshot. */
    const timeline = Effect.fn("Snapshots.timeline")(function* (
      org: OrgName,
      name: EnvironmentName,
      query: TimelineColumns.TimelineQuery
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* settled.find(granted, name)
      const ref = Environment.ref(environment)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const latest = Option.getOrNull(yield* store.latest(ref))
          const [first = null] = yield* store.heads(ref, { first: 1, last: 1 })
          const window = TimelineColumns.windowOf(query, {
            now,
            latest: latest?.timestamp ?? now
          })
          const history = yield* store.verdicts(ref, {
            from: window.from,
            to: TimelineColumns.endOf(window)
          })
          return TimelineColumns.timelineOf(TimelineColumns.partsOf(history, window), window, {
            first,
            latest
          })
        })
      )
    })

    const comparable = ({
      environment,
      snapshot,
      rows,
      flowNames
    }: CompleteSnapshot): SnapshotComparison.ComparableSnapshot => ({
      environment: environment.name,
      index: snapshot.index,
      running: rows
        .filter(({ annotation }) => annotation.type !== "exited")
        .map((row) => {
          const [primary] = row.flows
          return {
            ...row,
            flow_name: primary === undefined ? null : (flowNames.get(primary.flow_id) ?? null),
            commit_url: primary?.commit_url ?? null
          }
        })
    })

    const side = (org: OrgName, { environment, expression, text }: ComparedSide) =>
      Effect.catchTag(get(org, environment, expression), "SnapshotNotFound", (missing) =>
        Effect.fail(
          text === undefined ? missing : new Snapshot.SnapshotNotFound({ ...missing, asked: text })
        )
      )

    /** Two snapshots side by side, of one environment or of two. */
    const compare = Effect.fn("Snapshots.compare")(function* (
      org: OrgName,
      first: ComparedSide,
      second: ComparedSide
    ) {
      const one = yield* side(org, first)
      const two = yield* side(org, second)
      return SnapshotComparison.compare(comparable(one), comparable(two))
    })

    return { get, list, timeline, compare } as const
  })
}) {}

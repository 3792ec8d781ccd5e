/** Records what environments report, and finds snapshots by expression. SPEC §4.4, §4.5 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentKindMismatch } from "../environment/EnvironmentFailure.js"
import type { PhysicalKind } from "../environment/EnvironmentKind.js"
import * as EnvironmentLookup from "../environment/EnvironmentLookup.js"
import {
  EnvironmentStore,
  type MarkedEnvironment,
  type ReportMark
} from "../environment/EnvironmentStore.js"
import type { ReportContent } from "../environment/ReportContent.js"
import type { RunningRow } from "../environment/RunningRow.js"
import { SettledEnvironments } from "../environment/SettledEnvironments.js"
import type { AppliedPolicy } from "../policy/AppliedPolicy.js"
import { PolicySets } from "../policy/PolicySets.js"
import type { EnvironmentName, FlowId, FlowName, OrgName } from "../shared/Identifier.js"
import * as Turns from "../shared/internal/Turns.js"
import { Secrets } from "../shared/Secrets.js"
import * as Span from "../shared/Span.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as DecidedRow from "./DecidedRow.js"
import * as LogicalRows from "./LogicalRows.js"
import { LogicalSnapshots } from "./LogicalSnapshots.js"
import { MemberChanges } from "./MemberChanges.js"
import { ProvenanceStore } from "./ProvenanceStore.js"
import type * as QualifiedExpression from "./QualifiedExpression.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotComparison from "./SnapshotComparison.js"
import * as SnapshotExpression from "./SnapshotExpression.js"
import { SnapshotHistory } from "./SnapshotHistory.js"
import * as SnapshotRange from "./SnapshotRange.js"
import { SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

/** A report as it arrives: only its digest is needed until it turns out to say something new. */
export interface SubmittedReport<E, R> {
  readonly kind: PhysicalKind
  /** SHA-256 of the body as it came. */
  readonly bodyDigest: string
  /** Reads the body; run at most once, and not at all when the body is known. */
  readonly content: Effect.Effect<ReportContent, E, R>
}

/** A report that has been read: what it says, and how it will be known again. */
interface ReadReport {
  readonly mark: ReportMark
  readonly rows: ReadonlyArray<RunningRow>
}

/** What a report did. */
export type ReportOutcome = "changed" | "unchanged"

/** A snapshot with its rows, its policies, and the names that flows have now. */
export interface CompleteSnapshot {
  readonly environment: Environment.Environment
  readonly snapshot: Snapshot.Snapshot
  readonly rows: ReadonlyArray<DecidedRow.DecidedRow>
  readonly policies: ReadonlyArray<AppliedPolicy>
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
}

/** How a report can be refused, besides by its own content. */
export type ReportFailure =
  | Access.AccessDenied
  | EnvironmentLookup.Missing
  | EnvironmentKindMismatch
  | StoreError

/** Use cases of snapshots. */
export class Snapshots extends Effect.Service<Snapshots>()("@attestry/core/Snapshots", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const store = yield* SnapshotStore
    const provenance = yield* ProvenanceStore
    const transaction = yield* Transaction
    const history = yield* SnapshotHistory
    const logical = yield* LogicalSnapshots
    const settled = yield* SettledEnvironments
    const sets = yield* PolicySets
    const members = yield* MemberChanges
    const secrets = yield* Secrets
    const turns = Turns.make()

    const accept = (
      writer: Writer.Writer,
      { environment, mark: last }: MarkedEnvironment,
      { mark, rows }: ReadReport
    ) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        const appended = yield* history.append(writer, environment, {
          cause: "report",
          rows: Option.some(rows),
          isStale: Option.isNone(last),
          note: { body_digest: mark.bodyDigest }
        })
        // WHY: evidence may say something to the policies of groups that it does not say to this one's.
        if (Option.isNone(last) && Option.isNone(appended)) {
          yield* logical.memberRejudged(writer, environment)
        }
        yield* environments.mark(
          ref,
          mark,
          Option.map(appended, ({ timestamp, verdict }) => ({ at: timestamp, verdict }))
        )
        yield* environments.heartbeat(ref, writer.at)
        return Option.isNone(appended) ? ("unchanged" as const) : ("changed" as const)
      })

    const findEnvironment = (granted: Access.Granted, name: EnvironmentName) =>
      Effect.flatMap(
        environments.findByName({ org: granted.orgId, name }),
        EnvironmentLookup.present(granted, name)
      )

    /** Reads, decides and writes under the environment's lock; concurrent reports take turns. */
    const evaluate = (granted: Access.Granted, name: EnvironmentName, said: ReadReport) =>
      transaction.runAfter(
        granted.orgId,
        environments.lockByName({ org: granted.orgId, name }, said.rows),
        (locked, { now }) =>
          Effect.flatMap(EnvironmentLookup.present(granted, name)(locked), (found) =>
            // WHY: while we waited for the lock, another report may have said the same.
            Option.exists(found.mark, ({ rowsDigest }) => rowsDigest === said.mark.rowsDigest)
              ? Effect.succeed("unchanged" as const)
              : accept(Writer.make(granted, now), found, said)
          )
      )

    /** Reads what the body says, and evaluates it unless the last one said the same. */
    const read = <E, R>(
      granted: Access.Granted,
      { environment, mark, now }: MarkedEnvironment,
      submitted: SubmittedReport<E, R>
    ) =>
      Effect.gen(function* () {
        const content = yield* submitted.content
        const rowsDigest = yield* secrets.digest(
          content.runningSetText({ includeScaling: environment.include_scaling })
        )
        if (Option.exists(mark, (last) => last.rowsDigest === rowsDigest)) {
          return yield* unchanged(environment, now)
        }
        const next = { bodyDigest: submitted.bodyDigest, rowsDigest }
        // WHY turns: reports of one environment would hold connections while they wait for each other.
        return yield* turns(
          environment.id,
          evaluate(granted, environment.name, { mark: next, rows: content.rows() })
        )
      })

    const unchanged = (environment: Environment.Environment, now: Timestamp) =>
      Effect.as(environments.heartbeat(Environment.ref(environment), now), "unchanged" as const)

    const accepted =
      <E, R>(granted: Access.Granted, submitted: SubmittedReport<E, R>) =>
      (found: MarkedEnvironment): Effect.Effect<ReportOutcome, E | ReportFailure, R> => {
        const { environment, mark, now } = found
        if (environment.type !== submitted.kind) {
          return new EnvironmentKindMismatch({
            environment: environment.name,
            kind: environment.type,
            asked: submitted.kind
          })
        }
        return Option.isSome(mark) && mark.value.bodyDigest === submitted.bodyDigest
          ? unchanged(environment, now)
          : read(granted, found, submitted)
      }

    /**
     * Accepts a report. A body that is known, or that says what the last one said, is answered without a
     * write and without a look at the latest snapshot. DECISION S4
     *
     * WHY not a generator: most requests are reports that change nothing, and this is all they do.
     */
    const report = <E, R>(
      org: OrgName,
      name: EnvironmentName,
      submitted: SubmittedReport<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R | CurrentActor> =>
      Span.within(
        "Snapshots.report",
        Effect.flatMap(CurrentActor, (actor) =>
          Effect.flatMap(Access.authorize(actor, org, "environment.report"), (granted) =>
            Effect.flatMap(findEnvironment(granted, name), accepted(granted, submitted))
          )
        )
      )

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
            ? snapshot.rows.map((row) => ({ ...row, environment: environment.name }))
            : LogicalRows.compose(yield* members.read(snapshot))
        const flows = new Set(rows.flatMap((row) => row.flows.map(({ flow_id }) => flow_id)))
        const flowNames = yield* provenance.flowNames(environment.org_id, [...flows])
        const dumpOf = yield* sets.dumpsOf(
          environment.org_id,
          DecidedRow.versionsOf(snapshot, rows)
        )
        return {
          environment,
          snapshot,
          rows: DecidedRow.make(rows, flowNames, dumpOf),
          policies: DecidedRow.appliedPolicies(snapshot, dumpOf),
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
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.flatMap(locate(granted, environment, { expression, now }), (snapshot) =>
          complete(environment, snapshot)
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
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
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

    /** Two snapshots side by side, of one environment or of two. */
    const compare = Effect.fn("Snapshots.compare")(function* (
      org: OrgName,
      first: QualifiedExpression.QualifiedExpression,
      second: QualifiedExpression.QualifiedExpression
    ) {
      const one = yield* get(org, first.environment, first.expression)
      const two = yield* get(org, second.environment, second.expression)
      return SnapshotComparison.compare(comparable(one), comparable(two))
    })

    return { report, get, list, compare } as const
  })
}) {}

/** Records what environments report, and finds snapshots by expression. SPEC §4.4, §4.5 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import * as Environment from "../environment/Environment.js"
import type { PhysicalKind } from "../environment/EnvironmentKind.js"
import {
  EnvironmentStore,
  type MarkedEnvironment,
  type ReportMark
} from "../environment/EnvironmentStore.js"
import { type RunningRow, runningSetText } from "../environment/RunningRow.js"
import { Journals } from "../journal/Journals.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import * as Span from "../shared/Span.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotAnnotation from "./SnapshotAnnotation.js"
import * as SnapshotCounts from "./SnapshotCounts.js"
import * as SnapshotDiff from "./SnapshotDiff.js"
import * as SnapshotExpression from "./SnapshotExpression.js"
import { type SnapshotDraft, SnapshotStore } from "./SnapshotStore.js"
import * as SnapshotTimeline from "./SnapshotTimeline.js"

/** A report as it arrives: only its digest is needed until it turns out to say something new. */
export interface SubmittedReport<E, R> {
  readonly kind: PhysicalKind
  /** SHA-256 of the body as it came. */
  readonly bodyDigest: string
  /** Reads the body; run at most once, and not at all when the body is known. */
  readonly rows: Effect.Effect<ReadonlyArray<RunningRow>, E, R>
}

/** A report that has been read: what it says, and how it will be known again. */
interface ReadReport {
  readonly mark: ReportMark
  readonly rows: ReadonlyArray<RunningRow>
}

/** What a report did. */
export type ReportOutcome = "changed" | "unchanged"

/** How a report can be refused, besides by its own content. */
export type ReportFailure =
  | Access.AccessDenied
  | Environment.EnvironmentNotFound
  | Environment.EnvironmentKindMismatch
  | StoreError

type Judged = Snapshot.SnapshotRow & SnapshotAnnotation.JudgedRow

/** Without policies nothing is judged: every verdict is Unknown. */
const judge = (row: RunningRow): Judged => ({
  ...row,
  verdict: "Unknown",
  decisionKey: SnapshotDiff.decisionKey({ statuses: [], reasons: [] }),
  provenanceKey: SnapshotDiff.provenanceKey([])
})

const stored = ({ decisionKey: _, provenanceKey: __, ...row }: Judged): Snapshot.SnapshotRow => row

const eventsOf = (
  rows: ReadonlyArray<SnapshotDiff.AnnotatedRow<Judged>>
): ReadonlyArray<Snapshot.RowEvent> =>
  rows
    .filter(({ annotation }) => SnapshotAnnotation.isEvent(annotation.type))
    .map(({ row: { name, fingerprint }, annotation }) => ({ name, fingerprint, annotation }))

/** Use cases of snapshots. */
export class Snapshots extends Effect.Service<Snapshots>()("@attestry/core/Snapshots", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const store = yield* SnapshotStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const secrets = yield* Secrets

    /** Appends what changed since the latest snapshot; none when nothing did. */
    const appendChanges = (
      writer: Writer.Writer,
      environment: Environment.Environment,
      rows: ReadonlyArray<RunningRow>
    ) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        const latest = yield* store.latest(ref)
        const running = yield* store.running(ref)
        const after = rows.map(judge)
        const diff = SnapshotDiff.diff(
          Option.map(latest, () => ({ running: running.map(judge), policies: [] })),
          { running: after, policies: [] },
          { cause: "report", includeScaling: environment.include_scaling }
        )
        if (diff._tag === "Nothing") return Option.none()
        const counts = SnapshotCounts.count(after)
        const draft: SnapshotDraft = {
          index: Option.match(latest, { onNone: () => 1, onSome: ({ index }) => index + 1 }),
          timestamp: SnapshotTimeline.nextTimestamp(
            writer.at,
            Option.map(latest, ({ timestamp }) => timestamp)
          ),
          verdict: SnapshotCounts.verdictOf(counts, { hasPolicies: false }),
          counts,
          ...Snapshot.rowChanges(running, after.map(stored)),
          events: [...eventsOf(diff.running), ...eventsOf(diff.exited)]
        }
        yield* store.append(ref, draft)
        return Option.some(draft)
      })

    const accept = (
      writer: Writer.Writer,
      environment: Environment.Environment,
      { mark, rows }: ReadReport
    ) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        const appended = yield* appendChanges(writer, environment, rows)
        yield* environments.mark(
          ref,
          mark,
          Option.map(appended, ({ timestamp }) => timestamp)
        )
        yield* environments.heartbeat(ref, writer.at)
        if (Option.isNone(appended)) return "unchanged" as const
        yield* journals.record({
          ...writer,
          kind: "snapshot_created",
          subject: { type: "environment", id: environment.id },
          content: { ...appended.value, body_digest: mark.bodyDigest }
        })
        return "changed" as const
      })

    const orNotFound = (granted: Access.Granted, name: EnvironmentName) =>
      Either.fromOption(
        () => new Environment.EnvironmentNotFound({ org: granted.org, environment: name })
      )

    const findEnvironment = (granted: Access.Granted, name: EnvironmentName) =>
      Effect.flatMap(
        environments.findByName({ org: granted.orgId, name }),
        orNotFound(granted, name)
      )

    /** Reads, decides and writes under the environment's lock; concurrent reports take turns. */
    const evaluate = (granted: Access.Granted, name: EnvironmentName, report: ReadReport) =>
      transaction.run(granted.orgId, ({ now }) =>
        environments.lockByName({ org: granted.orgId, name }).pipe(
          Effect.flatMap(orNotFound(granted, name)),
          Effect.flatMap(({ environment, mark: last }) =>
            // WHY: while we waited for the lock, another report may have said the same.
            Option.exists(last, ({ rowsDigest }) => rowsDigest === report.mark.rowsDigest)
              ? Effect.succeed("unchanged" as const)
              : accept(Writer.make(granted, now), environment, report)
          )
        )
      )

    /** Reads what the body says, and evaluates it unless the last one said the same. */
    const read = <E, R>(
      granted: Access.Granted,
      { environment, mark, now }: MarkedEnvironment,
      submitted: SubmittedReport<E, R>
    ) =>
      Effect.gen(function* () {
        const rows = yield* submitted.rows
        const rowsDigest = yield* secrets.digest(
          runningSetText(rows, { includeScaling: environment.include_scaling })
        )
        if (Option.exists(mark, (last) => last.rowsDigest === rowsDigest)) {
          return yield* unchanged(environment, now)
        }
        const next = { bodyDigest: submitted.bodyDigest, rowsDigest }
        return yield* evaluate(granted, environment.name, { mark: next, rows })
      })

    const unchanged = (environment: Environment.Environment, now: Timestamp) =>
      Effect.as(environments.heartbeat(Environment.ref(environment), now), "unchanged" as const)

    const accepted =
      <E, R>(granted: Access.Granted, submitted: SubmittedReport<E, R>) =>
      (found: MarkedEnvironment): Effect.Effect<ReportOutcome, E | ReportFailure, R> => {
        const { environment, mark, now } = found
        if (environment.type !== submitted.kind) {
          return new Environment.EnvironmentKindMismatch({
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
    const get = Effect.fn("Snapshots.get")(function* (
      org: OrgName,
      name: EnvironmentName,
      expression: SnapshotExpression.SnapshotExpression
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* findEnvironment(granted, name)
      const ref = Environment.ref(environment)
      const missing = (index: number, latestIndex: number) =>
        new Snapshot.SnapshotNotFound({
          org,
          environment: name,
          expression: SnapshotExpression.print(expression),
          index,
          latestIndex
        })
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
          const latestIndex = Option.match(yield* store.latest(ref), {
            onNone: () => 0,
            onSome: ({ index }) => index
          })
          const locator = yield* Either.mapLeft(
            SnapshotExpression.locate(expression, { now, latestIndex }),
            ({ index }) => missing(index, latestIndex)
          )
          const snapshot = yield* Effect.flatMap(
            store.find(ref, locator),
            Either.fromOption(() => missing(0, latestIndex))
          )
          return { environment, snapshot }
        })
      )
    })

    return { report, get } as const
  })
}) {}

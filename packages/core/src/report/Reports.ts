/**
 * Accepts reports of environments. SPEC §4.4
 *
 * A report whose body or whose meaning is that of the last one is answered without a lock and without a write
 * (DECISIONS.md, "Unchanged reports touch one row"). Any other locks its environment and appends what it changes.
 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { AccessDenied } from "../access/Access.js"
import type { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as Environment from "../environment/Environment.js"
import {
  EnvironmentKindMismatch,
  type EnvironmentMissing
} from "../environment/EnvironmentFailure.js"
import type { PhysicalKind } from "../environment/EnvironmentKind.js"
import {
  EnvironmentStore,
  type ReportDigests,
  type ReportedEnvironment
} from "../environment/EnvironmentStore.js"
import * as PlacedEnvironments from "../environment/internal/PlacedEnvironments.js"
import type { RunningRow } from "../environment/RunningRow.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import * as DryRun from "../shared/internal/DryRun.js"
import * as KeyedMutex from "../shared/internal/KeyedMutex.js"
import { Secrets } from "../shared/Secrets.js"
import * as Span from "../shared/Span.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { toState } from "../shared/Verdict.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { LogicalSnapshots } from "../snapshot/internal/LogicalSnapshots.js"
import { Silences } from "../snapshot/internal/Silences.js"
import { SnapshotHistory } from "../snapshot/internal/SnapshotHistory.js"
import { Reevaluations } from "../snapshot/Reevaluations.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import type { InvalidReport, ReportContent } from "./ReportContent.js"
import { ReportReader } from "./ReportReader.js"

/** A report as it arrives. */
export interface SubmittedReport<E, R> {
  readonly kind: PhysicalKind
  /** SHA-256 of the body as it came. */
  readonly bodyDigest: string
  /** The text of the body; asked for at most once, and not when the body is known. */
  readonly text: Effect.Effect<string, E, R>
}

/** What a report did. */
export type ReportOutcome = "changed" | "unchanged"

/** How a report can be refused, besides by its text. */
export type ReportFailure =
  | AccessDenied
  | EnvironmentMissing
  | EnvironmentKindMismatch
  | InvalidReport
  | StoreError

/** A report that was read, and its digest for an environment that records scaling or does not. */
interface ReadReport extends ReportDigests {
  readonly kind: PhysicalKind
  readonly content: ReportContent
  readonly includeScaling: boolean
}

/** Whether an environment is looked at for silence before a report counts, because a silence may have begun. */
const isLookDue = ({ environment: { silence_due_at: look }, now }: ReportedEnvironment): boolean =>
  look !== undefined && look <= now

const hasDigest = (
  found: ReportedEnvironment,
  name: keyof ReportDigests,
  digest: string
): boolean =>
  Option.isSome(found.reportDigests) &&
  found.reportDigests.value[name] === digest &&
  !isLookDue(found)

/** Accepts reports. */
export class Reports extends Effect.Service<Reports>()("@attestry/core/Reports", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const snapshots = yield* SnapshotStore
    const history = yield* SnapshotHistory
    const logical = yield* LogicalSnapshots
    const reevaluations = yield* Reevaluations
    const silences = yield* Silences
    const secrets = yield* Secrets
    const reader = yield* ReportReader
    const reaches = yield* Reaches
    const present = yield* PlacedEnvironments.make
    const mutex = KeyedMutex.make()

    /** Refuses a report for an environment that is missing, out of reach, or of another kind. */
    const accepting =
      (granted: GrantedWithin, name: EnvironmentName, asked: PhysicalKind) =>
      (found: Option.Option<ReportedEnvironment>) =>
        Effect.flatMap(
          present(granted, name)(found),
          (reported): Effect.Effect<ReportedEnvironment, EnvironmentKindMismatch> => {
            const { name: environment, type: kind } = reported.environment
            return kind === asked
              ? Effect.succeed(reported)
              : new EnvironmentKindMismatch({ environment, kind, asked })
          }
        )

    /** WHY not in a dry run: stores collect heartbeats and write them later. */
    const heartbeat = (ref: Environment.EnvironmentRef, at: Timestamp) =>
      DryRun.unless(environments.heartbeat(ref, at))

    /** Tells the latest snapshot beside what the report did. */
    const tell = (environment: Environment.Environment, outcome: ReportOutcome) =>
      CurrentOutcome.setOutcomeFrom(
        Effect.map(
          snapshots.latest(Environment.ref(environment)),
          (latest): WriteOutcome => ({
            type: "environment",
            id: environment.id,
            name: environment.name,
            result: outcome === "changed" ? "updated" : "unchanged",
            ...Option.match(latest, {
              onNone: () => ({}),
              onSome: ({ index, verdict }) => ({
                snapshotIndex: index,
                isCompliant: toState(verdict)
              })
            })
          })
        )
      )

    const unchanged = ({ environment, now }: Pick<ReportedEnvironment, "environment" | "now">) =>
      heartbeat(Environment.ref(environment), now).pipe(
        Effect.zipRight(tell(environment, "unchanged")),
        Effect.as("unchanged" as const)
      )

    /** The digest of what a report means to an environment, which records scaling or does not. */
    const digestOf = (
      content: ReportContent,
      { include_scaling: includeScaling }: Environment.Environment
    ) => Effect.flatMap(content.runningSetText({ includeScaling }), secrets.digest)

    /** Appends what a report changes; the caller holds the environment's lock. */
    const append = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      locked: ReportedEnvironment,
      { report, rows }: { readonly report: ReadReport; readonly rows: ReadonlyArray<RunningRow> }
    ) {
      const environment = yield* silences.end(writer, locked.environment, writer.at)
      const { bodyDigest, content, includeScaling } = report
      const rowsDigest =
        environment.include_scaling === includeScaling
          ? report.rowsDigest
          : yield* digestOf(content, environment)
      // WHY again: another report may have said the same while this one waited for the lock.
      if (hasDigest(locked, "rowsDigest", rowsDigest)) {
        return yield* unchanged({ environment, now: writer.at })
      }
      const isStale = Option.isNone(locked.reportDigests)
      const appended = yield* history.append(writer, environment, {
        cause: "report",
        rows: Option.some(rows),
        isStale,
        note: { body_digest: bodyDigest }
      })
      // WHY: new evidence can change a logical environment's verdict even when this environment's stays the same.
      if (isStale && Option.isNone(appended)) yield* logical.memberReevaluated(writer, environment)
      const ref = Environment.ref(environment)
      yield* environments.setReportDigests(ref, { bodyDigest, rowsDigest }, appended)
      yield* heartbeat(ref, writer.at)
      yield* silences.reported(environment, writer.at)
      const outcome = Option.isSome(appended) ? "changed" : "unchanged"
      yield* tell(environment, outcome)
      return outcome
    })

    /** Locks the environment and appends what a report changes there. */
    const record = (granted: GrantedWithin, name: EnvironmentName, report: ReadReport) =>
      // WHY here: rows are built once, before a connection and the lock are held.
      Effect.flatMap(report.content.rows, (rows) =>
        // WHY: reports of one environment would otherwise hold connections while they wait for each other.
        mutex(
          `${granted.orgId} ${name}`,
          reevaluations.change(granted.orgId, ({ now }) =>
            Effect.gen(function* () {
              const locked = yield* reevaluations.lock({ org: granted.orgId, name })
              const found = yield* accepting(granted, name, report.kind)(locked)
              return yield* append(WriteContext.make(granted, yield* now), found, { report, rows })
            })
          )
        )
      )

    /** Reads a report whose body is not that of the last one, and records it unless it means the same. */
    const read = <E, R>(
      granted: GrantedWithin,
      name: EnvironmentName,
      {
        found,
        submitted: { kind, bodyDigest, text }
      }: {
        readonly found: Either.Either<ReportedEnvironment, ReportFailure>
        readonly submitted: SubmittedReport<E, R>
      }
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R> =>
      Effect.gen(function* () {
        // A malformed body is refused as such, whatever environment it is for.
        const content = yield* reader.read({ org: granted.orgId, name, kind, text: yield* text })
        const last = yield* found
        const rowsDigest = yield* digestOf(content, last.environment)
        if (hasDigest(last, "rowsDigest", rowsDigest)) return yield* unchanged(last)
        const { name: present, include_scaling: includeScaling } = last.environment
        const report = { kind, bodyDigest, rowsDigest, content, includeScaling }
        return yield* record(granted, present, report)
      })

    /**
     * WHY not a generator: one that waits for the lookup keeps the bytes of the body longer than the collector's young
     * generation does, and most requests are reports that end here.
     */
    const submit = <E, R>(
      granted: GrantedWithin,
      name: EnvironmentName,
      submitted: SubmittedReport<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R> =>
      Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (answer) => {
        const accepted = Effect.either(accepting(granted, name, submitted.kind)(answer))
        return Effect.flatMap(accepted, (found) =>
          Either.isRight(found) && hasDigest(found.right, "bodyDigest", submitted.bodyDigest)
            ? unchanged(found.right)
            : read(granted, name, { found, submitted })
        )
      })

    /** Accepts a report. */
    const accept = <E, R>(
      org: OrgName,
      name: EnvironmentName,
      submitted: SubmittedReport<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R | CurrentActor> =>
      Span.withSpan(
        "Reports.accept",
        Effect.flatMap(reaches.authorize(org, "environment.report"), (granted) =>
          submit(granted, name, submitted)
        )
      )

    return { accept } as const
  })
}) {}

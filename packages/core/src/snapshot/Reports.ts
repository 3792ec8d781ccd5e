/**
 * Accepts what environments report.
 *
 * A body that is known, or that says what the last one said, is answered without a write, without a lock and
 * without a look at the latest snapshot. DECISION S4 One that says something else than the last one which
 * this process has accepted goes straight to the lock: whatever it could be told before, it is told there.
 * DECISION B-124
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import * as Environment from "../environment/Environment.js"
import {
  EnvironmentKindMismatch,
  type EnvironmentMissing
} from "../environment/EnvironmentFailure.js"
import type { PhysicalKind } from "../environment/EnvironmentKind.js"
import {
  EnvironmentStore,
  type MarkedEnvironment,
  type ReportDigests
} from "../environment/EnvironmentStore.js"
import * as EnvironmentLookup from "../environment/internal/EnvironmentLookup.js"
import * as LastReportCache from "../environment/LastReportCache.js"
import type { ReportBaseline } from "../environment/ReportBaseline.js"
import type { ReportContent } from "../environment/ReportContent.js"
import type { RunningRow, RunningSetOptions } from "../environment/RunningRow.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { aside } from "../shared/internal/Aside.js"
import * as KeyedMutex from "../shared/internal/KeyedMutex.js"
import { Secrets } from "../shared/Secrets.js"
import * as Span from "../shared/Span.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import { LogicalSnapshots } from "./internal/LogicalSnapshots.js"
import { SnapshotHistory } from "./SnapshotHistory.js"

/** A report as it arrives: only its digest is needed until it turns out to say something new. */
export interface SubmittedReport<E, R> {
  readonly kind: PhysicalKind
  /** SHA-256 of the body as it came. */
  readonly bodyDigest: string
  /**
   * Reads the body; run at most once, and not at all when the body is known. It may be read against a report
   * that was accepted before it, which must make no difference to what it says.
   */
  readonly content: (before: Option.Option<ReportBaseline>) => Effect.Effect<ReportContent, E, R>
}

/** What a report did. */
export type ReportOutcome = "changed" | "unchanged"

/** How a report can be refused, besides by its own content. */
export type ReportFailure =
  | Access.AccessDenied
  | EnvironmentMissing
  | EnvironmentKindMismatch
  | StoreError

/** A report that has been read: what it says, and the digest of what that means. */
interface ReadReport extends RunningSetOptions {
  readonly kind: PhysicalKind
  readonly bodyDigest: string
  readonly content: ReportContent
  readonly rowsDigest: string
}

/** A report that seems to say something new, and what it means once that is known. */
interface News extends Pick<ReadReport, "kind" | "content"> {
  readonly said: Effect.Effect<ReadReport>
}

/** A report that is read when it has to be, for an environment that records scaling or does not. */
interface Reading<E, R> extends Pick<ReadReport, "kind" | "bodyDigest"> {
  readonly read: (includeScaling: boolean) => Effect.Effect<ReadReport, E, R>
}

/** What was done with a report, and how it will be known again. */
interface Evaluated extends RunningSetOptions {
  readonly outcome: ReportOutcome
  readonly mark: ReportDigests
  /** What runs, in the order of the rows of the report. */
  readonly running: ReadonlyArray<RunningRow>
}

/** Refuses a report of another kind than its environment. */
const ofKind =
  (asked: PhysicalKind) =>
  (found: MarkedEnvironment): Either.Either<MarkedEnvironment, EnvironmentKindMismatch> => {
    const { name: environment, type: kind } = found.environment
    return kind === asked
      ? Either.right(found)
      : Either.left(new EnvironmentKindMismatch({ environment, kind, asked }))
  }

/** Accepts reports. */
export class Reports extends Effect.Service<Reports>()("@attestry/core/Reports", {
  effect: Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const transaction = yield* Transaction
    const history = yield* SnapshotHistory
    const logical = yield* LogicalSnapshots
    const secrets = yield* Secrets
    const accepted = LastReportCache.make()
    const turns = KeyedMutex.make()

    const unchanged = ({ environment, now }: Pick<MarkedEnvironment, "environment" | "now">) =>
      Effect.as(environments.heartbeat(Environment.ref(environment), now), "unchanged" as const)

    /** Appends what the report changes, and remembers the report. */
    const append = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      { environment, mark: last }: MarkedEnvironment,
      { mark, rows }: { readonly mark: ReportDigests; readonly rows: ReadonlyArray<RunningRow> }
    ) {
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
      return appended
    })

    /** Known by what it means where scaling is recorded, or is not. */
    const digested = (
      { kind, bodyDigest, content }: Omit<ReadReport, "rowsDigest" | "includeScaling">,
      includeScaling: boolean
    ): Effect.Effect<ReadReport> =>
      Effect.map(secrets.digest(content.runningSetText({ includeScaling })), (rowsDigest) => ({
        kind,
        bodyDigest,
        content,
        includeScaling,
        rowsDigest
      }))

    /** The same report as an environment has to know it. */
    const digestedFor = (read: ReadReport, { include_scaling }: Environment.Environment) =>
      read.includeScaling === include_scaling
        ? Effect.succeed(read)
        : digested(read, include_scaling)

    const saysTheSame = ({ mark }: MarkedEnvironment, { rowsDigest }: ReadReport): boolean =>
      Option.isSome(mark) && mark.value.rowsDigest === rowsDigest

    /** Decides and writes while the environment is locked. */
    const evaluateLocked = Effect.fnUntraced(function* (
      writer: WriteContext.WriteContext,
      found: MarkedEnvironment,
      { news, rows }: { readonly news: News; readonly rows: ReadonlyArray<RunningRow> }
    ) {
      const said = yield* digestedFor(yield* news.said, found.environment)
      const { bodyDigest, rowsDigest, includeScaling } = said
      const mark = { bodyDigest, rowsDigest }
      // WHY: another report may have said the same, here while we waited for the lock, or elsewhere.
      if (saysTheSame(found, said)) {
        const outcome = yield* unchanged({ environment: found.environment, now: writer.at })
        return { outcome, mark, includeScaling, running: rows }
      }
      const appended = yield* append(writer, found, { mark, rows })
      return Option.match(appended, {
        onNone: (): Evaluated => ({ outcome: "unchanged", mark, includeScaling, running: rows }),
        onSome: ({ running }): Evaluated => ({
          outcome: "changed",
          mark,
          includeScaling,
          running
        })
      })
    })

    const newsOf = (said: ReadReport): News => ({
      kind: said.kind,
      content: said.content,
      said: Effect.succeed(said)
    })

    /** Reads, decides and writes under the environment's lock; concurrent reports take turns. */
    const evaluate = (granted: Access.Granted, name: EnvironmentName, news: News) => {
      const key = { org: granted.orgId, name }
      const { kind, content } = news
      const rows = content.rows()
      const work = transaction.run(key.org, (scope) =>
        Effect.gen(function* () {
          const locked = yield* environments.lockByName(key)
          const found = yield* Either.flatMap(
            EnvironmentLookup.present(granted, name)(locked),
            ofKind(kind)
          )
          const writer = WriteContext.make(granted, yield* scope.now)
          return yield* evaluateLocked(writer, found, { news, rows })
        })
      )
      // WHY turns: reports of one environment would hold connections while they wait for each other.
      return turns(
        `${key.org} ${name}`,
        Effect.mapBoth(work, {
          onSuccess: ({ outcome, mark, includeScaling, running }) => {
            accepted.keep(key, { kind, mark, includeScaling, report: content.known(running) })
            return outcome
          },
          // WHY: whoever goes on reporting to what is gone should not lock it every time.
          onFailure: (error) => {
            accepted.forget(key)
            return error
          }
        })
      )
    }

    /** Evaluates a report that says something new to an environment that was looked up. */
    const compare = (granted: Access.Granted, found: MarkedEnvironment, read: ReadReport) =>
      Effect.flatMap(digestedFor(read, found.environment), (said) =>
        saysTheSame(found, said)
          ? unchanged(found)
          : evaluate(granted, found.environment.name, newsOf(said))
      )

    /** Looks the environment up, and reads the report only if its body is not known there. */
    const lookUp = <E, R>(
      granted: Access.Granted,
      name: EnvironmentName,
      { kind, bodyDigest, read }: Reading<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R> =>
      Effect.flatMap(environments.findByName({ org: granted.orgId, name }), (answer) =>
        Either.match(
          Either.flatMap(EnvironmentLookup.present(granted, name)(answer), ofKind(kind)),
          {
            // DECISION B-19: a malformed body is refused as such, whatever environment it is for.
            onLeft: (missing): Effect.Effect<ReportOutcome, E | ReportFailure, R> =>
              Effect.zipRight(read(false), Effect.fail(missing)),
            onRight: (found) =>
              Option.isSome(found.mark) && found.mark.value.bodyDigest === bodyDigest
                ? unchanged(found)
                : Effect.flatMap(read(found.environment.include_scaling), (said) =>
                    compare(granted, found, said)
                  )
          }
        )
      )

    /** Reads the report first: if it says something new, all else is learned under the lock. */
    const readFirst = <E, R>(
      granted: Access.Granted,
      name: EnvironmentName,
      {
        submitted: { kind, bodyDigest, content },
        last
      }: {
        readonly submitted: SubmittedReport<E, R>
        readonly last: LastReportCache.LastReport
      }
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R> =>
      Effect.flatMap(content(last.report), (read) => {
        const { includeScaling, mark } = last
        const digesting = digested({ kind, bodyDigest, content: read }, includeScaling)
        // WHY aside: what the report means is needed once the environment is locked, and not sooner.
        if (read.isNews({ includeScaling })) {
          return Effect.flatMap(aside(digesting), (said) =>
            evaluate(granted, name, { kind, content: read, said })
          )
        }
        return Effect.flatMap(
          digesting,
          (said): Effect.Effect<ReportOutcome, ReportFailure> =>
            said.rowsDigest === mark.rowsDigest
              ? lookUp(granted, name, { kind, bodyDigest, read: () => Effect.succeed(said) })
              : evaluate(granted, name, newsOf(said))
        )
      })

    /** WHY not a generator: most requests are reports that change nothing, and this is all they do. */
    const submit = <E, R>(
      granted: Access.Granted,
      name: EnvironmentName,
      submitted: SubmittedReport<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R> => {
      const { kind, bodyDigest, content } = submitted
      const last = accepted.find({ org: granted.orgId, name })
      return last !== undefined && last.kind === kind && last.mark.bodyDigest !== bodyDigest
        ? readFirst(granted, name, { submitted, last })
        : lookUp(granted, name, {
            kind,
            bodyDigest,
            read: (includeScaling) =>
              Effect.flatMap(content(last === undefined ? Option.none() : last.report), (read) =>
                digested({ kind, bodyDigest, content: read }, includeScaling)
              )
          })
    }

    /** Accepts a report. */
    const accept = <E, R>(
      org: OrgName,
      name: EnvironmentName,
      submitted: SubmittedReport<E, R>
    ): Effect.Effect<ReportOutcome, E | ReportFailure, R | CurrentActor> =>
      Span.withSpan(
        "Snapshots.report",
        Effect.flatMap(CurrentActor, (actor) =>
          Effect.flatMap(Access.authorize(actor, org, "environment.report"), (granted) =>
            submit(granted, name, submitted)
          )
        )
      )

    return { accept } as const
  })
}) {}

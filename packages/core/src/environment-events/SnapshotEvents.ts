/** The event log of an environment: one page, or all of it as an audit log. SPEC §4.4, §4.12 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import * as Environment from "../environment/Environment.js"
import type { EnvironmentEvent, EventClass } from "../environment/EnvironmentEvent.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import { RepoNotFound } from "../repo/Repo.js"
import { RepoStore } from "../repo/RepoStore.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { offsetOf, type Page } from "../shared/Page.js"
import { fromMicros, MICROSECONDS_MAX, type Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import * as MaskedFlows from "../snapshot/internal/MaskedFlows.js"
import * as SnapshotRange from "../snapshot/SnapshotRange.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import { EnvironmentEventExport } from "./EnvironmentEventExport.js"
import * as EnvironmentEvents from "./EnvironmentEvents.js"
import * as EventBound from "./EventBound.js"
import * as EventReading from "./internal/EventReading.js"

/** Which events are read; bounds combine with AND and are inclusive. */
export interface EventLogQuery extends Page {
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly start?: EventBound.EventBound
  readonly end?: EventBound.EventBound
  readonly range?: SnapshotRange.SnapshotRange
  readonly repoNames?: ReadonlyArray<string>
  readonly eventClasses?: ReadonlySet<EventClass>
  readonly flowNames?: ReadonlySet<string>
  /** Oldest first. */
  readonly reverse: boolean
}

/** One page of events. */
export interface EventPage {
  readonly events: ReadonlyArray<EnvironmentEvent>
  /** The number of events on all pages; none for a query that filters events, which would read them all. */
  readonly total: Option.Option<number>
  /** Whether a page follows. */
  readonly isMore: boolean
}

/** The first instant that there is. */
const EARLIEST = -MICROSECONDS_MAX

const EMPTY: EventPage = { events: [], total: Option.some(0), isMore: false }

const intersect = (
  left: SnapshotRange.Span,
  right: SnapshotRange.Span
): Option.Option<SnapshotRange.Span> => {
  const span = {
    first: Math.max(left.first, right.first),
    last: Math.min(left.last, right.last)
  }
  return span.first <= span.last ? Option.some(span) : Option.none()
}

/** Use cases of the event log. */
export class SnapshotEvents extends Effect.Service<SnapshotEvents>()(
  "@attestry/core/SnapshotEvents",
  {
    effect: Effect.gen(function* () {
      const settled = yield* UpToDateEnvironments
      const store = yield* SnapshotStore
      const audit = yield* EnvironmentEventExport
      const read = yield* EventReading.make
      const repos = yield* RepoStore
      const transaction = yield* Transaction
      const reaches = yield* Reaches
      const hiddenOf = yield* MaskedFlows.make

      /** The flows that are left out of events; absent for who reads the whole org. */
      const maskOf = (granted: GrantedWithin): Pick<EventReading.EventReading, "hiddenIn"> =>
        granted.readable._tag === "Whole" ? {} : { hiddenIn: (flows) => hiddenOf(granted, flows) }

      /**
       * Fails for a repository that is not there. WHY not for who reads a part of the org: it would tell of those that
       * only hidden flows name; events of such a one are none.
       */
      const checkRepos = ({ org, orgId, readable }: GrantedWithin, names: ReadonlyArray<string>) =>
        readable._tag === "Part"
          ? Effect.void
          : Effect.forEach(
              new Set(names),
              (repo) =>
                Effect.flatMap(repos.listByName(orgId, repo), (named) =>
                  named.length === 0 ? new RepoNotFound({ org, repo }) : Effect.void
                ),
              { discard: true }
            )

      /** The indexes of the snapshots between two instants. */
      const between = (
        ref: Environment.EnvironmentRef,
        latest: number,
        { from, to }: { readonly from?: Timestamp; readonly to?: Timestamp }
      ) =>
        Effect.gen(function* () {
          const before =
            from === undefined || from === EARLIEST
              ? 0
              : yield* store.indexAt(ref, fromMicros(from - 1))
          const last = to === undefined ? latest : yield* store.indexAt(ref, to)
          return { first: before + 1, last }
        })

      const boundIndex = (
        ref: Environment.EnvironmentRef,
        { bound, side }: { readonly bound: EventBound.EventBound; readonly side: "start" | "end" },
        at: { readonly now: Timestamp; readonly latestIndex: number }
      ) => {
        const locator = EventBound.locate(bound, at)
        return locator._tag === "AtIndex"
          ? Effect.succeed(locator.index)
          : Effect.map(store.indexAt(ref, locator.instant), (index) =>
              side === "start" ? index + 1 : index
            )
      }

      /** The indexes of the snapshots of a query; none when the range contains no snapshot. */
      const spanOf = (ref: Environment.EnvironmentRef, now: Timestamp, query: EventLogQuery) =>
        Effect.gen(function* () {
          const latest = yield* store.latest(ref)
          if (Option.isNone(latest)) return Option.none()
          const latestIndex = latest.value.index
          const at = { now, latestIndex }
          const { start, end } = query
          const bounds = {
            first:
              start === undefined ? 1 : yield* boundIndex(ref, { bound: start, side: "start" }, at),
            last:
              end === undefined
                ? latestIndex
                : yield* boundIndex(ref, { bound: end, side: "end" }, at)
          }
          const times = yield* between(ref, latestIndex, query)
          return SnapshotRange.resolve(query.range ?? SnapshotRange.everything, latestIndex).pipe(
            Option.flatMap((span) => intersect(span, bounds)),
            Option.flatMap((span) => intersect(span, times))
          )
        })

      /** The filter of events of a query; undefined where it has none. */
      const filterOf = ({ eventClasses, flowNames, repoNames }: EventLogQuery) =>
        eventClasses === undefined && flowNames === undefined && repoNames === undefined
          ? undefined
          : EnvironmentEvents.matches({
              ...(eventClasses === undefined ? {} : { eventClasses }),
              ...(flowNames === undefined ? {} : { flowNames }),
              ...(repoNames === undefined ? {} : { repoNames: new Set(repoNames) })
            })

      const page = (
        granted: GrantedWithin,
        environment: Environment.Environment,
        query: EventLogQuery & { readonly now: Timestamp }
      ) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          yield* checkRepos(granted, query.repoNames ?? [])
          const span = yield* spanOf(ref, query.now, query)
          const passes = filterOf(query)
          const isFiltered = passes !== undefined
          if (Option.isNone(span))
            return isFiltered ? { ...EMPTY, total: Option.none<number>() } : EMPTY
          const total = isFiltered
            ? Option.none<number>()
            : Option.some(yield* store.countEvents(ref, span.value))
          const skipped = offsetOf(query)
          const found = yield* read({
            ref,
            environment: environment.name,
            span: span.value,
            newestFirst: !query.reverse,
            skip: isFiltered ? 0 : skipped,
            atMost: isFiltered ? EventReading.BATCH : query.perPage,
            ...maskOf(granted)
          }).pipe(
            Stream.filter(passes ?? (() => true)),
            Stream.drop(isFiltered ? skipped : 0),
            Stream.take(isFiltered ? query.perPage + 1 : query.perPage),
            Stream.runCollect
          )
          return {
            events: Chunk.toReadonlyArray(found).slice(0, query.perPage),
            total,
            isMore: Option.match(total, {
              onNone: () => found.length > query.perPage,
              onSome: (count) => count > skipped + query.perPage
            })
          } satisfies EventPage
        })

      /** One page of events, newest first unless reversed. */
      const list = Effect.fn("SnapshotEvents.list")(function* (
        org: OrgName,
        name: EnvironmentName,
        query: EventLogQuery
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        return yield* settled.read(granted, name, (environment) =>
          transaction.run(granted.orgId, (scope) =>
            Effect.flatMap(scope.now, (now) => page(granted, environment, { ...query, now }))
          )
        )
      })

      /** The lines of who reads a part of the org, whose hidden flows are looked up batch by batch. */
      const partialLines =
        (granted: GrantedWithin): EnvironmentEventExport["Type"]["lines"] =>
        (ref, { environment, filter, span }) =>
          read({
            ref,
            environment,
            span,
            newestFirst: false,
            skip: 0,
            atMost: EventReading.BATCH,
            ...maskOf(granted)
          }).pipe(
            Stream.filter(EnvironmentEvents.matches(filter)),
            Stream.map(EnvironmentEvents.printPartialEvent),
            Stream.encodeText
          )

      /**
       * The audit log as a CSV file in UTF-8, oldest first. It contains the snapshots that exist at the call,
       * and is read while it is sent, so the memory does not depend on its length.
       */
      const auditLog = Effect.fn("SnapshotEvents.auditLog")(function* (
        org: OrgName,
        name: EnvironmentName,
        filter: EnvironmentEvents.AuditLogFilter
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        return yield* settled.read(granted, name, (environment) =>
          Effect.gen(function* () {
            const ref = Environment.ref(environment)
            const latest = yield* store.latest(ref)
            const span = Option.isNone(latest)
              ? Option.none()
              : intersect(
                  { first: 1, last: latest.value.index },
                  yield* between(ref, latest.value.index, filter)
                )
            const isPart = granted.readable._tag === "Part"
            const { header, partialHeader } = EnvironmentEvents
            const first = Stream.encodeText(Stream.make(isPart ? partialHeader : header))
            const linesOf = isPart ? partialLines(granted) : audit.lines
            return Option.match(span, {
              onNone: () => first,
              onSome: (found) =>
                Stream.concat(
                  first,
                  linesOf(ref, { environment: environment.name, span: found, filter })
                )
            })
          })
        )
      })

      return { list, auditLog } as const
    })
  }
) {}

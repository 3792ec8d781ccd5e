/** The event log of an environment: one page, or all of it as an audit log. SPEC §4.4, §4.12 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Environment from "../environment/Environment.js"
import type { EnvironmentEvent, EventClass } from "../environment/EnvironmentEvent.js"
import { UpToDateEnvironments } from "../environment/UpToDateEnvironments.js"
import { RepoNotFound } from "../repo/Repo.js"
import { RepoStore } from "../repo/RepoStore.js"
import type { EnvironmentName, OrgName } from "../shared/Identifier.js"
import { offsetOf, type Page } from "../shared/Page.js"
import { fromMicros, MICROSECONDS_MAX, type Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
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

      const find = (granted: Access.Granted, name: EnvironmentName) =>
        Effect.map(settled.find(granted, name), ({ environment }) => environment)

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

      /** One page of events, newest first unless reversed. */
      const list = Effect.fn("SnapshotEvents.list")(function* (
        org: OrgName,
        name: EnvironmentName,
        query: EventLogQuery
      ) {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
        const environment = yield* find(granted, name)
        const ref = Environment.ref(environment)
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            for (const repo of new Set(query.repoNames)) {
              const named = yield* repos.listByName(ref.org, repo)
              if (named.length === 0) return yield* new RepoNotFound({ org, repo })
            }
            const span = yield* spanOf(ref, now, query)
            const passes = filterOf(query)
            const isFiltered = passes !== undefined
            if (Option.isNone(span))
              return isFiltered ? { ...EMPTY, total: Option.none<number>() } : EMPTY
            const total = isFiltered
              ? Option.none<number>()
              : Option.some(yield* store.countEvents(ref, span.value))
            const skipped = offsetOf(query)
            const page = yield* read({
              ref,
              environment: environment.name,
              span: span.value,
              newestFirst: !query.reverse,
              skip: isFiltered ? 0 : skipped,
              atMost: isFiltered ? EventReading.BATCH : query.perPage
            }).pipe(
              Stream.filter(passes ?? (() => true)),
              Stream.drop(isFiltered ? skipped : 0),
              Stream.take(isFiltered ? query.perPage + 1 : query.perPage),
              Stream.runCollect
            )
            return {
              events: Chunk.toReadonlyArray(page).slice(0, query.perPage),
              total,
              isMore: Option.match(total, {
                onNone: () => page.length > query.perPage,
                onSome: (count) => count > skipped + query.perPage
              })
            } satisfies EventPage
          })
        )
      })

      /**
       * The audit log as a CSV file in UTF-8, oldest first. It contains the snapshots that exist at the call,
       * and is read while it is sent, so the memory does not depend on its length.
       */
      const auditLog = Effect.fn("SnapshotEvents.auditLog")(function* (
        org: OrgName,
        name: EnvironmentName,
        filter: EnvironmentEvents.AuditLogFilter
      ) {
        const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
        const environment = yield* find(granted, name)
        const ref = Environment.ref(environment)
        const latest = yield* store.latest(ref)
        const span = Option.isNone(latest)
          ? Option.none()
          : intersect(
              { first: 1, last: latest.value.index },
              yield* between(ref, latest.value.index, filter)
            )
        const header = Stream.encodeText(Stream.make(EnvironmentEvents.header))
        return Option.match(span, {
          onNone: () => header,
          onSome: (found) =>
            Stream.concat(
              header,
              audit.lines(ref, { environment: environment.name, span: found, filter })
            )
        })
      })

      return { list, auditLog } as const
    })
  }
) {}

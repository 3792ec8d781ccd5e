/**
 * `SnapshotStore` on PostgreSQL. How rows are kept: `migrations/0030_snapshot_append`; how events of logical
 * environments are: `migrations/internal/MemberEvents`.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { byNewest, keyOf, type RowIdentity } from "@attestry/core/RunningRow"
import * as Slices from "@attestry/core/Slices"
import {
  JudgingPolicy,
  type ListedRow,
  type Snapshot,
  type SnapshotHead,
  SnapshotMember,
  type SnapshotRow
} from "@attestry/core/Snapshot"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HeldEnvironment from "../environment/HeldEnvironment.js"
import { RunningMemory } from "../environment/RunningMemory.js"
import { OPEN } from "../migrations/0030_snapshot_append.js"
import * as ConnectionShares from "../shared/ConnectionShares.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import { afterCommit, SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"
import * as SnapshotEventsSql from "./SnapshotEventsSql.js"
import {
  FLOWS,
  instancesOf,
  ROW,
  RowRow,
  StoredAnnotation,
  toDocument,
  toListedRow,
  toRow
} from "./StoredRow.js"

const HeadRow = Schema.Struct({
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  count_true: Schema.Int,
  count_false: Schema.Int,
  count_null: Schema.Int,
  bucket: Schema.Int,
  members: Schema.NullOr(Schema.Array(SnapshotMember)),
  policies: Schema.NullOr(Schema.Array(JudgingPolicy)),
  next_timestamp: Schema.NullOr(Timestamp)
})

const HEAD = `s.index, s.timestamp, s.verdict, s.count_true, s.count_false, s.count_null, s.bucket,
  s.members, p.policies`

/** Where the policies of a head are kept. */
const POLICIES = `left join snapshot_policies p on p.org_id = s.org_id
  and p.digest = s.policies_digest`

/** A head as it is read together with the environment's lock: nothing comes after it. */
const { next_timestamp: _next, ...heldFields } = HeadRow.fields
const HeldHead = Schema.Struct(heldFields)
/** WHY here: decoders are kept by schema, and one that is made anew for each reading has none. */
const MaybeHeldHead = Schema.NullOr(HeldHead)

const ListedRowRow = Schema.Struct({
  ...RowRow.fields,
  row_no: Schema.Int,
  /** Its place among the rows about which the same was decided; only the first says what that was. */
  decided: Schema.Int,
  first_index: Schema.Int
})

/** A row that ended where another of its name and fingerprint may begin. */
const EndedRow = Schema.Struct({
  name: RowRow.fields.name,
  fingerprint: RowRow.fields.fingerprint,
  doc: Schema.String
})

const EventOfRow = Schema.Struct({ row_no: Schema.Int, ...StoredAnnotation.fields })
type EventsOfRows = ReadonlyMap<number, typeof EventOfRow.Type>

const NO_EVENT = { type: null, was: null, now: null }

/** A snapshot of so many rows is large. */
const LARGE_ROWS = 1_000

const LARGE_READS = { max: Number.POSITIVE_INFINITY, perOrg: 1, waitMillis: 10_000 }

const Watched = Schema.Struct({ watched: Schema.Boolean })

const toHead = ({ index, timestamp, verdict, ...row }: typeof HeldHead.Type): SnapshotHead => ({
  index,
  timestamp,
  verdict,
  counts: { true: row.count_true, false: row.count_false, null: row.count_null },
  policies: row.policies ?? []
})

/** How many instances a row had in the snapshot before, where it was another stored row then. */
type InstancesBefore = (row: RowIdentity) => number | undefined

/**
 * The rows of a snapshot, those about which the same was decided one after the other.
 *
 * WHY: most rows of an environment share a decision, which outweighs everything else of a row.
 */
const toListed = (
  all: ReadonlyArray<typeof ListedRowRow.Type>,
  { events, before }: { readonly events: EventsOfRows; readonly before: InstancesBefore }
): Effect.Effect<Array<ListedRow>> => {
  let decisions: ListedRow["decisions"] = []
  return Slices.map(all, (row) => {
    if (row.decided === 1) decisions = row.decisions ?? []
    const event = events.get(row.row_no)
    const instances = event === undefined ? before(row) : undefined
    return toListedRow(row, decisions, {
      annotation: event ?? NO_EVENT,
      ...(instances === undefined ? {} : { before: instances })
    })
  })
}

const exitedLast = (left: ListedRow, right: ListedRow): number =>
  Number(left.annotation.type === "exited") - Number(right.annotation.type === "exited") ||
  byNewest(left, right)

/** `SnapshotStore` on PostgreSQL. */
export const layer: Layer.Layer<
  SnapshotStore,
  never,
  SqlClient.SqlClient | SqlOrg | RunningMemory
> = Layer.effect(
  SnapshotStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const { transaction } = yield* SqlOrg
    const memory = yield* RunningMemory
    const columns = sql.literal(ROW)
    const flows = sql.literal(FLOWS)
    const heads = sql.literal(HEAD)
    const policies = sql.literal(POLICIES)

    const head = (operation: string, ref: EnvironmentRef, locator: Option.Option<Locator>) => {
      const condition = Option.match(locator, {
        onNone: () => sql.literal("true"),
        onSome: (at) =>
          at._tag === "AtIndex" ? sql`s.index = ${at.index}` : sql`s.timestamp <= ${at.instant}`
      })
      // WHY: instants rise with indexes; ordered by the one that is asked for, the first row is the answer.
      const order = sql.literal(
        Option.exists(locator, ({ _tag }) => _tag === "AtInstant") ? "s.timestamp" : "s.index"
      )
      return rows.first(HeadRow, {
        operation,
        org: ref.org,
        // WHY `order by`: it is the key that gives the order, so the next one is looked up by the key. B-157
        statement: sql`select ${heads}, (select n.timestamp from snapshot n where n.org_id = s.org_id
            and n.environment_id = s.environment_id and n.index > s.index
            order by n.index limit 1) as next_timestamp
          from snapshot s ${policies}
          where s.org_id = ${ref.org} and s.environment_id = ${ref.environment} and ${condition}
          order by ${order} desc limit 1`
      })
    }

    /** WHY lateral and `offset`: a row that exited is looked up by its key, whatever the planner expects. */
    const listed = ({ org, environment }: EnvironmentRef, { index, bucket }: typeof HeadRow.Type) =>
      rows.all(ListedRowRow, {
        operation: "SnapshotStore.find",
        org,
        statement: sql`select r.row_no, r.name, r.fingerprint, r.verdict, r.started_index, r.doc,
            r.decided, r.first_index, f.flows, d.decisions
          from (select l.*, row_number() over (partition by l.decisions_digest order by l.row_no)
              as decided
            from (select r.* from snapshot_row r
              where r.org_id = ${org} and r.environment_id = ${environment}
                and r.bucket = ${bucket} and r.first_index <= ${index} and r.last_index >= ${index}
              union all
              select r.* from snapshot_event e cross join lateral (select * from snapshot_row r
                where r.org_id = e.org_id and r.environment_id = e.environment_id
                  and r.bucket = e.bucket and r.row_no = e.row_no offset 0) r
              where e.org_id = ${org} and e.environment_id = ${environment} and e.index = ${index}
                and e.type = 'exited') l) r
          left join snapshot_flows f on f.org_id = r.org_id and f.digest = r.flows_digest
          left join snapshot_decisions d on d.org_id = r.org_id
            and d.digest = r.decisions_digest and r.decided = 1
          order by r.decisions_digest, r.decided`
      })

    /**
     * What happened to the rows of a snapshot.
     *
     * WHY a statement of its own, joined here: events have no index by row. Where PostgreSQL expects few rows it
     * joins in a nested loop, and without statistics it always expects few. DECISION B-157
     */
    const eventsOf = ({ org, environment }: EnvironmentRef, { index }: typeof HeadRow.Type) =>
      Effect.map(
        rows.all(EventOfRow, {
          operation: "SnapshotStore.find",
          org,
          statement: sql`select e.row_no, e.type, e.was, e.now from snapshot_event e
            where e.org_id = ${org} and e.environment_id = ${environment} and e.index = ${index}`
        }),
        (all): EventsOfRows => new Map(all.map((event) => [event.row_no, event]))
      )

    /** Asked for only where a row without an event begins: no other can have had another count. */
    const instancesBefore = (
      { org, environment }: EnvironmentRef,
      { index, bucket }: typeof HeadRow.Type,
      begins: boolean
    ): Effect.Effect<InstancesBefore, StoreError> =>
      begins
        ? Effect.map(
            rows.all(EndedRow, {
              operation: "SnapshotStore.find",
              org,
              statement: sql`select r.name, r.fingerprint, r.doc from snapshot_row r
                where r.org_id = ${org} and r.environment_id = ${environment}
                  and r.bucket between ${bucket - 1} and ${bucket} and r.last_index = ${index - 1}`
            }),
            (ended) => {
              const instances = new Map(ended.map((row) => [keyOf(row), instancesOf(row)]))
              return (row) => instances.get(keyOf(row))
            }
          )
        : Effect.succeed(() => undefined)

    const largeReads = ConnectionShares.make(LARGE_READS)

    /**
     * Large snapshots of one org are read one after another: what their rows take of memory and of the event loop
     * is taken from others. INVARIANT: a reader waits for readers alone, and those wait for nothing that it holds.
     */
    const inTurn = <A>(
      org: EnvironmentRef["org"],
      { count_true, count_false, count_null }: typeof HeadRow.Type,
      read: Effect.Effect<A, StoreError>
    ): Effect.Effect<A, StoreError> =>
      count_true + count_false + count_null < LARGE_ROWS
        ? read
        : SqlFailure.toStoreError("SnapshotStore.find")(
            Effect.scoped(Effect.zipRight(largeReads.take(org), read))
          )

    const find = (ref: EnvironmentRef, locator: Locator) =>
      transaction(ref.org, () =>
        Effect.gen(function* () {
          const located = yield* head("SnapshotStore.find", ref, Option.some(locator))
          if (Option.isNone(located)) return Option.none()
          const found = located.value
          const shown = yield* inTurn(
            ref.org,
            found,
            Effect.gen(function* () {
              const all = yield* listed(ref, found)
              const events = yield* eventsOf(ref, found)
              const begins = all.some(
                ({ first_index, row_no }) => first_index === found.index && !events.has(row_no)
              )
              const before = yield* instancesBefore(ref, found, begins)
              return yield* toListed(all, { events, before })
            })
          )
          return Option.some<Snapshot>({
            org_id: ref.org,
            environment_id: ref.environment,
            ...toHead(found),
            rows: shown.sort(exitedLast),
            members: found.members,
            next_timestamp: found.next_timestamp
          })
        })
      )

    const keep = (
      { environment }: EnvironmentRef,
      timestamp: Timestamp,
      running: ReadonlyArray<SnapshotRow>
    ) => afterCommit(() => memory.keep({ environment, timestamp, rows: running }))

    /** WHY together with appending, or with the lock: whoever has nobody to tell must not pay for asking. */
    const append = Effect.fnUntraced(function* (
      ref: EnvironmentRef,
      by: "snapshot_append" | "logical_snapshot_append",
      draft: string
    ) {
      const held = yield* HeldEnvironment.find(ref)
      yield* HeldEnvironment.forgetSnapshot(ref)
      const call = {
        operation: "SnapshotStore.append",
        org: ref.org,
        row: `snapshots of ${ref.environment}`
      }
      const appending = sql`${sql.literal(by)}(${ref.org}, ${ref.environment}, ${draft}::jsonb)`
      if (held !== undefined) {
        return yield* Effect.as(rows.call({ ...call, statement: appending }), held.is_watched)
      }
      const answered = yield* rows.first(Watched, {
        ...call,
        statement: sql`select ${appending},
            exists (select from environment_notification where org_id = ${ref.org}) as watched`
      })
      return Option.exists(answered, ({ watched }) => watched)
    })

    const latest = (ref: EnvironmentRef) =>
      Effect.flatMap(HeldEnvironment.findSnapshot(ref), (held) =>
        held === undefined
          ? Effect.map(head("SnapshotStore.latest", ref, Option.none()), Option.map(toHead))
          : Effect.map(
              rows.first(MaybeHeldHead, {
                operation: "SnapshotStore.latest",
                org: ref.org,
                statement: Effect.succeed([held.head])
              }),
              (found) => Option.map(Option.flatMap(found, Option.fromNullable), toHead)
            )
      )

    const readRunning = (ref: EnvironmentRef, statement: SqlRows.Call["statement"]) =>
      Effect.map(
        rows.all(RowRow, { operation: "SnapshotStore.running", org: ref.org, statement }),
        (all) => all.map(toRow).sort(byNewest)
      )

    const running = Effect.fnUntraced(function* (ref: EnvironmentRef) {
      const held = yield* HeldEnvironment.findSnapshot(ref)
      if (held === undefined) {
        return yield* readRunning(
          ref,
          sql`select ${columns} from snapshot_row r ${flows}
              where r.org_id = ${ref.org} and r.environment_id = ${ref.environment}
                and r.bucket = (select s.bucket from snapshot s where s.org_id = ${ref.org}
                  and s.environment_id = ${ref.environment} order by s.index desc limit 1)
                and r.last_index = ${OPEN}`
        )
      }
      if (held.running !== undefined) return held.running
      const found = yield* readRunning(ref, Effect.succeed(held.rows ?? []))
      yield* HeldEnvironment.rememberRunning(ref, held, found)
      const head = yield* latest(ref)
      if (Option.isSome(head)) yield* keep(ref, head.value.timestamp, found)
      return found
    })

    return SnapshotStore.of({
      latest,
      running,
      find,
      heads: ({ org, environment }, { first, last }) =>
        Effect.map(
          rows.list(HeadRow, {
            operation: "SnapshotStore.heads",
            from: "page",
            org,
            statement: sql`select ${heads}, lead(s.timestamp) over (order by s.index) as next_timestamp
              from snapshot s ${policies} where s.org_id = ${org} and s.environment_id = ${environment}
                and s.index between ${first} and ${last + 1}
              order by s.index desc`
          }),
          (found) =>
            found
              .filter(({ index }) => index <= last)
              .map((head) => ({ ...toHead(head), next_timestamp: head.next_timestamp }))
        ),
      indexAt: (ref, instant) =>
        Effect.map(
          head("SnapshotStore.indexAt", ref, Option.some({ _tag: "AtInstant", instant })),
          Option.match({ onNone: () => 0, onSome: ({ index }) => index })
        ),
      append: Effect.fnUntraced(function* (ref, { running: next, begun, events, ...draft }) {
        const { counts, timestamp } = draft
        const head = JSON.stringify({
          ...draft,
          members: null,
          running: counts.true + counts.false + counts.null
        })
        // WHY each row by itself: the text of thousands is printed in slices.
        const begins = yield* Slices.map(begun, (row) => JSON.stringify(toDocument(row)))
        const happens = yield* Slices.map(events, ({ annotation, ...event }) =>
          JSON.stringify({ ...event, ...annotation })
        )
        const text = `${head.slice(0, -1)},"begun":[${begins}],"events":[${happens}]}`
        const isWatched = yield* append(ref, "snapshot_append", text)
        if (next !== undefined) yield* keep(ref, timestamp, next)
        return isWatched
      }),
      appendLogical: (ref, draft) => append(ref, "logical_snapshot_append", JSON.stringify(draft)),
      events: SnapshotEventsSql.events(sql, rows),
      predecessors: SnapshotEventsSql.predecessors(sql, rows)
    })
  })
)

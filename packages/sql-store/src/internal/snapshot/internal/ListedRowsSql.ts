/**
 * Which rows does a snapshot list: those that run, those that exited with it, and what happened to each.
 *
 * Three statements, joined here, each of which finds its rows by key whatever the planner expects.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { ReportedFingerprint } from "@attestry/core/Fingerprint"
import { byNewest, keyOf, type RowIdentity } from "@attestry/core/RunningRow"
import * as Slices from "@attestry/core/Slices"
import type { ListedRow } from "@attestry/core/Snapshot"
import type { StoreError } from "@attestry/core/StoreError"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ConnectionShares from "../../shared/ConnectionShares.js"
import * as SqlFailure from "../../shared/SqlFailure.js"
import * as TenantQueries from "../../shared/TenantQueries.js"
import { instancesOf, RowRow, StoredAnnotation, toListedRow } from "../StoredRow.js"

/** The parts of a snapshot's head that locate its rows. */
export interface ListedHead {
  readonly index: number
  readonly bucket: number
  readonly count_true: number
  readonly count_false: number
  readonly count_null: number
}

const ListedRowRow = Schema.Struct({
  ...RowRow.fields,
  row_no: Schema.Int,
  /** Its place among the rows of equal decisions; only the first has the decisions. */
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

/** How many instances a row had in the snapshot before, where it was another stored row then. */
type InstancesBefore = (row: RowIdentity) => number | undefined

/**
 * The rows of a snapshot, grouped by equal decisions.
 *
 * WHY: most rows of an environment share their decisions, which are larger than the rest of a row.
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

/** Only rows of these fingerprints; all where it is absent. */
type Only = ReadonlyArray<ReportedFingerprint> | undefined

/**
 * The stored rows that a snapshot lists, with a column `exited`.
 *
 * WHY lateral and `offset`: rows that exited are looked up by their keys, whatever the planner expects.
 */
export const storedRows = (
  sql: SqlClient.SqlClient,
  { org, environment }: EnvironmentRef,
  { index, bucket, only }: Pick<ListedHead, "index" | "bucket"> & { readonly only?: Only }
) => {
  const wanted = only === undefined ? sql.literal("true") : sql`r.fingerprint = any (${only})`
  return sql`select r.*, false as exited from snapshot_row r
      where r.org_id = ${org} and r.environment_id = ${environment}
        and r.bucket = ${bucket} and r.first_index <= ${index} and r.last_index >= ${index}
        and ${wanted}
      union all
      select r.*, true as exited from snapshot_event e
        cross join lateral (select * from snapshot_row r
          where r.org_id = e.org_id and r.environment_id = e.environment_id
            and r.bucket = e.bucket and r.row_no = e.row_no offset 0) r
      where e.org_id = ${org} and e.environment_id = ${environment} and e.index = ${index}
        and e.type = 'exited' and ${wanted}`
}

/** Reads the rows of a snapshot within the current transaction. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* TenantQueries.make

  /** WHY lateral and `offset`: as above. A prepared statement keeps the plan of the time when there was little. */
  const listed = (ref: EnvironmentRef, head: ListedHead, only: Only) =>
    rows.all(ListedRowRow, {
      operation: "SnapshotStore.find",
      org: ref.org,
      statement: sql`select r.row_no, r.name, r.fingerprint, r.verdict, r.started_index, r.doc,
          r.decided, r.first_index, f.flows, d.decisions
        from (select l.*, row_number() over (partition by l.decisions_digest order by l.row_no)
            as decided
          from (${storedRows(sql, ref, { ...head, only })}) l) r
        left join lateral (select f.flows from snapshot_flows f
          where f.org_id = r.org_id and f.digest = r.flows_digest offset 0) f on true
        left join lateral (select d.decisions from snapshot_decisions d
          where r.decided = 1 and d.org_id = r.org_id and d.digest = r.decisions_digest
          offset 0) d on true
        order by r.decisions_digest, r.decided`
    })

  /**
   * What happened to the rows of a snapshot.
   *
   * WHY a statement of its own, joined here: events have no index by row. Where PostgreSQL expects few rows it
   * joins in a nested loop, and without statistics it always expects few.
   */
  const eventsOf = (
    { org, environment }: EnvironmentRef,
    { index }: ListedHead,
    rowNumbers: ReadonlyArray<number> | undefined
  ) =>
    Effect.map(
      rows.all(EventOfRow, {
        operation: "SnapshotStore.find",
        org,
        statement: sql`select e.row_no, e.type, e.was, e.now from snapshot_event e
          where e.org_id = ${org} and e.environment_id = ${environment} and e.index = ${index}
            and ${
              rowNumbers === undefined ? sql.literal("true") : sql`e.row_no = any (${rowNumbers})`
            }`
      }),
      (all): EventsOfRows => new Map(all.map((event) => [event.row_no, event]))
    )

  /** Read only where a row without an event begins: no other row can have had another count. */
  const instancesBefore = (
    { org, environment }: EnvironmentRef,
    { index, bucket }: ListedHead,
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
   * Large snapshots of one org are read one at a time: their rows take memory and time of the event loop.
   * INVARIANT: a reader waits only for readers, and those wait for nothing that it holds.
   */
  const inTurn = <A>(
    org: EnvironmentRef["org"],
    { count_true, count_false, count_null, isWhole }: ListedHead & { readonly isWhole: boolean },
    read: Effect.Effect<A, StoreError>
  ): Effect.Effect<A, StoreError> =>
    !isWhole || count_true + count_false + count_null < LARGE_ROWS
      ? read
      : SqlFailure.toStoreError("SnapshotStore.find")(
          Effect.scoped(Effect.zipRight(largeReads.take(org), read))
        )

  const find = (
    ref: EnvironmentRef,
    head: ListedHead,
    only: Only
  ): Effect.Effect<ReadonlyArray<ListedRow>, StoreError> =>
    only?.length === 0
      ? Effect.succeed([])
      : inTurn(
          ref.org,
          { ...head, isWhole: only === undefined },
          Effect.gen(function* () {
            const all = yield* listed(ref, head, only)
            const numbers = only === undefined ? undefined : all.map(({ row_no }) => row_no)
            const events = yield* eventsOf(ref, head, numbers)
            const begins = all.some(
              ({ first_index, row_no }) => first_index === head.index && !events.has(row_no)
            )
            const before = yield* instancesBefore(ref, head, begins)
            return (yield* toListed(all, { events, before })).sort(exitedLast)
          })
        )

  return { find } as const
})

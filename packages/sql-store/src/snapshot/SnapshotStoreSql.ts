/** `SnapshotStore` on PostgreSQL. How rows are kept: `SnapshotWriting`. */
import type { EnvironmentRef } from "@attestry/core/Environment"
import { byNewest, RunningRow } from "@attestry/core/RunningRow"
import type { ListedRow, Snapshot, SnapshotHead, SnapshotRow } from "@attestry/core/Snapshot"
import { AnnotationType } from "@attestry/core/SnapshotAnnotation"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlOrg } from "../shared/SqlOrg.js"
import * as SqlRows from "../shared/SqlRows.js"
import * as SnapshotWriting from "./SnapshotWriting.js"

const HeadRow = Schema.Struct({
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  count_true: Schema.Int,
  count_false: Schema.Int,
  count_null: Schema.Int,
  bucket: Schema.Int,
  next_timestamp: Schema.NullOr(Timestamp)
})

const { name: _name, fingerprint: _fingerprint, ...document } = RunningRow.fields

const RowRow = Schema.Struct({
  name: RunningRow.fields.name,
  fingerprint: RunningRow.fields.fingerprint,
  verdict: Verdict,
  doc: Schema.Struct(document)
})

const ListedRowRow = Schema.Struct({
  ...RowRow.fields,
  type: Schema.NullOr(AnnotationType),
  was: Schema.NullOr(Schema.Int),
  now: Schema.NullOr(Schema.Int)
})

const toHead = ({ index, timestamp, verdict, ...row }: typeof HeadRow.Type): SnapshotHead => ({
  index,
  timestamp,
  verdict,
  counts: { true: row.count_true, false: row.count_false, null: row.count_null }
})

const toRow = ({ doc, name, fingerprint, verdict }: typeof RowRow.Type): SnapshotRow => ({
  name,
  fingerprint,
  verdict,
  ...doc
})

const toListed = ({ type, was, now, ...rest }: typeof ListedRowRow.Type): ListedRow => {
  const row = toRow(rest)
  const count = row.creationTimestamp.length
  return {
    ...row,
    annotation: { type: type ?? "unchanged", was: was ?? count, now: now ?? count }
  }
}

const exitedLast = (left: ListedRow, right: ListedRow): number =>
  Number(left.annotation.type === "exited") - Number(right.annotation.type === "exited") ||
  byNewest(left, right)

/** `SnapshotStore` on PostgreSQL. */
export const layer: Layer.Layer<SnapshotStore, never, SqlClient.SqlClient | SqlOrg> = Layer.effect(
  SnapshotStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* SqlRows.make
    const { transaction } = yield* SqlOrg

    const head = (operation: string, ref: EnvironmentRef, locator: Option.Option<Locator>) => {
      const condition = Option.match(locator, {
        onNone: () => sql.literal("true"),
        onSome: (at) =>
          at._tag === "AtIndex" ? sql`index = ${at.index}` : sql`timestamp <= ${at.instant}`
      })
      return rows.first(HeadRow, {
        operation,
        org: ref.org,
        statement: sql`select s.*, (select n.timestamp from snapshot n where n.org_id = s.org_id
            and n.environment_id = s.environment_id and n.index = s.index + 1) as next_timestamp
          from snapshot s where s.org_id = ${ref.org} and s.environment_id = ${ref.environment}
            and ${condition}
          order by s.index desc limit 1`
      })
    }

    const listed = ({ org, environment }: EnvironmentRef, { index, bucket }: typeof HeadRow.Type) =>
      rows.all(ListedRowRow, {
        operation: "SnapshotStore.find",
        org,
        statement: sql`select r.name, r.fingerprint, r.verdict, r.doc, e.type, e.was, e.now
          from snapshot_row r
          left join snapshot_event e on e.org_id = r.org_id and e.environment_id = r.environment_id
            and e.index = ${index} and e.row_no = r.row_no
          where r.org_id = ${org} and r.environment_id = ${environment} and r.bucket = ${bucket}
            and r.first_index <= ${index} and r.last_index >= ${index}
          union all
          select r.name, r.fingerprint, r.verdict, r.doc, e.type, e.was, e.now
          from snapshot_event e
          join snapshot_row r on r.org_id = e.org_id and r.environment_id = e.environment_id
            and r.bucket = e.bucket and r.row_no = e.row_no
          where e.org_id = ${org} and e.environment_id = ${environment} and e.index = ${index}
            and e.type = 'exited'`
      })

    const find = (ref: EnvironmentRef, locator: Locator) =>
      transaction(ref.org, () =>
        Effect.flatMap(
          head("SnapshotStore.find", ref, Option.some(locator)),
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (found) =>
              Effect.map(listed(ref, found), (all) =>
                Option.some<Snapshot>({
                  org_id: ref.org,
                  environment_id: ref.environment,
                  ...toHead(found),
                  rows: all.map(toListed).sort(exitedLast),
                  next_timestamp: found.next_timestamp
                })
              )
          })
        )
      )

    return SnapshotStore.of({
      latest: (ref) =>
        Effect.map(head("SnapshotStore.latest", ref, Option.none()), Option.map(toHead)),
      running: ({ org, environment }) =>
        Effect.map(
          rows.all(RowRow, {
            operation: "SnapshotStore.running",
            org,
            statement: sql`select r.name, r.fingerprint, r.verdict, r.doc from snapshot_row r
              where r.org_id = ${org} and r.environment_id = ${environment}
                and r.bucket = (select s.bucket from snapshot s where s.org_id = ${org}
                  and s.environment_id = ${environment} order by s.index desc limit 1)
                and r.last_index = ${SnapshotWriting.OPEN}`
          }),
          (all) => all.map(toRow)
        ),
      find,
      append: (ref, draft) =>
        Effect.asVoid(
          rows.count({
            operation: "SnapshotStore.append",
            org: ref.org,
            statement: Effect.as(SnapshotWriting.append(sql, ref, draft), [])
          })
        )
    })
  })
)

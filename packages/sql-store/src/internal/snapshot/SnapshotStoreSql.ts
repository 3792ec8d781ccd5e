/**
 * `SnapshotStore` on PostgreSQL. `schema/functions/snapshot_append.sql` writes rows, and
 * `schema/functions/member_events.sql` writes events of logical environments.
 */
import type { EnvironmentRef } from "@attestry/core/Environment"
import type { ReportedFingerprint } from "@attestry/core/Fingerprint"
import { byNewest } from "@attestry/core/RunningRow"
import { SnapshotReason } from "@attestry/core/Silence"
import {
  EvaluatingPolicy,
  type Snapshot,
  type SnapshotHead,
  SnapshotMember
} from "@attestry/core/Snapshot"
import type { Locator } from "@attestry/core/SnapshotExpression"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Timestamp } from "@attestry/core/Timestamp"
import { Verdict } from "@attestry/core/Verdict"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { OPEN_INDEX } from "../../schema/internal/SchemaNames.js"
import * as LockedEnvironment from "../environment/LockedEnvironment.js"
import * as SnapshotEventsSql from "../environment-events/SnapshotEventsSql.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as ListedRowsSql from "./internal/ListedRowsSql.js"
import * as SnapshotParts from "./internal/SnapshotParts.js"
import { FLOWS, ROW, RowRow, toRow } from "./StoredRow.js"

const HeadRow = Schema.Struct({
  index: Schema.Int,
  timestamp: Timestamp,
  verdict: Verdict,
  count_true: Schema.Int,
  count_false: Schema.Int,
  count_null: Schema.Int,
  bucket: Schema.Int,
  members: Schema.NullOr(Schema.Array(SnapshotMember)),
  policies: Schema.NullOr(Schema.Array(EvaluatingPolicy)),
  reasons: Schema.NullOr(Schema.Array(SnapshotReason)),
  next_timestamp: Schema.NullOr(Timestamp)
})

const HEAD = `s.index, s.timestamp, s.verdict, s.count_true, s.count_false, s.count_null, s.bucket,
  s.members, s.reasons, p.policies`

/** Where the policies of a head are kept. */
const POLICIES = `left join snapshot_policies p on p.org_id = s.org_id
  and p.digest = s.policies_digest`

/** A head as it is read together with the environment's lock: nothing comes after it. */
const { next_timestamp: _next, ...lockedFields } = HeadRow.fields
const LockedHead = Schema.Struct(lockedFields)
/** WHY here: decoders are cached by schema, and a schema that is made for each read has none. */
const MaybeLockedHead = Schema.NullOr(LockedHead)

const toHead = ({ index, timestamp, verdict, ...row }: typeof LockedHead.Type): SnapshotHead => ({
  index,
  timestamp,
  verdict,
  counts: { true: row.count_true, false: row.count_false, null: row.count_null },
  policies: row.policies ?? [],
  ...(row.reasons === null ? {} : { reasons: row.reasons })
})

/** `SnapshotStore` on PostgreSQL. */
export const layer: Layer.Layer<SnapshotStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    SnapshotStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* TenantQueries.make
      const { transaction } = yield* TenantTransaction
      const columns = sql.literal(ROW)
      const flows = sql.literal(FLOWS)
      const heads = sql.literal(HEAD)
      const policies = sql.literal(POLICIES)
      const listed = yield* ListedRowsSql.make

      const head = (operation: string, ref: EnvironmentRef, locator: Option.Option<Locator>) => {
        const condition = Option.match(locator, {
          onNone: () => sql.literal("true"),
          onSome: (at) =>
            at._tag === "AtIndex" ? sql`s.index = ${at.index}` : sql`s.timestamp <= ${at.instant}`
        })
        // WHY: instants rise with indexes; ordered by the requested one, the first row is the answer.
        const order = sql.literal(
          Option.exists(locator, ({ _tag }) => _tag === "AtInstant") ? "s.timestamp" : "s.index"
        )
        return rows.first(HeadRow, {
          operation,
          org: ref.org,
          // WHY `order by`: it is the key that gives the order, so the next one is looked up by the key.
          statement: sql`select ${heads}, (select n.timestamp from snapshot n where n.org_id = s.org_id
            and n.environment_id = s.environment_id and n.index > s.index
            order by n.index limit 1) as next_timestamp
          from snapshot s ${policies}
          where s.org_id = ${ref.org} and s.environment_id = ${ref.environment} and ${condition}
          order by ${order} desc limit 1`
        })
      }

      const find = (
        ref: EnvironmentRef,
        locator: Locator,
        only?: ReadonlyArray<ReportedFingerprint>
      ) =>
        transaction(ref.org, () =>
          Effect.gen(function* () {
            const located = yield* head("SnapshotStore.find", ref, Option.some(locator))
            if (Option.isNone(located)) return Option.none()
            const found = located.value
            return Option.some<Snapshot>({
              org_id: ref.org,
              environment_id: ref.environment,
              ...toHead(found),
              rows: yield* listed.find(ref, found, only),
              members: found.members,
              next_timestamp: found.next_timestamp
            })
          })
        )

      const append = (
        ref: EnvironmentRef,
        by: "snapshot_append" | "snapshot_append_parts" | "logical_snapshot_append",
        draft: string
      ) =>
        Effect.zipRight(
          LockedEnvironment.deleteSnapshot(ref),
          rows.call({
            operation: "SnapshotStore.append",
            org: ref.org,
            row: `snapshots of ${ref.environment}`,
            statement: sql`${sql.literal(by)}(${ref.org}, ${ref.environment}, ${draft}::jsonb)`
          })
        )

      const sendParts = (ref: EnvironmentRef, parts: ReadonlyArray<SnapshotParts.Part>) =>
        Effect.forEach(
          parts,
          (part, at) =>
            Effect.flatMap(SnapshotParts.print(part), (text) =>
              rows.run({
                operation: "SnapshotStore.append",
                org: ref.org,
                statement: sql`insert into snapshot_part (org_id, environment_id, part, rows)
                  values (${ref.org}, ${ref.environment}, ${at}, ${text}::jsonb)`
              })
            ),
          { discard: true }
        )

      const latest = (ref: EnvironmentRef) =>
        Effect.flatMap(LockedEnvironment.getSnapshot(ref), (locked) =>
          locked === undefined
            ? Effect.map(head("SnapshotStore.latest", ref, Option.none()), Option.map(toHead))
            : Effect.map(
                rows.first(MaybeLockedHead, {
                  operation: "SnapshotStore.latest",
                  org: ref.org,
                  statement: Effect.succeed([locked.head])
                }),
                (found) => Option.map(Option.flatMap(found, Option.fromNullable), toHead)
              )
        )

      const readRunning = (ref: EnvironmentRef, statement: TenantQueries.Call["statement"]) =>
        Effect.map(
          rows.all(RowRow, { operation: "SnapshotStore.running", org: ref.org, statement }),
          (all) => all.map(toRow).sort(byNewest)
        )

      const running = (ref: EnvironmentRef) =>
        Effect.flatMap(LockedEnvironment.getSnapshot(ref), (locked) =>
          readRunning(
            ref,
            locked === undefined
              ? sql`select ${columns} from snapshot_row r ${flows}
                where r.org_id = ${ref.org} and r.environment_id = ${ref.environment}
                  and r.bucket = (select s.bucket from snapshot s where s.org_id = ${ref.org}
                    and s.environment_id = ${ref.environment} order by s.index desc limit 1)
                  and r.last_index = ${OPEN_INDEX}`
              : Effect.succeed(locked.rows ?? [])
          )
        )

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
        append: Effect.fnUntraced(function* (ref, { begun, ended, events, ...draft }) {
          const { counts } = draft
          const running = counts.true + counts.false + counts.null
          const head = JSON.stringify({ ...draft, members: null, running })
          const parts = SnapshotParts.of({ begun, ended, events })
          if (parts.length > 1) {
            const appended = Effect.zipRight(
              sendParts(ref, parts),
              append(ref, "snapshot_append_parts", head)
            )
            return yield* transaction(ref.org, () => appended)
          }
          const rows_ = yield* SnapshotParts.print({ begun, ended, events })
          yield* append(ref, "snapshot_append", `${head.slice(0, -1)},${rows_.slice(1)}`)
        }),
        recordUnchangedEvaluation: ({ org, environment }, { at, index, is_decay = false }) =>
          rows.write({
            operation: "SnapshotStore.recordUnchangedEvaluation",
            org,
            row: `evaluation of ${environment}`,
            // INVARIANT: the caller holds the environment's lock, so the number is drawn after it.
            statement: sql`insert into environment_evaluation
                (org_id, environment_id, commit_position, at, index, is_decay)
              select ${org}, ${environment}, nextval('commit_position_sequence'), greatest(${at}::int8,
                (select j.at from environment_evaluation j where j.org_id = ${org}
                  and j.environment_id = ${environment} order by j.commit_position desc limit 1)), ${index},
              ${is_decay}`
          }),
        appendLogical: (ref, draft) =>
          append(ref, "logical_snapshot_append", JSON.stringify(draft)),
        events: SnapshotEventsSql.events(sql, rows),
        countEvents: SnapshotEventsSql.countEvents(sql, rows),
        predecessors: SnapshotEventsSql.predecessors(sql, rows)
      })
    })
  )

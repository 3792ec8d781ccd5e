/** `EnvironmentStore` on PostgreSQL. */

import {
  type Environment,
  type EnvironmentKey,
  type EnvironmentRef,
  ref
} from "@attestry/core/Environment"
import { dueBy, EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AllowListsSql from "../allow-list/AllowListsSql.js"
import * as RequestBatcher from "../shared/RequestBatcher.js"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"
import * as SnapshotRowCache from "../snapshot/SnapshotRowCache.js"
import { Driver } from "../transaction/Driver.js"
import { TenantTransaction } from "../transaction/TenantTransaction.js"
import { withCurrent } from "../transaction/TransactionHandle.js"
import * as BehindSql from "./BehindSql.js"
import * as DueOrgsSql from "./DueOrgsSql.js"
import * as EnvironmentListSql from "./EnvironmentListSql.js"
import * as EnvironmentNamesSql from "./EnvironmentNamesSql.js"
import * as EnvironmentRow from "./EnvironmentRow.js"
import * as Heartbeats from "./Heartbeats.js"
import * as LockedEnvironment from "./LockedEnvironment.js"
import * as SilencesSql from "./SilencesSql.js"

/** A function that names the org and reads: one statement, in no transaction. */
const BY_NAME = "select asked, document, now, is_org_due from environments_by_name($1, $2)"

const ClockRow = Schema.Struct({ number: Schema.Int })

const listOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** WHY ordered: two logical environments that take the same members never deadlock with what locks them. */
const membersLock = (sql: SqlClient.SqlClient, org: OrgId, ids: Statement.Fragment) =>
  sql`select from environment e where e.org_id = ${org} and e.environment_id in (${ids})
    order by e.environment_id for share`

/**
 * The members that a logical environment takes: those that the stored one has are left out.
 *
 * WHY: a report of one that it has locks its environment before the logical one, which the caller holds.
 */
const membersTaken = (sql: SqlClient.SqlClient, { org_id: org, id, included }: Environment) =>
  sql`select taken.id from jsonb_array_elements_text(${listOf(included)}::jsonb) as taken (id)
    where not exists (select from environment known where known.org_id = ${org}
      and known.environment_id = ${id} and known.included @> to_jsonb(taken.id))`

/** Finds environments by their names, those of several requests in one statement. */
const makeFindByName = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  marked: ReturnType<typeof EnvironmentRow.toMarked>
) {
  const { reserve } = yield* Driver

  const read = (found: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.map(
      Effect.flatMap(found, EnvironmentRow.readAsked),
      (rows_) => new Map(rows_.map((row) => [row.asked, row]))
    )

  const batched = yield* RequestBatcher.make((org, names) =>
    Effect.scoped(
      Effect.flatMap(reserve(org), (connection) =>
        read(connection.execute(BY_NAME, [org, names], undefined))
      )
    )
  )

  return ({ org, name }: EnvironmentKey) =>
    withCurrent((handle) =>
      handle === undefined
        ? batched(org, name)
        : Effect.map(
            read(
              sql`select asked, document, now, is_org_due from environments_by_name(${org}, ${[name]})`
            ),
            (found) => Option.fromNullable(found.get(name))
          )
    ).pipe(
      Effect.map(Option.flatMap(marked)),
      SqlFailure.toStoreError("EnvironmentStore.findByName")
    )
})

/**
 * The number of the last change in an org, for a new environment. WHY: it is not behind changes of before, because its
 * first evaluation sees them.
 */
const clockOf = (sql: SqlClient.SqlClient, rows: TenantQueries.TenantQueries) => (org: OrgId) =>
  Effect.map(
    rows.first(ClockRow, {
      operation: "EnvironmentStore.insert",
      org,
      statement: sql`select number from flow_change_counter where org_id = ${org}`
    }),
    Option.match({ onNone: () => 0, onSome: ({ number }) => number })
  )

/** `EnvironmentStore` on PostgreSQL. */
export const layer: Layer.Layer<
  EnvironmentStore,
  never,
  SqlClient.SqlClient | Driver | TenantTransaction | SnapshotRowCache.SnapshotRowCache
> = Layer.scoped(
  EnvironmentStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* TenantQueries.make
    const { transaction } = yield* TenantTransaction
    const cache = yield* SnapshotRowCache.SnapshotRowCache
    const heartbeats = yield* Heartbeats.make
    const marked = EnvironmentRow.toMarked(heartbeats)

    const all = (operation: string, org: OrgId, from: Statement.Fragment) =>
      Effect.map(
        rows.list(EnvironmentRow.Found, {
          operation,
          org,
          from: "list",
          statement: sql`select ${sql.literal(EnvironmentRow.DOCUMENT)} from ${from}`
        }),
        (found) => found.flatMap((row) => Option.toArray(marked(row)))
      )

    const write = (operation: string, org: OrgId, statement: Statement.Statement<object>) =>
      rows.run({ operation, org, statement })

    /** A buffered write of the environment's own row. */
    const later = (operation: string, written: EnvironmentRef, statement: Statement.Fragment) =>
      rows.write({
        operation,
        org: written.org,
        row: `environment ${written.environment}`,
        statement
      })

    const lock = Effect.fnUntraced(function* (
      org: OrgId,
      lookup: SnapshotRowCache.EnvironmentLookup
    ) {
      const cached = cache.get(org, lookup)
      const found = yield* rows.first(EnvironmentRow.Locked, {
        operation: "EnvironmentStore.lock",
        org,
        statement: sql`select document, now, is_org_due, state from lock_environment(${org},
            ${lookup.name ?? null}, ${lookup.id ?? null}, ${cached?.environment ?? null},
            ${cached?.timestamp ?? null}::int8)`
      })
      const environment = Option.flatMap(found, marked)
      if (Option.isSome(environment) && Option.isSome(found) && found.value.state !== null) {
        const { environment: locked } = environment.value
        const { state } = found.value
        cache.setName(ref(locked), locked.name)
        yield* LockedEnvironment.set(ref(locked), state)
        if (state.rows === null && cached !== undefined)
          yield* SnapshotRowCache.useCached(ref(locked), cached)
      }
      return environment
    })

    const lockMembers = (org: OrgId, ids: Statement.Fragment) =>
      write("EnvironmentStore.lockMembers", org, membersLock(sql, org, ids))

    /** WHY again: a member may have got its name, or left, since the caller held them. */
    const lockTaken = (e: Environment) =>
      e.included === null || e.included.length === 0
        ? Effect.void
        : lockMembers(e.org_id, membersTaken(sql, e))

    const findByName = yield* makeFindByName(sql, marked)

    const forget = (org: OrgId, name: string) =>
      write(
        "EnvironmentStore.forget",
        org,
        sql`delete from environment_former_name where org_id = ${org} and name = ${name}`
      )

    const clock = clockOf(sql, rows)

    const insert = (e: Environment) =>
      transaction(e.org_id, () =>
        Effect.gen(function* () {
          yield* lockTaken(e)
          const isNew = yield* rows.wrote({
            operation: "EnvironmentStore.insert",
            org: e.org_id,
            statement: sql`insert into environment ${sql.insert({
              ...EnvironmentRow.columnsOf(e),
              flow_changes_seen: yield* clock(e.org_id)
            })}
              on conflict (org_id, name) where archived_at is null do nothing
              returning environment_id`
          })
          if (isNew) yield* forget(e.org_id, e.name)
          return isNew
        })
      )

    const rename = (e: Environment, from: Environment["name"]) =>
      transaction(e.org_id, () =>
        Effect.gen(function* () {
          const isFree = yield* rows.wrote({
            operation: "EnvironmentStore.rename",
            org: e.org_id,
            // INVARIANT: the caller has locked the row; the statement waits for a transaction that takes the name, and
            // its unique key refuses the row once that is committed.
            statement: sql`update environment e set name = ${e.name}, archived_at = ${e.archived_at},
                last_modified_at = ${e.last_modified_at}
              where e.org_id = ${e.org_id} and e.environment_id = ${e.id}
                and (${e.archived_at}::int8 is not null or not exists (select from environment other
                  where other.org_id = ${e.org_id} and other.name = ${e.name}
                    and other.archived_at is null and other.environment_id <> ${e.id}))
              returning e.environment_id`
          })
          if (!isFree) return false
          yield* forget(e.org_id, e.name)
          yield* write(
            "EnvironmentStore.rename",
            e.org_id,
            sql`insert into environment_former_name values (${e.org_id}, ${from}, ${e.id})
              on conflict (org_id, name) do update set environment_id = excluded.environment_id`
          )
          return true
        })
      ).pipe(Effect.catchIf(SqlFailure.isTaken, () => Effect.succeed(false)))

    return EnvironmentStore.of({
      ...(yield* AllowListsSql.make),
      ...(yield* SilencesSql.make),
      findByName,
      lock: (key) => lock(key.org, "name" in key ? { name: key.name } : { id: key.environment }),
      holdMembers: (org, ids) =>
        ids.length === 0 ? Effect.void : lockMembers(org, sql`select unnest(${[...ids]}::text[])`),
      insert,
      rename,
      page: EnvironmentListSql.page(sql, rows, marked),
      countEnforcing: EnvironmentListSql.countEnforcing(sql, rows),
      list: EnvironmentListSql.list(sql, rows, marked),
      listStale: EnvironmentListSql.listStale(sql, rows),
      ...EnvironmentNamesSql.make(sql, rows),
      listPending: (org) =>
        Effect.map(
          all(
            "EnvironmentStore.listPending",
            org,
            // WHY the inner select: with both conditions the index of names could be taken, which has all.
            sql`(select * from environment p where p.org_id = ${org} and p.is_pending
              union select * from environment d where d.org_id = ${org} and d.archived_at is null
                and d.due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8
              union select * from environment s where s.org_id = ${org} and s.archived_at is null
                and s.silence_due_at <= (extract(epoch from clock_timestamp()) * 1000000)::int8 offset 0) e
              where e.archived_at is null order by e.type = 'logical', e.environment_id`
          ),
          (found) =>
            found.map(({ environment, now }) => ({
              ref: ref(environment),
              dueAt: dueBy(environment, now)
            }))
        ),
      listDueOrgs: DueOrgsSql.listDueOrgs(sql),
      ...BehindSql.make(sql, rows),
      setDue: (changed, at) =>
        later(
          "EnvironmentStore.setDue",
          changed,
          sql`update environment set due_at = ${at}
            where org_id = ${changed.org} and environment_id = ${changed.environment}`
        ),
      clearPending: ({ org, environment }) =>
        write(
          "EnvironmentStore.clearPending",
          org,
          sql`update environment set is_pending = false
            where org_id = ${org} and environment_id = ${environment}`
        ),
      lockGroupsOf: (member) =>
        Effect.gen(function* () {
          const locked = yield* LockedEnvironment.get(member)
          if (locked?.is_member === false) return []
          const found = yield* all(
            "EnvironmentStore.lockGroupsOf",
            member.org,
            sql`environment e where e.org_id = ${member.org} and e.type = 'logical'
              and e.archived_at is null and e.included @> ${JSON.stringify([member.environment])}::jsonb
              order by e.environment_id for update`
          )
          return found.map((group) => group.environment)
        }),
      update: (e) =>
        Effect.zipRight(
          lockTaken(e),
          later(
            "EnvironmentStore.update",
            ref(e),
            sql`update environment set ${sql.update(EnvironmentRow.contentColumnsOf(e))},
              body_digest = null, rows_digest = null
            where org_id = ${e.org_id} and environment_id = ${e.id}`
          )
        ),
      setReportDigests: (marked_, { bodyDigest, rowsDigest }, change) => {
        const { org, environment } = marked_
        const { at, verdict } = Option.getOrElse(change, () => ({ at: null, verdict: null }))
        return later(
          "EnvironmentStore.setReportDigests",
          marked_,
          sql`update environment
            set body_digest = ${bodyDigest}, rows_digest = ${rowsDigest}, is_pending = false,
              last_changed_at = coalesce(${at}::int8, last_changed_at),
              last_modified_at = coalesce(${at}::int8, last_modified_at),
              verdict = coalesce(${verdict}::text, verdict)
            where org_id = ${org} and environment_id = ${environment}`
        )
      },
      change: (changed, { at, verdict }) =>
        later(
          "EnvironmentStore.change",
          changed,
          sql`update environment set last_changed_at = ${at}, last_modified_at = ${at},
              verdict = ${verdict}
            where org_id = ${changed.org} and environment_id = ${changed.environment}`
        ),
      heartbeat: (at, instant) => Effect.sync(() => heartbeats.beat(at, instant))
    })
  })
)

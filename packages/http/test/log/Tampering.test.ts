/**
 * L-18: a byte that is changed, a row that is removed or added by SQL in a covered table is found by level 3, which
 * names the table and the column. The columns come from the database, so that a new one is covered or told here.
 */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import * as RecordFinding from "@attestry/core/RecordFinding"
import { TABLES, type TableName } from "@attestry/core/RecordStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { Effect, Either, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onEveryStore } from "../shared/TestServer.js"
import { fill } from "./World.js"

/** Columns that may have another value; the reasons are in `Replay.EXEMPT` and in the adapter of the store. */
const EXEMPT: ReadonlySet<string> = new Set([
  ...["api_key.last_used_at", "artifact.repo_id", "environment.last_reported_at"],
  ...["membership_event.event_id", "membership_event.user_name", "membership_event.user_folded"],
  ...["membership_event.changed_by_folded", "repo.latest_activity_at", "repo.vcs_instance"],
  ...["trail.repo_ids", "trail.ordinal", "environment.body_digest", "environment.rows_digest"],
  ...["environment.is_pending", "environment.flows_seen"]
])

/** Another value of a column, by its type. */
const CHANGED: { readonly [type: string]: (column: string) => string } = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  bigint: (column) => `coalesce(${column}, 0) + 1000`,
  integer: (column) => `coalesce(${column}, 0) + 1000`,
  boolean: (column) => `not coalesce(${column}, false)`,
  jsonb: (column) => `jsonb_build_array(${column}, 'x')`,
  json: (column) => `json_build_array(${column}, 'x')`,
  ARRAY: (column) => `array_append(${column}, 'x')`
}

type Query = TestDatabase["Type"]["query"]

/** The type that a text of a column is cast to. */
const castOf = (type: unknown): string => (type === "ARRAY" ? "text[]" : String(type))

onEveryStore("L-18: records that were changed by SQL", (server) => {
  const withDatabase = (work: (query: Query) => Effect.Effect<void, unknown>) =>
    server.run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isSome(database)) yield* work(database.value.query)
      }).pipe(Effect.orDie)
    )
  let id = ""
  const found = () =>
    server.run(
      Effect.gen(function* () {
        const report = yield* (yield* RecordVerification).verify(OrgId.make(id), 3)
        return report.map(RecordFinding.print)
      })
    )
  const lines = Effect.promise(found)
  const ownRow = (table: TableName) => {
    const column = table === "api_key" ? "account_org_id" : "org_id"
    return `ctid = (select ctid from attestry.${table}
      where ${column} = '${id}' limit 1)`
  }

  beforeAll(async () => {
    await fill(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
    // Constraints would refuse some changes; a person who changes rows by SQL can remove them.
    await withDatabase((query) =>
      Effect.forEach(
        TABLES,
        (table) =>
          Effect.gen(function* () {
            const checks = yield* query(
              `select conname from pg_constraint
                where contype in ('c', 'f', 'u') and conrelid = 'attestry.${table}'::regclass`
            )
            for (const { conname } of checks) {
              yield* query(
                `alter table attestry.${table} drop constraint "${String(conname)}" cascade`
              )
            }
            const unique = yield* query(
              `select indexrelid::regclass::text as name from pg_index where indisunique
                and not indisprimary and indrelid = 'attestry.${table}'::regclass`
            )
            for (const { name } of unique) yield* query(`drop index ${String(name)}`)
            yield* query(`alter table attestry.${table} disable trigger all`)
          }),
        { discard: true }
      )
    )
  }, 120_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await found(), [])
  })

  for (const table of TABLES) {
    it(`finds every changed column of ${table}`, async () => {
      const problems: Array<string> = []
      await withDatabase((query) =>
        Effect.gen(function* () {
          const columns = yield* query(
            `select column_name as name, data_type as type from information_schema.columns
              where table_schema = 'attestry' and table_name = '${table}' and is_generated = 'NEVER'`
          )
          for (const { name, type } of columns) {
            const column = String(name)
            if (column.endsWith("org_id") || EXEMPT.has(`${table}.${column}`)) continue
            const next = CHANGED[String(type)]?.(column) ?? column
            const [kept] = yield* query(
              `select ${column}::text as value from attestry.${table} where ${ownRow(table)}`
            )
            const [changed] = yield* query(
              `update attestry.${table} set ${column} = ${next} where ${ownRow(table)}
                returning ctid::text as place`
            )
            const told = yield* lines
            if (!told.some((line) => line.startsWith(`${table} `))) problems.push(column)
            yield* query(
              `update attestry.${table} set ${column} = $1::text::${castOf(type)} where ctid = $2::text::tid`,
              [kept?.value ?? null, changed?.place]
            )
          }
        })
      )
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(await found(), [])
    }, 120_000)

    it(`finds a row that was removed from ${table}, and one that was added`, async () => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const whole = `attestry.${table}`
          const [gone] = yield* query(
            `delete from ${whole} t where ${ownRow(table)} returning to_jsonb(t)::text as row`
          )
          const removed = yield* lines
          const [{ names } = { names: "" }] = yield* query(
            `select string_agg(quote_ident(attname), ', ') as names from pg_attribute
              where attrelid = '${whole}'::regclass and attnum > 0 and not attisdropped
                and attgenerated = ''`
          )
          const insert = (change: string) =>
            query(
              `insert into ${whole} (${names}) overriding system value select ${names}
                from jsonb_populate_record(null::${whole}, $1::text::jsonb || ${change})`,
              [gone?.row]
            )
          yield* insert("'{}'::jsonb")
          assert.isTrue(
            removed.some((line) => line.startsWith(`${table} `) && line.endsWith("is missing")),
            removed.join()
          )
          const [key] = yield* query(
            `select a.attname as name, format_type(a.atttypid, null) as type from pg_index i
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[i.indnkeyatts - 1]
              where i.indrelid = '${whole}'::regclass and i.indisprimary`
          )
          if (table === "org") return
          const column = String(key?.name)
          const other = key?.type === "text" ? `'"zz"'` : "'99'"
          yield* insert(`jsonb_build_object('${column}', ${other}::jsonb)`)
          const added = yield* lines
          yield* query(`delete from ${whole} where ${column}::text in ('zz', '99')`)
          assert.isTrue(
            added.some((line) => line.startsWith(`${table} `)),
            added.join()
          )
        })
      )
      assert.deepStrictEqual(await found(), [])
    }, 60_000)
  }

  it.each([
    ["snapshot", "verdict", "verdict || 'x'"],
    ["snapshot", "timestamp", "timestamp + 1"],
    ["snapshot", "count_true", "count_true + 1"],
    ["snapshot_row", "fingerprint", "repeat('e', 64)"],
    ["snapshot_row", "name", "name || 'x'"],
    ["snapshot_row", "started_index", "started_index + 1"],
    ["snapshot_row", "last_index", "0"],
    ["snapshot_row", "doc", "regexp_replace(doc, '1700000000', '1700000001')"],
    ["snapshot_event", "now", "now + 1"],
    ["snapshot_event", "arrived", "not arrived"],
    ["snapshot_event", "type", "'changed'"]
  ])("finds a change of %s.%s", async (table, column, next) => {
    await withDatabase((query) =>
      Effect.gen(function* () {
        const place = `ctid = (select s.ctid from attestry.${table} s
          join attestry.environment e using (org_id, environment_id)
          where s.org_id = '${id}' and e.name = 'prod' limit 1)`
        const whole = `attestry.${table}`
        const [kept] = yield* query(`select ${column}::text as value from ${whole} where ${place}`)
        const [changed] = yield* query(
          `update ${whole} set ${column} = ${next} where ${place}
            returning ctid::text as place, pg_typeof(${column})::text as type`
        )
        const told = yield* Effect.either(Effect.tryPromise(found))
        yield* query(
          `update ${whole} set ${column} = $1::text::${changed?.type} where ctid = $2::text::tid`,
          [kept?.value, changed?.place]
        )
        // A value that no snapshot can have is told as a record that cannot be read.
        assert.isTrue(Either.isLeft(told) || told.right.some((line) => line.startsWith("snapshot")))
      })
    )
    assert.deepStrictEqual(await found(), [])
  })
})

/**
 * L-18: a value that is changed, rows that are exchanged, removed or added by SQL in a covered table are found by
 * level 3, which names the table and the column. The columns come from the database, so that a new one is covered or
 * told here.
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
import * as TamperedRows from "./TamperedRows.js"
import { fill, fillSeconds } from "./World.js"

/** Columns that may have another value; the reasons are in `Replay.EXEMPT` and in the adapter of the store. */
const EXEMPT: ReadonlySet<string> = new Set([
  ...["api_key.last_used_at", "artifact.repo_id", "environment.last_reported_at"],
  ...["membership_event.event_id", "membership_event.user_name", "membership_event.user_folded"],
  ...["membership_event.changed_by_folded", "repo.latest_activity_at", "repo.vcs_instance"],
  ...["trail.repo_ids", "trail.ordinal", "environment.body_digest", "environment.rows_digest"],
  ...["environment.is_pending", "environment.flows_seen", "flow.active_minute"]
])

/**
 * Columns of snapshots that are not compared: places in the store, counts and numbers that are made from others, the
 * name of a content that is compared by what it gives, and ends that show the same rows (others are below).
 */
const SNAPSHOT_EXEMPT: ReadonlySet<string> = new Set([
  ...["snapshot.changes", "snapshot.events_total", "snapshot.known", "snapshot.semantics"],
  ...["snapshot_row.first_index", "snapshot_row.last_index", "snapshot_row.flows_digest"]
])

const SNAPSHOT_TABLES = [
  "snapshot",
  "snapshot_row",
  "snapshot_event",
  "snapshot_policies",
  "snapshot_flows",
  "snapshot_decisions"
] as const

onEveryStore("L-18: records that were changed by SQL", (server) => {
  const withDatabase = (work: (query: TamperedRows.Query) => Effect.Effect<void, unknown>) =>
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
  const own = (table: TableName) => `${table === "api_key" ? "account_org_id" : "org_id"} = '${id}'`
  const ownRow = (table: TableName) =>
    `ctid = (select ctid from attestry.${table} where ${own(table)} limit 1)`

  beforeAll(async () => {
    await fill(server)
    await fillSeconds(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
    // Constraints would refuse some changes; a person who changes rows by SQL can remove them.
    await withDatabase((query) =>
      Effect.forEach(
        [...TABLES, ...SNAPSHOT_TABLES],
        (table) => TamperedRows.unguard(query, table),
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
          for (const column of yield* TamperedRows.columnsOf(query, table)) {
            const { name } = column
            if (name.endsWith("org_id") || EXEMPT.has(`${table}.${name}`)) continue
            const told = yield* TamperedRows.whileChanged(
              query,
              { table, column, own: own(table) },
              lines
            )
            if (told?.some((line) => line.startsWith(`${table} `)) !== true) problems.push(name)
          }
        })
      )
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(await found(), [])
    }, 120_000)

    it(`finds two rows of ${table} that were exchanged`, async () => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const at = { table, own: own(table), exempt: EXEMPT }
          const told = yield* TamperedRows.whileSwapped(query, at, lines)
          assert.strictEqual(told === undefined, table === "org", table)
          // WHY not: the key of an event is an id that may be another one, so the same events are there.
          if (table === "membership_event") return
          const about = new Set(
            (told ?? [])
              .filter((line) => line.startsWith(`${table} `))
              .map((line) => line.split(":")[0])
          )
          if (told !== undefined) assert.isAtLeast(about.size, 2, told.join())
        })
      )
      assert.deepStrictEqual(await found(), [])
    }, 60_000)

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
          const key = (yield* TamperedRows.keyOf(query, table)).at(-1)
          const columns = yield* TamperedRows.columnsOf(query, table)
          const type = columns.find(({ name }) => name === key)?.type
          if (table === "org") return
          const column = String(key)
          const other = type === "text" ? `'"zz"'` : "'99'"
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

  for (const table of SNAPSHOT_TABLES) {
    it(`finds every change of ${table}: of each column, of two rows exchanged, of a row removed`, async () => {
      const problems: Array<string> = []
      await withDatabase((query) =>
        Effect.gen(function* () {
          const ofEnvironment = ["snapshot", "snapshot_row", "snapshot_event"].includes(table)
          const mine = ofEnvironment
            ? `(org_id, environment_id) in (select org_id, environment_id from attestry.environment
                where org_id = '${id}' and name = 'prod')`
            : `org_id = '${id}'`
          const ask = Effect.map(
            Effect.either(Effect.tryPromise(found)),
            // A value that no snapshot can have is told as a record that cannot be read.
            (told) => Either.isLeft(told) || told.right.some((line) => line.startsWith("snapshot"))
          )
          for (const column of yield* TamperedRows.columnsOf(query, table)) {
            const { name } = column
            if (name === "org_id" || SNAPSHOT_EXEMPT.has(`${table}.${name}`)) continue
            const at = { table, column, own: mine }
            if ((yield* TamperedRows.whileChanged(query, at, ask)) === false) problems.push(name)
          }
          const at = { table, own: mine, exempt: SNAPSHOT_EXEMPT }
          if ((yield* TamperedRows.whileSwapped(query, at, ask)) === false) problems.push("swapped")
          const [gone] = yield* query(
            `delete from attestry.${table} t where ctid = (select ctid from attestry.${table}
              where ${mine} limit 1) returning to_jsonb(t)::text as row`
          )
          if (gone !== undefined && !(yield* ask)) problems.push("removed")
          if (gone === undefined) return
          yield* query(
            `insert into attestry.${table} overriding system value select *
              from jsonb_populate_record(null::attestry.${table}, $1::text::jsonb)`,
            [gone.row]
          )
        })
      )
      assert.strictEqual(problems.join(), "")
      assert.deepStrictEqual(await found(), [])
    }, 120_000)
  }

  it.each([
    ["first_index", "first_index + 1"],
    ["last_index", "0"],
    ["doc", "regexp_replace(doc, '1700000000', '1700000001')"]
  ])(
    "finds a row of a snapshot that is shown at another time or elsewhere: %s",
    async (name, next) => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const place = `ctid = (select s.ctid from attestry.snapshot_row s
          join attestry.environment e using (org_id, environment_id)
          where s.org_id = '${id}' and e.name = 'prod' order by s.ctid limit 1)`
          const [kept] = yield* query(
            `select ${name}::text as value from attestry.snapshot_row where ${place}`
          )
          const [changed] = yield* query(
            `update attestry.snapshot_row set ${name} = ${next} where ${place}
            returning ctid::text as place, pg_typeof(${name})::text as type`
          )
          const told = yield* Effect.either(Effect.tryPromise(found))
          yield* query(
            `update attestry.snapshot_row set ${name} = $1::text::${changed?.type}
            where ctid = $2::text::tid`,
            [kept?.value, changed?.place]
          )
          assert.isTrue(
            Either.isLeft(told) || told.right.some((line) => line.startsWith("snapshot"))
          )
        })
      )
      assert.deepStrictEqual(await found(), [])
    }
  )
})

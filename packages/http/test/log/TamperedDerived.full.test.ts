/**
 * LOG-18: snapshots, and records that follow from snapshots and trails. A value that is changed, rows that are
 * exchanged, removed or added by SQL are found by level 3, which names the table.
 */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
import { fillOthers } from "./OtherWorld.js"
import * as TamperedRows from "./TamperedRows.js"
import { fill, fillSeconds } from "./World.js"

/**
 * Columns that are not compared: places in the store, the commit position, which level 5 evaluates by, and ends
 * that show the same rows (others are below).
 */
const EXEMPT: ReadonlySet<string> = new Set([
  "snapshot.changes",
  "snapshot.commit_position",
  "snapshot_row.first_index",
  "snapshot_row.last_index"
])

const TOGETHER = ["snapshot", "snapshot_row", "snapshot_event"]

/** The tables. */
const TABLES = [
  "snapshot",
  "snapshot_row",
  "snapshot_event",
  "snapshot_policies",
  "snapshot_flows",
  "snapshot_decisions",
  "snapshot_start",
  "exposure",
  "trail_evaluation"
] as const

/**
 * The rows of snapshots with evidence are tampered with: others have nulls where they have digests. Of events it is one
 * that follows another of its snapshot, so that its position matters.
 */
const WHICH: { readonly [table: string]: string } = {
  snapshot_event: "and position > 1",
  snapshot_row: "and flows_digest is not null",
  snapshot: "and policies_digest is not null"
}

onBothStores("LOG-18: snapshots that were changed by SQL", (server) => {
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
        return report.map(TableFinding.print)
      })
    )
  const lines = Effect.promise(found)
  const own = (table: string) =>
    TOGETHER.includes(table)
      ? `(org_id, environment_id) in (select org_id, environment_id from attestry.environment
          where org_id = '${id}' and name = 'prod') ${WHICH[table] ?? ""}`
      : `org_id = '${id}'`

  beforeAll(async () => {
    await fill(server)
    await fillSeconds(server)
    await fillOthers(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
    await withDatabase((query) =>
      Effect.forEach(TABLES, (table) => TamperedRows.unguard(query, table), { discard: true })
    )
  }, 120_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await found(), [])
  })

  // The memory store has no SQL by which its records could be changed.
  if (server.isInMemory) return

  for (const table of TABLES) {
    // A head, its rows and its events are read together: the one that does not fit the others is named.
    const about = TOGETHER.includes(table) ? TOGETHER : [table]
    const named = (told: ReadonlyArray<string> | undefined): boolean =>
      told?.some((line) => about.some((name) => line.startsWith(`${name} `))) === true

    it(`finds every change of ${table}: of each column, of rows exchanged, removed and added`, async () => {
      const problems: Array<string> = []
      await withDatabase((query) =>
        Effect.gen(function* () {
          const at = { table, own: own(table) }
          const columns = yield* TamperedRows.columnsOf(query, table)
          const covered = columns.filter(
            ({ name }) => name !== "org_id" && !EXEMPT.has(`${table}.${name}`)
          )
          const changes = { ...at, columns: covered, isFound: named }
          problems.push(...(yield* TamperedRows.missedColumns(query, changes, lines)))
          const exempt = EXEMPT
          const swapped = yield* TamperedRows.whileSwapped(query, { ...at, exempt }, lines)
          if (!named(swapped)) problems.push(`exchanged: ${swapped?.join()}`)
          const removed = yield* TamperedRows.whileRemoved(query, at, lines)
          if (!named(removed)) problems.push(`removed: ${removed?.join()}`)
          const key = (yield* TamperedRows.keyOf(query, table)).at(-1)
          const column = columns.find(({ name }) => name === key) ?? assert.fail(table)
          const added = yield* TamperedRows.whileAdded(query, { ...at, column }, lines)
          if (!named(added)) problems.push(`added: ${added?.join()}`)
        })
      )
      assert.strictEqual(problems.join("\n"), "")
      assert.deepStrictEqual(await found(), [])
    }, 120_000)
  }

  it("finds a mark of a trail that was removed between equal ones", async () => {
    await withDatabase((query) =>
      Effect.gen(function* () {
        const [mark] = yield* query(
          `delete from attestry.trail_event t where ctid = (select k.ctid
              from attestry.trail_event k join attestry.journal j using (org_id, sequence)
              where k.org_id = $1 and j.actor_credential is not null
                and exists (select from attestry.trail_event o where o.org_id = k.org_id
                  and o.trail_id = k.trail_id and o.status = k.status and o.sequence <> k.sequence)
              order by k.sequence limit 1)
            returning trail_id, sequence, to_jsonb(t)::text as row`,
          [id]
        )
        const told = yield* lines
        yield* query(
          `insert into attestry.trail_event
            select * from jsonb_populate_record(null::attestry.trail_event, $1::text::jsonb)`,
          [mark?.row]
        )
        assert.deepStrictEqual(told, [
          `trail_event ${mark?.trail_id} ${mark?.sequence}: the record is missing`
        ])
      })
    )
    assert.deepStrictEqual(await found(), [])
  })

  it("finds a member that no status has", async () => {
    await withDatabase((query) =>
      Effect.gen(function* () {
        const [row] = yield* query(
          `select trail_id, trail_status::text as value from attestry.trail_evaluation
            where org_id = $1 order by trail_id limit 1`,
          [id]
        )
        const write = (value: string) =>
          query(
            `update attestry.trail_evaluation set trail_status = $1::text::json
              where org_id = $2 and trail_id = $3`,
            [value, id, row?.trail_id]
          )
        const kept = String(row?.value)
        yield* write(kept.replace(/^\{/, '{"unknown":1,'))
        const told = yield* lines
        yield* write(kept)
        assert.deepStrictEqual(told, [
          `trail_evaluation ${row?.trail_id}: \`trail_status\` is not what evaluating again gives`
        ])
      })
    )
    assert.deepStrictEqual(await found(), [])
  })

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
            where ${own("snapshot_row")} order by s.ctid limit 1)`
          const [kept] = yield* query(
            `select ${name}::text as value from attestry.snapshot_row where ${place}`
          )
          const [changed] = yield* query(
            `update attestry.snapshot_row set ${name} = ${next} where ${place}
              returning ctid::text as place, pg_typeof(${name})::text as type`
          )
          const told = yield* lines
          yield* query(
            `update attestry.snapshot_row set ${name} = $1::text::${changed?.type}
              where ctid = $2::text::tid`,
            [kept?.value, changed?.place]
          )
          assert.isTrue(
            told.some((line) => line.startsWith("snapshot")),
            told.join()
          )
        })
      )
      assert.deepStrictEqual(await found(), [])
    }
  )
})

/**
 * LOG-18: level 3 finds values that are changed, and rows that are exchanged, removed or added by SQL, in tables that
 * follow from the journal. It names the table and the column. The columns come from the database, so a new column is
 * covered or fails here. `TamperedDerived.full.test.ts` covers records derived from snapshots and trails.
 */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
import { fillOthers, fillProposals } from "./OtherWorld.js"
import { fillSpaces } from "./SpacesWorld.js"
import * as TamperedRows from "./TamperedRows.js"
import { fill, fillSeconds } from "./World.js"

/** Columns that may have another value; the reasons are in `Replay.EXEMPT` and in the adapter of the store. */
const EXEMPT: ReadonlySet<string> = new Set([
  "api_key.last_used_at",
  "break_glass.notified_at",
  "environment.last_reported_at",
  "membership_event.user_folded",
  "membership_event.changed_by_folded",
  "repo.latest_activity_at",
  "repo.vcs_instance",
  "trail.ordinal",
  "environment.body_digest",
  "environment.rows_digest",
  "environment.is_pending",
  "environment.flow_changes_seen",
  "environment.due_at",
  "environment.silence_due_at",
  "flow.active_minute",
  "notification_config.last_notified_at",
  "notification_config.failed_at",
  "notification_config.error",
  "notification_target.last_success_at",
  "notification_target.last_failure_at",
  "notification_target.last_error",
  "notification_target.disabled_at",
  // Which other org a user chose is not of this org; the choice of this one is below.
  "app_user.default_org_id"
])

/** Tables with one row for an org, whose other columns are exempt or are one number, or with columns of a key only. */
const SINGLE: ReadonlySet<string> = new Set([
  "org",
  "evidence_link",
  "environment_notification_number",
  "notification_config",
  "agent_accounts",
  "placement_rule",
  "protection",
  "sign_in_setting",
  "waiver_settings"
])

/** A row that is added there is of another org, or of none. */
const FOREIGN: ReadonlySet<string> = new Set([
  "org",
  "environment_notification_number",
  "app_user",
  "agent_accounts",
  "placement_rule",
  "protection",
  "sign_in_setting",
  "waiver_settings"
])

onBothStores("LOG-18: records that were changed by SQL", (server) => {
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
  const own = (table: string) => {
    if (table === "app_user")
      return `user_id in (select m.user_id from attestry.membership m where m.org_id = '${id}')`
    // A row without targets is there because a notice found no recipient, and follows from no entry.
    if (table === "notification_config")
      return `org_id = '${id}' and notification_type in
        (select t.notification_type from attestry.notification_target t where t.org_id = '${id}')`
    return `${table === "api_key" ? "account_org_id" : "org_id"} = '${id}'`
  }

  beforeAll(async () => {
    await fill(server)
    await fillSeconds(server)
    await fillOthers(server)
    await fillProposals(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
    await server.run(fillSpaces(OrgId.make(id)))
    // Constraints would refuse some changes; a person who changes rows by SQL can remove them.
    await withDatabase((query) =>
      Effect.forEach(TamperedRows.TABLES, (table) => TamperedRows.unguard(query, table), {
        discard: true
      })
    )
  }, 120_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await found(), [])
  })

  // The memory store has no SQL by which its records could be changed.
  if (server.isInMemory) return

  for (const table of TamperedRows.TABLES) {
    it(`finds every changed column of ${table}`, async () => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const columns = (yield* TamperedRows.columnsOf(query, table)).filter(
            ({ name }) => !name.endsWith("org_id") && !EXEMPT.has(`${table}.${name}`)
          )
          const isFound = (told: ReadonlyArray<string>) =>
            told.some((line) => line.startsWith(`${table} `))
          const at = { table, columns, own: own(table), isFound }
          assert.deepStrictEqual(yield* TamperedRows.missedColumns(query, at, lines), [])
        })
      )
    }, 120_000)

    it(`finds two rows of ${table} that were exchanged`, async () => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const at = { table, own: own(table), exempt: EXEMPT }
          const told = yield* TamperedRows.whileSwapped(query, at, lines)
          assert.strictEqual(told === undefined, SINGLE.has(table), table)
          const about = new Set(
            (told ?? [])
              .filter((line) => line.startsWith(`${table} `))
              .map((line) => line.split(":")[0])
          )
          if (told !== undefined) assert.isAtLeast(about.size, 2, told.join())
        })
      )
    }, 60_000)

    it(`finds a row that was removed from ${table}, and one that was added, and nothing afterwards`, async () => {
      await withDatabase((query) =>
        Effect.gen(function* () {
          const at = { table, own: own(table) }
          const removed = yield* TamperedRows.whileRemoved(query, at, lines)
          assert.isTrue(
            removed?.some((line) => line.startsWith(`${table} `) && line.endsWith("is missing")),
            removed?.join()
          )
          if (FOREIGN.has(table)) return
          const key = (yield* TamperedRows.keyOf(query, table)).at(-1)
          const columns = yield* TamperedRows.columnsOf(query, table)
          const column = columns.find(({ name }) => name === key) ?? assert.fail(table)
          const added = yield* TamperedRows.whileAdded(query, { ...at, column }, lines)
          assert.isTrue(
            added?.some((line) => line.startsWith(`${table} `)),
            added?.join()
          )
        })
      )
      assert.deepStrictEqual(await found(), [])
    }, 60_000)
  }

  it.each([
    ["a choice that was undone", "default_org_id is not null", "null"],
    [
      "a choice that was never made",
      "default_org_id is null",
      "(select org_id from attestry.org where name = 'acme')"
    ]
  ])("finds %s of the org of a user", async (_, which, next) => {
    await withDatabase((query) =>
      Effect.gen(function* () {
        const place = `user_id = (select u.user_id from attestry.app_user u
          where u.user_id in (select user_id from attestry.membership where org_id = '${id}')
            and u.${which} order by u.user_id limit 1)`
        const [before] = yield* query(
          `select user_id, default_org_id from attestry.app_user where ${place}`
        )
        yield* query(`update attestry.app_user set default_org_id = ${next} where user_id = $1`, [
          before?.user_id
        ])
        const told = yield* lines
        yield* query("update attestry.app_user set default_org_id = $1 where user_id = $2", [
          before?.default_org_id ?? null,
          before?.user_id
        ])
        assert.deepStrictEqual(told, [
          `app_user ${String(before?.user_id)}: \`default_org_id\` is not what the journal says`
        ])
      })
    )
    assert.deepStrictEqual(await found(), [])
  })
})

/**
 * LOG-18: no damage ends a verification. A column of each table that is read gets values that it can never have:
 * nulls, bytes that are not text, texts that are not JSON, numbers out of range. Every part of level 5 completes, and
 * each finding names a table and a key. A normal run tries one kind of damage for each column of the log, and for two
 * columns of every other table; a deep run tries all.
 */
import { OrgId } from "@attestry/core/Identifier"
import { Journals } from "@attestry/core/Journals"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, Exit, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
import { fillOthers } from "./OtherWorld.js"
import * as TamperedRows from "./TamperedRows.js"
import { fill, fillSeconds } from "./World.js"

const isDeep = process.env.ATTESTRY_DEEP === "1"

const LOG = ["journal", "log_tree", "log_leaf", "log_node", "log_checkpoint", "log_key"] as const

const OTHERS = [
  "snapshot",
  "snapshot_row",
  "snapshot_event",
  "snapshot_policies",
  "snapshot_flows",
  "snapshot_decisions",
  "snapshot_start",
  "exposure",
  "trail_evaluation",
  "trail_event",
  "environment_evaluation",
  "allow_list_period",
  "policy_attachment",
  "flow_version",
  "environment_version",
  "artifact_trait",
  "component",
  "component_listing",
  "component_set",
  "component_use",
  "attachment",
  "attachment_chunk"
] as const

/** Types whose values are parsed or computed with come first: most can go wrong with them. */
const RISKS = ["json", "jsonb", "bytea", "ARRAY", "text", "bigint"]

const risk = ({ type }: TamperedRows.Column): number => (RISKS.indexOf(type) + 7) % 7

/** The columns of a table that are damaged. */
const chosenOf = (table: string, columns: ReadonlyArray<TamperedRows.Column>) => {
  const own = columns.filter(({ name }) => !name.endsWith("org_id"))
  const isWhole = isDeep || LOG.some((name) => name === table)
  return isWhole ? own : [...own].sort((left, right) => risk(left) - risk(right)).slice(0, 2)
}

onBothStores("LOG-18: values that no column can have", (server) => {
  // The memory store has no SQL by which its records could be damaged.
  if (server.isInMemory) {
    it("cannot be there", () => assert.isTrue(server.isInMemory))
    return
  }

  const withDatabase = (work: (query: TamperedRows.Query) => Effect.Effect<void, unknown>) =>
    server.run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isSome(database)) yield* work(database.value.query)
      }).pipe(Effect.orDie)
    )
  let id = ""
  /** What every part of level 5 tells, and why a part ended. */
  const verified = Effect.promise(() =>
    server.run(
      Effect.gen(function* () {
        const org = OrgId.make(id)
        const journal = Effect.map((yield* Journals).verify(org), ({ damaged }) =>
          damaged.map(({ table, key, column }) => `${table} ${key}: \`${column}\``)
        )
        const log = Effect.map((yield* LogVerification).verify(org), ({ findings }) =>
          findings.map(LogFinding.print)
        )
        const records = Effect.map((yield* RecordVerification).verify(org, 5), (found) =>
          found.map(TableFinding.print)
        )
        const exits = yield* Effect.all([journal, log, records].map(Effect.exit))
        return {
          told: exits.flatMap((exit) => (Exit.isSuccess(exit) ? exit.value : [])),
          ended: exits.flatMap((exit) => (Exit.isFailure(exit) ? [String(exit.cause)] : []))
        }
      })
    )
  )

  const own = (table: string) => {
    if (table === "app_user")
      return `user_id in (select m.user_id from attestry.membership m where m.org_id = '${id}')`
    return `${table === "api_key" ? "account_org_id" : "org_id"} = '${id}'`
  }

  beforeAll(async () => {
    await fill(server)
    await fillSeconds(server)
    await fillOthers(server)
    const orgs = await server.run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
    assert.strictEqual((await server.call("GET /log/{org}/checkpoint")).status, 200)
    await withDatabase((query) =>
      Effect.forEach(
        [...TamperedRows.TABLES, ...LOG, ...OTHERS],
        (table) =>
          Effect.zipRight(
            TamperedRows.unguard(query, table),
            TamperedRows.allowNulls(query, table)
          ),
        { discard: true }
      )
    )
  }, 240_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await Effect.runPromise(verified), { told: [], ended: [] })
  })

  for (const table of [...LOG, ...TamperedRows.TABLES, ...OTHERS]) {
    it(`comes to its end with damaged columns of ${table}`, async () => {
      const problems: Array<string> = []
      await withDatabase((query) =>
        Effect.gen(function* () {
          const columns = chosenOf(table, yield* TamperedRows.columnsOf(query, table))
          const damages = columns.flatMap((column, place) => {
            const all = TamperedRows.damagesOf(column).map((value) => ({ column, value }))
            return isDeep ? all : all.filter((_, at) => at === place % all.length)
          })
          const at = { table, own: own(table) }
          const rows = yield* TamperedRows.rowsOf(query, at)
          // WHY one damage a row: each is alone in what it spoils, and one verification reads all of them.
          for (let first = 0; rows > 0 && first < damages.length; first += rows) {
            const batch = damages.slice(first, first + rows)
            const found = yield* TamperedRows.whileDamaged(
              query,
              { ...at, damages: batch },
              verified
            )
            if (found === undefined) continue
            const what = batch.map(({ column, value }) => `${column.name} = ${value}`).join()
            for (const each of found.ended) problems.push(`${what} ended: ${each.slice(0, 300)}`)
            for (const line of found.told)
              if (!/^[a-z_]+ .+: /.test(line)) problems.push(`${what} told: ${line}`)
          }
        })
      )
      assert.strictEqual(problems.join("\n"), "")
    }, 600_000)
  }

  it("names the table, the key and the column of a journal row that is no JSON, and reads the rest", async () => {
    await withDatabase((query) =>
      Effect.gen(function* () {
        const [row] = yield* query(
          `select sequence, content from attestry.journal where org_id = $1 and kind = 'flow_created'
            order by sequence limit 1`,
          [id]
        )
        const change = (content: unknown) =>
          query("update attestry.journal set content = $1 where sequence = $2", [
            content,
            row?.sequence
          ])
        yield* query(
          "update attestry.journal set content = set_byte(content, 0, 40) where sequence = $1",
          [row?.sequence]
        )
        yield* query("update attestry.control set name = name || 'x' where org_id = $1", [id])
        const { told, ended } = yield* verified
        yield* change(row?.content)
        yield* query("update attestry.control set name = left(name, -1) where org_id = $1", [id])
        assert.deepStrictEqual(ended, [])
        assert.include(told, `journal ${row?.sequence}: \`content\` cannot be read`)
        assert.isTrue(told.some((line) => /^control C-1: `name` is not what/.test(line)))
      })
    )
    assert.deepStrictEqual(await Effect.runPromise(verified), { told: [], ended: [] })
  }, 120_000)
})

/**
 * ARCHIVE-1: every table of the schema has a rule, tables that are `kept` are, and no trigger runs while an org
 * arrives.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as OrgTables from "../../src/internal/org-archive/OrgTables.js"
import * as PgLayer from "../shared/PgLayer.js"

const names = (statement: string) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const rows = yield* query(statement)
    return rows.map(({ name }) => String(name))
  })

const TABLES = `select relname::text as name from pg_class
  where relkind = 'r' and relnamespace = 'attestry'::regnamespace order by 1`

const kept = [...OrgTables.RULES].flatMap(([name, rule]) => (rule === "kept" ? [name] : []))

layer(PgLayer.layerDatabase)("tables of archives", (it) => {
  it.effect("are those of the schema", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([...OrgTables.RULES.keys()].sort(), yield* names(TABLES))
    })
  )

  it.effect("have an org, or a condition of their own", () =>
    Effect.gen(function* () {
      const withOrg = new Set(
        yield* names(`select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
          where c.relnamespace = 'attestry'::regnamespace and a.attname = 'org_id'`)
      )
      const without = [...OrgTables.RULES.keys()].filter(
        (name) =>
          OrgTables.isArchived(name, { hasSecrets: true }) &&
          OrgTables.conditionOf(name) === "org_id = $ORG" &&
          !withOrg.has(name)
      )
      assert.deepStrictEqual(without, [])
    })
  )

  it.effect("that are kept have a primary key, and nothing takes rows away", () =>
    Effect.gen(function* () {
      const keyed =
        yield* names(`select indrelid::regclass::text as name from pg_index where indisprimary
        and indrelid::regclass::text like 'attestry.%' or indisprimary`)
      const bare = new Set(keyed.map((name) => name.replace(/^attestry\./, "")))
      assert.deepStrictEqual(
        kept.filter((name) => !bare.has(name)),
        []
      )
      const granted = new Set(
        yield* names(`select table_name::text as name from information_schema.role_table_grants
          where grantee = 'attestry_app' and privilege_type = 'DELETE'`)
      )
      const deleting = yield* names(
        `select prosrc as name from pg_proc where pronamespace = 'attestry'::regnamespace`
      )
      const taken = new Set(
        deleting.flatMap((body) =>
          [...body.matchAll(/delete\s+from\s+(?:only\s+)?(?:attestry\.)?([a-z_]+)/gi)].map(
            ([, name = ""]) => name
          )
        )
      )
      assert.include([...taken], "attachment_chunk")
      assert.deepStrictEqual(
        kept.filter((name) => granted.has(name) || taken.has(name)),
        []
      )
    })
  )

  it.effect("have no trigger that runs while an org arrives", () =>
    Effect.gen(function* () {
      const all = yield* names(`select pg_get_triggerdef(oid) as name from pg_trigger
        where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'attestry'::regnamespace)`)
      assert.isAbove(all.length, 20)
      assert.deepStrictEqual(
        all.filter((text) => !text.includes("current_setting('attestry.loading'::text, true)")),
        []
      )
    })
  )
})

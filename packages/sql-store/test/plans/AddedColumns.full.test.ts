/**
 * A statement that was prepared before a migration added a column runs after it: servers of the release before go on.
 *
 * PostgreSQL refuses a prepared statement that would return other columns than before (0A000), so none returns `*`.
 */
import { OrgStore } from "@attestry/core/OrgStore"
import { Transaction } from "@attestry/core/Transaction"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as PgLayer from "../shared/PgLayer.js"
import type { Statements } from "./Statement.js"
import { FLAT, LINEAR } from "./Statements.js"
import * as World from "./World.js"

const SIZE = 60

/** Statements about tables without an org. */
const GLOBAL: Statements = {
  "all orgs": () => Effect.flatMap(OrgStore, (orgs) => orgs.list),
  "an org by its name": ({ org }) =>
    Effect.flatMap(OrgStore, (orgs) => orgs.find({ name: org.name })),
  "an org by its id": ({ org }) => Effect.flatMap(OrgStore, (orgs) => orgs.find({ id: org.id }))
}

const ADD_COLUMNS = `do $$ declare t regclass; begin
  for t in select oid from pg_class where relnamespace = 'attestry'::regnamespace and relkind = 'r'
  loop execute format('alter table %s add column added_by_a_migration int4', t); end loop;
end $$`

layer(PgLayer.layer, { excludeTestServices: true })("prepared statements", (it) => {
  it.effect(
    "run when a column was added to every table",
    () =>
      Effect.gen(function* () {
        const { late } = yield* World.make(SIZE, Effect.void)
        const transaction = yield* Transaction
        const sql = yield* SqlClient.SqlClient
        const control = Effect.exit(
          transaction.run(late.org.id, () => sql`select * from flow where org_id = ${late.org.id}`)
        )
        assert.isTrue(Exit.isSuccess(yield* control))
        const statements = Object.entries({ ...FLAT, ...LINEAR, ...GLOBAL })
        assert.isAbove(statements.length, 100)
        /** The causes of those that fail, by their names. */
        const failures = Effect.gen(function* () {
          const failed: Array<string> = []
          for (const [name, statement] of statements) {
            const exit = yield* Effect.exit(transaction.run(late.org.id, () => statement(late)))
            if (Exit.isFailure(exit)) failed.push(`${name}: ${Cause.pretty(exit.cause)}`)
          }
          return failed
        })
        assert.deepStrictEqual(yield* failures, [])
        const { query } = yield* PgLayer.TestDatabase
        yield* query(ADD_COLUMNS)
        const refused = yield* control
        assert.include(Exit.isFailure(refused) ? JSON.stringify(refused) : "", "0A000")
        assert.deepStrictEqual(yield* failures, [])
      }),
    300_000
  )
})

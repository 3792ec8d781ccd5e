/** The texts and parameters of statements, as PostgreSQL gets them. */
import * as SqlError from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgCompiler from "../../src/pg/internal/PgCompiler.js"

const unreachable = new SqlError.SqlError({ cause: "no connection", message: "no connection" })
const sql = Statement.make(Effect.fail(unreachable), PgCompiler.make(), [], undefined)

describe("statements for PostgreSQL", () => {
  it("have numbered parameters, in the order of the text", () => {
    assert.deepStrictEqual(
      sql`select ${1} where ${sql.in("id", ["a", "b"])} and ${sql.and([sql`x = ${true}`, "y"])}`.compile(),
      ['select $1 where "id" IN ($2,$3) and (x = $4 AND y)', [1, "a", "b", true]]
    )
  })

  it("have identifiers in quotes", () => {
    assert.deepStrictEqual(sql`select ${sql('na"me')} from ${sql("org.flow")}`.compile(), [
      'select "na""me" from "org"."flow"',
      []
    ])
  })

  it("insert and update records", () => {
    const rows = [
      { id: 1, name: "a" },
      { id: 2, name: "b" }
    ]
    assert.deepStrictEqual(sql`insert into t ${sql.insert(rows)}`.compile(), [
      'insert into t ("id","name") VALUES ($1,$2),($3,$4)',
      [1, "a", 2, "b"]
    ])
    assert.deepStrictEqual(
      sql`update t set ${sql.update({ name: "c" })} where id = ${1}`.compile(),
      ['update t set "name" = $1 where id = $2', ["c", 1]]
    )
    assert.deepStrictEqual(
      sql`update t set name = v.name from ${sql.updateValues(rows, "v").returning("*")}`.compile(),
      [
        'update t set name = v.name from (values ($1,$2),($3,$4)) AS v("id","name") RETURNING *',
        [1, "a", 2, "b"]
      ]
    )
  })
})

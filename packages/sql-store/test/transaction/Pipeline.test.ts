/** A pipeline has the results of its statements run one after another, and never commits after a failure. */
import { OrgId } from "@attestry/core/Identifier"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Driver, type PipelinedStatement } from "../../src/internal/transaction/Driver.js"
import * as PgLayer from "../shared/PgLayer.js"

const statement = (text: string, ...values: ReadonlyArray<unknown>): PipelinedStatement => ({
  text,
  values
})

/** A value that the driver cannot print. */
const unwritable = {
  toPostgres: () => {
    throw new Error("not writable")
  }
}

const BEGIN = statement("begin")
const COMMIT = statement("commit")
const insert = (id: unknown) => statement("insert into kept values ($1::int4)", id)

const prepare = Effect.gen(function* () {
  const database = yield* PgLayer.TestDatabase
  yield* database.query("drop table if exists kept; create table kept (id int4 primary key)")
  yield* database.query("grant insert on kept to attestry_app")
  const { reserve } = yield* Driver
  const { pipeline } = yield* reserve(OrgId.make("org"))
  return {
    send: (...statements: ReadonlyArray<PipelinedStatement>) => pipeline(statements),
    kept: Effect.map(database.query("select id from kept order by id"), (rows) =>
      rows.map(({ id }) => id)
    )
  }
})

layer(PgLayer.layer, { excludeTestServices: true })("Pipeline", (it) => {
  it.scoped("gives the result of each statement, the first time and later", () =>
    Effect.gen(function* () {
      const { send } = yield* prepare
      const ask = send(
        BEGIN,
        statement("select $1::int8 as a, null as b from generate_series(1, 2)", 7),
        statement(`select '{"c": [1]}'::json as d`),
        COMMIT
      )
      const expected = [
        { command: "BEGIN", rows: [] },
        {
          command: "SELECT",
          rows: [
            { a: 7, b: null },
            { a: 7, b: null }
          ]
        },
        { command: "SELECT", rows: [{ d: { c: [1] } }] },
        { command: "COMMIT", rows: [] }
      ]
      for (const _ of [1, 2, 3]) {
        const answers = yield* ask
        assert.deepStrictEqual(JSON.parse(JSON.stringify(answers)), expected)
      }
    })
  )

  it.scoped("sends values of every kind, the first time and later", () =>
    Effect.gen(function* () {
      const { send } = yield* prepare
      // WHY two: a statement with other than plain values is sent in another way.
      const plain = statement(
        `select $1::text as text, $2::int4 as number, $3::float8 as fraction, $4::boolean as yes,
          $5::text as nothing, $6::text as missing`,
        "ä€\u{1F600}",
        7,
        -1.5e-9,
        true,
        null,
        undefined
      )
      const others = statement(
        `select $1::text as text, $2::int4 as number, $3::boolean as yes, $4::text as nothing,
          $5::text[] as list, encode($6::bytea, 'hex') as bytes, $7::json as object`,
        "ä€\u{1F600}",
        7,
        true,
        null,
        ["a", 'b"c'],
        Buffer.from([0, 255]),
        { a: 1 }
      )
      const expected = { text: "ä€\u{1F600}", number: 7, yes: true, nothing: null }
      for (const _ of [1, 2, 3]) {
        const [, first, second] = yield* send(BEGIN, plain, others, COMMIT)
        const read = JSON.parse(JSON.stringify([first?.rows, second?.rows]))
        assert.deepStrictEqual(read, [
          [{ ...expected, fraction: -1.5e-9, missing: null }],
          [{ ...expected, list: ["a", 'b"c'], bytes: "00ff", object: { a: 1 } }]
        ])
      }
    })
  )

  it.scoped("commits nothing after a statement that fails, and can be used again", () =>
    Effect.gen(function* () {
      const { send, kept } = yield* prepare
      yield* send(BEGIN, insert(1), COMMIT)
      for (const _ of ["in turn", "together"]) {
        yield* send(BEGIN)
        const failed = yield* Effect.flip(send(insert(2), insert(1), COMMIT))
        assert.propertyVal(failed.cause, "code", "23505")
        const [ended] = yield* send(statement("rollback"))
        assert.strictEqual(ended?.command, "ROLLBACK")
      }
      assert.deepStrictEqual(yield* kept, [1])
      yield* send(BEGIN, insert(3), COMMIT)
      assert.deepStrictEqual(yield* kept, [1, 3])
    })
  )

  it.scoped("commits nothing after a value that cannot be sent", () =>
    Effect.gen(function* () {
      const { send, kept } = yield* prepare
      yield* send(BEGIN, insert(1), COMMIT)
      const failed = yield* Effect.flip(send(BEGIN, insert(2), insert(unwritable), COMMIT))
      assert.propertyVal(failed.cause, "message", "not writable")
      const [ended] = yield* send(statement("rollback"))
      assert.strictEqual(ended?.command, "ROLLBACK")
      assert.deepStrictEqual(yield* kept, [1])
    })
  )

  it.scoped("answers ROLLBACK when a transaction that has failed is committed", () =>
    Effect.gen(function* () {
      const { send, kept } = yield* prepare
      yield* send(BEGIN, insert(1), COMMIT)
      yield* send(BEGIN)
      yield* Effect.flip(send(insert(1)))
      const [ended] = yield* send(COMMIT)
      assert.strictEqual(ended?.command, "ROLLBACK")
      assert.deepStrictEqual(yield* kept, [1])
    })
  )

  it.effect("begins a transaction with its first statement, at one instant", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const sql = yield* SqlClient.SqlClient
      const { run } = yield* Transaction
      const named = sql`select current_setting('attestry.org_id') as org`
      const [before, during, inner, after] = yield* Effect.all([
        run(org.id, ({ now }) => now),
        run(org.id, ({ now }) => Effect.all({ rows: named, now })),
        run(org.id, ({ now: outer }) =>
          Effect.zipWith(
            run(org.id, ({ now }) => now),
            outer,
            (one, other) => one - other
          )
        ),
        run(org.id, ({ now }) => now)
      ])
      assert.deepStrictEqual(during.rows, [{ org: org.id }])
      assert.isTrue(before <= during.now && during.now <= after)
      assert.strictEqual(inner, 0)
    })
  )
})

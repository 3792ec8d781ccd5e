/** A page and its total are read together, and are right on every page. */
import { type Damage, DamagedRecords } from "@attestry/core/DamagedRecords"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import * as SqlPage from "../../src/internal/shared/SqlPage.js"
import * as TenantQueries from "../../src/internal/shared/TenantQueries.js"
import * as TenantTransaction from "../../src/internal/transaction/TenantTransaction.js"
import * as PgLayer from "./PgLayer.js"

const Row = Schema.Struct({ id: Schema.Int.pipe(Schema.lessThan(100)) })

/** Reads pages of the numbers up to `last`, and records the statements. */
const prepare = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.provide(TenantQueries.make, TenantTransaction.layer)
  const org = yield* Fixture.org
  return (last: number, page: number, { perPage = 2, add = 0 } = {}) => {
    const asked: Array<string> = []
    const told = <A, E>(name: string, statement: Effect.Effect<A, E>) =>
      Effect.tap(statement, () => Effect.sync(() => asked.push(name)))
    const all = sql`generate_series(1, ${last}::int4) id`
    const total = SqlPage.total(sql, all)
    const read = SqlPage.read(rows, Row, {
      operation: "test",
      org: org.id,
      page: { page, perPage },
      items: told(
        "items",
        sql`select id + ${add}::int4 as id, ${total} from ${all} order by id
          ${SqlPage.clause(sql, { page, perPage })}`
      ),
      count: told("count", sql`select ${total}`)
    })
    return Effect.map(read, ({ items, total: counted }) => ({
      items: items.map(({ id }) => id),
      total: counted,
      asked
    }))
  }
})

layer(PgLayer.layer, { excludeTestServices: true })("SqlPage", (it) => {
  it.effect("gives the total with the rows, on every page", () =>
    Effect.gen(function* () {
      const read = yield* prepare
      const asked = ["items"]
      assert.deepStrictEqual(yield* read(3, 1), { items: [1, 2], total: 3, asked })
      assert.deepStrictEqual(yield* read(3, 2), { items: [3], total: 3, asked })
    })
  )

  it.effect("reads the total of a page past the end, and not where there are no rows", () =>
    Effect.gen(function* () {
      const read = yield* prepare
      const beyond = { items: [], total: 3, asked: ["items", "count"] }
      assert.deepStrictEqual(yield* read(3, 3), beyond)
      assert.deepStrictEqual(yield* read(0, 1), { items: [], total: 0, asked: ["items"] })
      assert.deepStrictEqual(yield* read(0, 2), { ...beyond, total: 0 })
    })
  )

  it.effect("gives the total of a page whose rows are damaged in part or in all", () =>
    Effect.gen(function* () {
      const read = yield* prepare
      const noted: Array<Damage> = []
      const shown = (add: number) =>
        Effect.provideService(read(3, 1, { add }), DamagedRecords, noted)
      const asked = ["items"]
      assert.deepStrictEqual(yield* shown(98), { items: [99], total: 3, asked })
      assert.deepStrictEqual(yield* shown(99), { items: [], total: 3, asked })
      assert.deepStrictEqual(
        noted.map(({ position }) => position),
        [1, 0, 1]
      )
      assert.isTrue(Either.isLeft(yield* Effect.either(read(3, 1, { add: 98 }))))
    })
  )
})

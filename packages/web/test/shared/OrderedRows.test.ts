/** Rows of a form in an order: moving keeps all of them, and stops at the ends. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as OrderedRows from "../../app/shared/OrderedRows.js"

const ROWS = [{ key: 1 }, { key: 2 }, { key: 3 }]

const keysOf = (rows: ReadonlyArray<OrderedRows.Row>) => rows.map(({ key }) => key)

describe("ordered rows", () => {
  it("move by one place, and stay at the ends", () => {
    assert.deepStrictEqual(keysOf(OrderedRows.moved(ROWS, 2, -1)), [2, 1, 3])
    assert.deepStrictEqual(keysOf(OrderedRows.moved(ROWS, 2, 1)), [1, 3, 2])
    assert.deepStrictEqual(keysOf(OrderedRows.moved(ROWS, 1, -1)), [1, 2, 3])
    assert.deepStrictEqual(keysOf(OrderedRows.moved(ROWS, 3, 1)), [1, 2, 3])
    assert.deepStrictEqual(keysOf(OrderedRows.moved(ROWS, 9, 1)), [1, 2, 3])
  })

  it("come back by the opposite move, unless one was at an end", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(1 as const, -1 as const),
        (key, by) => {
          const there = OrderedRows.moved(ROWS, key, by)
          const back = there === ROWS ? ROWS : OrderedRows.moved(there, key, by === 1 ? -1 : 1)
          assert.deepStrictEqual(keysOf(back), keysOf(ROWS))
        }
      )
    ))

  it("are replaced and removed by their keys", () => {
    const next = { key: 2, name: "new" }
    assert.deepStrictEqual(OrderedRows.replaced<OrderedRows.Row>(ROWS, next)[1], next)
    assert.deepStrictEqual(keysOf(OrderedRows.without(ROWS, 2)), [1, 3])
    assert.notStrictEqual(OrderedRows.newKey(), OrderedRows.newKey())
  })
})

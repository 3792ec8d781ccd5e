/** Windowed tables: visible rows are in the document, and heights add up. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as TableWindow from "../../app/shared/TableWindow.js"

const view = fc.record({
  rowCount: fc.nat(10_000),
  rowHeight: fc.constantFrom(28, 36),
  scrollTop: fc.integer({ min: -50, max: 400_000 }),
  viewportHeight: fc.integer({ min: 0, max: 2_000 })
})

describe("a window", () => {
  it("has all rows up to 200", () => {
    const small = { rowCount: 200, rowHeight: 36, scrollTop: 3_000, viewportHeight: 600 }
    assert.deepStrictEqual(TableWindow.windowOf(small), { first: 0, end: 200, before: 0, after: 0 })
    assert.isBelow(TableWindow.windowOf({ ...small, rowCount: 201 }).end - 100, 200)
  })

  it("is as high as all rows, and small", () => {
    fc.assert(
      fc.property(view, (each) => {
        const { first, end, before, after } = TableWindow.windowOf(each)
        assert.strictEqual(
          before + (end - first) * each.rowHeight + after,
          each.rowCount * each.rowHeight
        )
        assert.isTrue(first >= 0 && first <= end && end <= each.rowCount)
        if (each.rowCount > 200)
          assert.isAtMost(end - first, Math.ceil(each.viewportHeight / each.rowHeight) + 26)
      })
    )
  })

  it("has every row that is in sight", () => {
    fc.assert(
      fc.property(view, (each) => {
        const { first, end } = TableWindow.windowOf(each)
        const top = Math.max(0, Math.floor(each.scrollTop / each.rowHeight))
        const bottom = Math.floor((each.scrollTop + each.viewportHeight - 1) / each.rowHeight)
        for (let row = top; row <= bottom && row < each.rowCount; row += 1) {
          assert.isTrue(row >= first && row < end, `${row}`)
        }
      })
    )
  })
})

describe("keys", () => {
  const table = { rowCount: 300, rowHeight: 36, scrollTop: 360, viewportHeight: 360 }

  it("move within the table", () => {
    const keys = ["ArrowDown", "j", "ArrowUp", "k", "PageDown", "PageUp", "Home", "End", "x"]
    assert.deepStrictEqual(
      keys.map((key) => TableWindow.rowFor(key, 5, table)),
      [6, 6, 4, 4, 14, 0, 0, 299, undefined]
    )
    assert.strictEqual(TableWindow.rowFor("ArrowDown", 299, table), 299)
  })

  it("scroll as little as it takes to see the row", () => {
    assert.strictEqual(TableWindow.scrollTopFor(12, table), 360)
    assert.strictEqual(TableWindow.scrollTopFor(3, table), 108)
    assert.strictEqual(TableWindow.scrollTopFor(20, table), 396)
  })
})

/** Equal texts have equal names, and the number of names is bounded. */
import { assert, describe, it } from "vitest"
import * as PgConnection from "../../src/pg/internal/PgConnection.js"
import { printed } from "../../src/pg/internal/PipelinedQuery.js"

describe("PgConnection", () => {
  it("names equal texts alike and different texts differently", () => {
    const nameOf = PgConnection.makeNames()
    assert.strictEqual(nameOf("select $1"), nameOf("select $1"))
    assert.notStrictEqual(nameOf("select $1"), nameOf("select $2"))
  })

  it("names at most a thousand texts, and goes on naming those", () => {
    const nameOf = PgConnection.makeNames()
    const names = Array.from({ length: 1_001 }, (_, index) => nameOf(`select ${index}, $1`))
    assert.strictEqual(new Set(names).size, 1_001)
    assert.isUndefined(names[1_000])
    assert.strictEqual(nameOf("select 0, $1"), names[0])
  })

  it("prints plain values and lists of them, and leaves others to the driver", () => {
    assert.deepStrictEqual(printed(["a", 1.5, false, null, undefined]), [
      "a",
      "1.5",
      "false",
      null,
      null
    ])
    assert.deepStrictEqual(printed([["a", 'b"\\', null, 2]]), ['{"a","b\\"\\\\",NULL,2}'])
    assert.isUndefined(printed(["a", { b: 1 }]))
    assert.isUndefined(printed([[new Date(0)]]))
  })
})

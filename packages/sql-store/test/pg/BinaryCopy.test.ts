/** The binary format of COPY, in chunks of any size. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as BinaryCopy from "../../src/pg/internal/BinaryCopy.js"

const HEADER = Buffer.concat([Buffer.from("PGCOPY\n\xff\r\n\0", "latin1"), Buffer.alloc(8)])

const rowOf = (text: string | null) => {
  const bytes = Buffer.from(text ?? "")
  const row = Buffer.alloc(6)
  row.writeInt16BE(1)
  row.writeInt32BE(text === null ? -1 : bytes.byteLength, 2)
  return Buffer.concat([row, bytes])
}

const TRAILER = Buffer.from([0xff, 0xff])

const texts = FastCheck.array(
  FastCheck.option(FastCheck.string({ unit: "binary-ascii" }), { nil: null })
)
const cuts = FastCheck.array(FastCheck.integer({ min: 1, max: 40 }), { minLength: 1 })

describe("BinaryCopy", () => {
  it.prop("gives the texts, however their bytes are cut", { texts, cuts }, (given) => {
    const bytes = Buffer.concat([HEADER, ...given.texts.map(rowOf), TRAILER])
    const reading = BinaryCopy.make()
    const found: Array<Buffer> = []
    for (let at = 0, turn = 0; at < bytes.byteLength; turn++) {
      assert.strictEqual(reading.isWhole(), false)
      const end = at + (given.cuts[turn % given.cuts.length] ?? 1)
      found.push(...reading.take(bytes.subarray(at, end)))
      at = end
    }
    assert.strictEqual(reading.isWhole(), true)
    assert.strictEqual(Buffer.concat(found).toString(), given.texts.join(""))
  })

  it("is not whole without the end", () => {
    const reading = BinaryCopy.make()
    reading.take(Buffer.concat([HEADER, rowOf("a")]))
    assert.strictEqual(reading.isWhole(), false)
  })
})

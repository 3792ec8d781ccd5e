/** Texts of rows are cut after rows, and lose nothing. */

import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as ArchiveParts from "../../src/pg/internal/org-archive/ArchiveParts.js"

/** The longest row of a test. */
const ROW_MAX = 10

const bytes = new TextEncoder()
const text = new TextDecoder()

async function* pieces(all: string, length: number) {
  for (let at = 0; at < all.length; at += length) yield bytes.encode(all.slice(at, at + length))
}

const cut = async (all: string, length: number, bytesMax: number) => {
  const parts: Array<string> = []
  for await (const part of ArchiveParts.cut(pieces(all, length), bytesMax))
    parts.push(text.decode(part))
  return parts
}

describe("texts of rows", () => {
  it("are cut after rows, whatever the chunks, and lose nothing", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { maxLength: 30 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 40 }),
        async (rows, length, bytesMax) => {
          const all = rows.map((row) => `${row}\n`).join("")
          const parts = await cut(all, length, bytesMax)
          assert.strictEqual(parts.join(""), all)
          for (const part of parts) assert.isTrue(part.endsWith("\n"))
          // A part ends in the chunk that fills it, or with the row that goes on after it.
          const sizeMax = bytesMax + length + ROW_MAX
          for (const part of parts) assert.isBelow(part.length, sizeMax)
        }
      )
    ))
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Tags from "../../src/shared/Tags.js"

const word = FastCheck.constantFrom("a", "b", "constructor", "toString", "é", "", "a b")
const tags = FastCheck.array(FastCheck.tuple(word, word), { maxLength: 4 }).map((entries) =>
  Object.fromEntries(entries)
)

describe("Tags", () => {
  it.prop(
    "lists each pair of key and value of some records once, by key and then by value",
    { records: FastCheck.array(tags, { maxLength: 4 }) },
    ({ records }) => {
      const listed = Tags.sorted(Tags.distinct(records.map((own) => ({ tags: own }))))
      const pairs = new Set(records.flatMap((own) => Object.entries(own).map((e) => e.join("\n"))))
      assert.deepStrictEqual(
        listed.map(({ key, value }) => `${key}\n${value}`),
        [...pairs].sort()
      )
    }
  )
})

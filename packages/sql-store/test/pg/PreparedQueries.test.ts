/** Statements get names of their own, few enough, and everything else passes as it came. */
import type { ClientBase } from "pg"
import { assert, describe, it } from "vitest"
import * as PreparedQueries from "../../src/pg/internal/PreparedQueries.js"

const recording = () => {
  const calls: Array<ReadonlyArray<unknown>> = []
  const client = { query: (...call: ReadonlyArray<unknown>) => calls.push(call) }
  let waiting = 0
  const watch = {
    begin: () => {
      waiting += 1
      return () => {
        waiting -= 1
      }
    },
    isAway: () => false,
    close: () => {}
  }
  const nameOf = PreparedQueries.makeNames()
  PreparedQueries.prepare(client as unknown as ClientBase, { nameOf, watch })
  return { calls, client, waiting: () => waiting }
}

describe("PreparedQueries", () => {
  it("names equal texts alike and different texts differently", () => {
    const nameOf = PreparedQueries.makeNames()
    assert.strictEqual(nameOf("select $1"), nameOf("select $1"))
    assert.notStrictEqual(nameOf("select $1"), nameOf("select $2"))
  })

  it("names a thousand texts and no more, and goes on naming those", () => {
    const nameOf = PreparedQueries.makeNames()
    const names = Array.from({ length: 1_001 }, (_, index) => nameOf(`select ${index}, $1`))
    assert.strictEqual(new Set(names).size, 1_001)
    assert.isUndefined(names[1_000])
    assert.strictEqual(nameOf("select 0, $1"), names[0])
  })

  it("sends a text with parameters under its name", () => {
    const { calls, client } = recording()
    client.query("select $1", ["a"])
    assert.deepStrictEqual(calls, [
      [{ name: "attestry_0", text: "select $1", values: ["a"] }, undefined]
    ])
  })

  it("has a statement watched until it is answered", () => {
    const { calls, client, waiting } = recording()
    const answers: Array<unknown> = []
    client.query("select $1", ["a"], (...answer: ReadonlyArray<unknown>) => answers.push(answer))
    assert.strictEqual(waiting(), 1)
    const answer = calls[0]?.[1] as (...answer: ReadonlyArray<unknown>) => void
    answer(null, "rows")
    assert.strictEqual(waiting(), 0)
    assert.deepStrictEqual(answers, [[null, "rows"]])
  })

  it("passes on several statements at once, texts without parameters, and prepared objects", () => {
    const { calls, client } = recording()
    const cursor = { submit: () => {} }
    client.query("begin; select 1", [])
    client.query("commit")
    client.query(cursor)
    client.query({ name: "own", text: "select $1" }, ["a"])
    assert.deepStrictEqual(
      calls.map(([first]) => first),
      ["begin; select 1", "commit", cursor, { name: "own", text: "select $1" }]
    )
  })
})

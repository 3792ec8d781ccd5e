/** A statement is watched until it is answered, however that comes about. */
import { type ClientBase, DatabaseError } from "pg"
import { assert, describe, it } from "vitest"
import * as WatchedQueries from "../../src/pg/internal/WatchedQueries.js"

type Answer = (error: Error | null, result?: unknown) => void

const recording = (answer?: unknown) => {
  const calls: Array<ReadonlyArray<unknown>> = []
  const overs: Array<boolean> = []
  const client = {
    query: (...call: ReadonlyArray<unknown>): unknown => {
      calls.push(call)
      return answer
    }
  }
  let waiting = 0
  WatchedQueries.watch(client as unknown as ClientBase, {
    begin: () => {
      waiting += 1
      return (isAnswer) => {
        waiting -= 1
        overs.push(isAnswer)
      }
    },
    isAway: () => false,
    close: () => {}
  })
  return { calls, client, overs, waiting: () => waiting }
}

describe("WatchedQueries", () => {
  it("watches a statement until its callback is called, and passes the answer on", () => {
    const { calls, client, overs, waiting } = recording()
    const answers: Array<unknown> = []
    client.query("select $1", ["a"], (...answer: ReadonlyArray<unknown>) => answers.push(answer))
    assert.strictEqual(waiting(), 1)
    const answer = calls[0]?.[2] as Answer
    answer(null, "rows")
    assert.strictEqual(waiting(), 0)
    assert.deepStrictEqual(answers, [[null, "rows"]])
    assert.deepStrictEqual(overs, [true])
  })

  it("tells what the server has refused from what did not reach it", async () => {
    const refused = new DatabaseError("no", 2, "error")
    for (const [error, isAnswer] of [
      [refused, true] as const,
      [new Error("reset"), false] as const
    ]) {
      const { client, overs } = recording(Promise.reject(error))
      await (client.query("select 1") as Promise<unknown>).catch(() => {})
      assert.deepStrictEqual(overs, [isAnswer])
    }
  })

  it("leaves what comes as a query of its own to whoever reads it", () => {
    const { calls, client, waiting } = recording()
    const cursor = { submit: () => {} }
    client.query(cursor)
    assert.strictEqual(waiting(), 0)
    assert.strictEqual(calls[0]?.[0], cursor)
  })
})

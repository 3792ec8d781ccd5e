/** The memory of JSON values is estimated before they are parsed: limits on both sides. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as JsonSource from "../src/internal/JsonSource.js"
import * as Files from "./shared/EvidenceFiles.js"

const MANY = "its JSON has more values than are read"

const zeros = (count: number): string => `[${"0,".repeat(count - 1)}0]`

const memoryOf = (text: string): number => Either.getOrThrow(JsonSource.parse(text)).memory

describe("the memory of values", () => {
  it("is estimated by objects, lists, members and further items of lists", () => {
    assert.strictEqual(memoryOf("0"), 0)
    assert.strictEqual(memoryOf("{}"), 120)
    assert.strictEqual(memoryOf("[]"), 48)
    assert.strictEqual(memoryOf("[0]"), 48)
    assert.strictEqual(memoryOf('[0,"a,[{"]'), 48 + 40)
    assert.strictEqual(memoryOf('{"a":"b","c":{}}'), 2 * 120 + 2 * 128)
  })

  it("has a limit", () => {
    const most = Math.floor((JsonSource.MEMORY_MAX - 48) / 40) + 1
    assert.strictEqual(memoryOf(zeros(most)), 48 + 40 * (most - 1))
    const problem = Either.getOrThrow(Either.flip(JsonSource.parse(zeros(most + 1))))
    assert.deepStrictEqual([problem.kind, problem.message], ["too_large", MANY])
  })

  it("has a lower limit around payloads, and none of its own in them", () => {
    const envelope = (rest: object) =>
      JSON.stringify({ ...Files.envelope(Files.statement()), ...rest })
    const own = memoryOf(envelope({ x: [0] }))
    const most = Math.floor((JsonSource.WRAPPER_MEMORY_MAX - own) / 40) + 1
    const around = (count: number) => envelope({ x: "?" }).replace('"?"', zeros(count))
    assert.strictEqual(Files.documentsOf(around(most)).length, 1)
    const problem = Files.problemOf(around(most + 1))
    assert.deepStrictEqual([problem.kind, problem.message], ["too_large", MANY])
    const statement = Files.statement({ predicate: { x: "?" } })
    const payload = JSON.stringify(statement).replace('"?"', zeros(most + 1))
    assert.strictEqual(Files.documentsOf(Files.envelope(payload)).length, 1)
  })
})

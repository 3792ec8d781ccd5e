import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as PolicyEvaluation from "../../src/policy/PolicyEvaluation.js"
import * as PolicyFacts from "../../src/policy/PolicyFacts.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { facts } from "../../testing/PolicyFacts.js"

const decode = Schema.decodeUnknownEither(PolicyFacts.Facts)

describe("PolicyFacts", () => {
  it.prop(
    "are data: facts from JSON evaluate alike (E3)",
    { row: facts, given: Generated.policies },
    ({ row, given }) => {
      const read = Either.getOrThrow(decode(JSON.parse(JSON.stringify(row))))
      assert.deepStrictEqual(read, row)
      const compiled = PolicyEvaluation.compile(given)
      assert.deepStrictEqual(
        PolicyEvaluation.evaluate(compiled, read),
        PolicyEvaluation.evaluate(compiled, row)
      )
    }
  )

  const row = (flow: string) =>
    JSON.parse(`{"artifact":{"name":"a","fingerprint":""},"flows":[${flow}]}`)
  const flow = (tags: string, status = "COMPLIANT") =>
    `{"flow_name":"f","tags":${tags},"trail_name":"t","artifact_status":"${status}","attestations":[]}`

  it("keep a tag of any name", () => {
    const read = Either.getOrThrow(decode(row(flow('{"__proto__":"x","constructor":"y"}'))))
    assert.deepStrictEqual(Object.entries(read.flows[0]?.tags ?? {}), [
      ["__proto__", "x"],
      ["constructor", "y"]
    ])
  })

  it("refuse impossible records", () => {
    assert.isTrue(Either.isLeft(decode(row(flow('{"n":1}')))))
    assert.isTrue(Either.isLeft(decode(row(flow("{}", "MISSING")))))
    assert.isTrue(Either.isLeft(decode(row("{}"))))
    assert.isTrue(Either.isRight(decode(row(""))))
  })
})

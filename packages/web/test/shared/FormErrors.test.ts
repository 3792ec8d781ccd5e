/** Messages of the server beside the fields that they are about. */
import { assert, describe, it } from "vitest"
import type { ApiProblem } from "../../app/shared/ApiProblem.js"
import * as FormErrors from "../../app/shared/FormErrors.js"

const problem = (errors: { readonly [field: string]: string }): ApiProblem => ({
  kind: "invalid",
  status: 400,
  message: "refused",
  errors: new Map(Object.entries(errors)),
  requestId: undefined,
  retryAfterSeconds: undefined
})

describe("form errors", () => {
  it("stand beside the closest field, others in the summary", () => {
    const { byField, others } = FormErrors.make(problem({ "name.0": "short", age: "low" }), [
      "name"
    ])
    assert.deepStrictEqual([...byField], [["name", "short"]])
    assert.deepStrictEqual(others, ["age: low"])
  })

  it("stand beside a field of a row, however the server spells its place", () => {
    const given = problem({ "rows[0].team": "none", "rows.1.days": "low" })
    const { byField, others } = FormErrors.make(given, ["rows.0.team", "rows.1.days"])
    assert.deepStrictEqual(
      [...byField],
      [
        ["rows.0.team", "none"],
        ["rows.1.days", "low"]
      ]
    )
    assert.deepStrictEqual(others, [])
  })

  it("have the request of a change that was held", () => {
    const held = { operation: "policy.put", params: { org: "acme", name: "p" }, body: {} } as const
    assert.deepStrictEqual(FormErrors.make({ ...problem({}), held }, ["a"]).held, held)
    assert.notProperty(FormErrors.make(problem({}), ["a"]), "held")
  })

  it("of parts of a document stand beside it, by their paths", () => {
    const given = problem({ "trail.attestations[0].type": "no type", version: "missing" })
    const { byField, others } = FormErrors.makeWithRest(given, ["template_file"], "template_file")
    assert.deepStrictEqual(others, [])
    assert.strictEqual(
      byField.get("template_file"),
      "trail.attestations[0].type: no type\nversion: missing"
    )
  })

  it("without fields are the message", () => {
    assert.deepStrictEqual(FormErrors.makeWithRest(problem({}), ["a"], "a").others, ["refused"])
  })
})

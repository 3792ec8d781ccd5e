/** Problems of answers: the page's reaction to each status, for any body. */
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as ApiProblem from "../../app/shared/ApiProblem.js"
import * as FormErrors from "../../app/shared/FormErrors.js"

const problem = (
  status: number,
  body: unknown,
  headers: { readonly [name: string]: string } = {}
) => ApiProblem.fromAnswer({ status, body, header: (name) => headers[name] ?? null })

describe("a problem", () => {
  it("has a kind for its status", () => {
    const kinds = [400, 401, 403, 404, 409, 422, 429, 500, 503, 418].map(
      (status) => problem(status, {}).kind
    )
    assert.deepStrictEqual(kinds, [
      "invalid",
      "signed-out",
      "denied",
      "missing",
      "conflict",
      "invalid",
      "busy",
      "broken",
      "busy",
      "broken"
    ])
  })

  it("has the server's words, the request id and the time to wait", () => {
    const { message, errors, requestId, retryAfterSeconds } = problem(
      429,
      { message: "slow down", errors: { name: "taken" } },
      { "x-request-id": "r-1", "retry-after": "7" }
    )
    assert.deepStrictEqual([message, requestId, retryAfterSeconds], ["slow down", "r-1", 7])
    assert.deepStrictEqual([...errors], [["name", "taken"]])
    for (const text of ["soon", "-1", "1.5", ""]) {
      assert.isUndefined(problem(503, {}, { "retry-after": text }).retryAfterSeconds)
    }
    assert.strictEqual(problem(503, {}, { "retry-after": "99999" }).retryAfterSeconds, 300)
  })

  it("says how recent a sign-in has to be, where the challenge says that it is too old", () => {
    const within = (status: number, challenge: string) =>
      problem(status, {}, { "www-authenticate": challenge }).signInWithin
    const stale = 'Bearer error="insufficient_user_authentication", max_age="900"'
    assert.strictEqual(within(401, stale), 900)
    assert.isUndefined(within(403, stale))
    assert.isUndefined(within(401, 'Bearer error="insufficient_user_authentication"'))
    assert.isUndefined(within(401, 'Bearer error="insufficient_user_authentication", max_age="x"'))
  })

  it("says whether the change may be proposed, by the link of a denial", () => {
    const link = { link: '</api/v2/proposals/acme>; rel="proposal"' }
    assert.isTrue(problem(403, {}, link).isHeld)
    assert.isFalse(problem(403, {}).isHeld)
    assert.isFalse(problem(403, {}, { link: '<x>; rel="next"' }).isHeld)
    assert.isFalse(problem(404, {}, link).isHeld)
  })

  it("can be made of any body", () => {
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.jsonValue(), (status, body) => {
        assert.isNotEmpty(problem(status, body).message)
      })
    )
  })
})

describe("messages of a form", () => {
  it("stand beside their fields, and the rest above", () => {
    const refused = problem(400, {
      message: "invalid",
      errors: { name: "taken", "policies.0": "unknown", other: "odd" }
    })
    const { byField, others } = FormErrors.make(refused, ["name", "policies"])
    assert.deepStrictEqual(
      [...byField],
      [
        ["name", "taken"],
        ["policies", "unknown"]
      ]
    )
    assert.deepStrictEqual(others, ["other: odd"])
  })

  it("are the message alone where no field is named", () => {
    assert.deepStrictEqual(FormErrors.make(problem(409, { message: "m" }), ["name"]).others, ["m"])
  })
})

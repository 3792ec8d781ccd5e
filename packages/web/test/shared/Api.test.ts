/** The requests of operations. */
import { assert, describe, it } from "vitest"
import { callOf } from "../../app/shared/Api.js"

describe("the request of an operation", () => {
  it("encodes names and leaves out what is undefined", () => {
    assert.deepStrictEqual(callOf("environment.get", { org: "acme", env_name: "a/b?c" }), {
      method: "GET",
      path: "/api/v2/environments/acme/a%2Fb%3Fc"
    })
    const { path } = callOf("environment.list", {
      org: "acme",
      query: { page: 1, name: "a b", sort: undefined }
    })
    assert.strictEqual(path, "/api/v2/environments/acme?page=1&name=a+b")
  })
})

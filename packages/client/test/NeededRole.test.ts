/** The role that an operation needs, by the contract. */
import { assert, describe, it } from "vitest"
import * as PlainCalls from "../src/PlainCalls.js"

describe("the role of an operation", () => {
  it("is the lowest that has its permission", async () => {
    const roleOf = (name: string, path = {}) => PlainCalls.neededRole(name, { path })
    assert.strictEqual(await roleOf("flow.get"), "reader or a higher one")
    assert.strictEqual(await roleOf("flow.put"), "member or a higher one")
    assert.strictEqual(await roleOf("report.docker"), "snapshotter or a higher one")
    assert.strictEqual(await roleOf("membership.members"), "admin")
  })

  it("depends on the path where the contract says so", async () => {
    const roleOf = (resource_type: string) =>
      PlainCalls.neededRole("tag.change", { path: { resource_type } })
    assert.strictEqual(await roleOf("flow"), "member or a higher one")
    assert.strictEqual(await roleOf("control"), "admin")
  })

  it("is none where any key will do, and for what the contract does not have", async () => {
    for (const name of ["meta.whoami", "meta.get", "no.such"])
      assert.isUndefined(await PlainCalls.neededRole(name, {}))
  })
})

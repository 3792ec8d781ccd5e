/** Reading an org on the wire. */
import { assert, it } from "vitest"
import { type Caller, onEveryStore } from "../shared/TestServer.js"

onEveryStore("GET /organizations/{org}", ({ call, org }) => {
  const get = (as: Caller, name = org) =>
    call("GET /organizations/{org}", { path: { org: name }, as })

  it("answers the name and the creation of an org to every member", async () => {
    for (const role of ["reader", "snapshotter", "member", "admin"] as const) {
      const { status, body } = await get(role)
      assert.strictEqual(status, 200)
      const { created_at, ...rest } = body as { created_at: number }
      assert.deepStrictEqual(rest, { name: org })
      assert.isAbove(created_at, 1_700_000_000)
    }
  })

  it("is 403 for the org of others, whether or not it exists, and 401 without a key", async () => {
    assert.strictEqual((await get("foreigner")).status, 403)
    assert.strictEqual((await get("admin", "no-such-org")).status, 403)
    assert.strictEqual((await get("nobody")).status, 401)
  })
})

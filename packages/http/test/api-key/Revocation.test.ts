/** A revocation holds on every server of a deployment within a second (P-REVOKE). */
import * as UseCases from "@attestry/core/UseCases"
import { Effect } from "effect"
import { assert, it } from "vitest"
import * as Server from "../../src/Server.js"
import * as WebHandler from "../../src/WebHandler.js"
import { onEveryStore } from "../shared/TestServer.js"

/** A second server that shares the store alone with the first. */
const another = Effect.flatMap(Server.make(), (dispatch) => WebHandler.make(dispatch)).pipe(
  Effect.provide(UseCases.layer)
)

onEveryStore("a key that is revoked on one server", ({ call, run }) => {
  it("does not work on another server a second later", async () => {
    const handler = await run(another)
    await call("POST /service-accounts/{org}", { body: { name: "far", privilege: "reader" } })
    const path = { name: "far" }
    const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
      path,
      body: { description: "d" }
    })
    const { id, key } = made.body as { id: string; key: string }
    const elsewhere = async () => {
      const headers = { authorization: `Bearer ${key}` }
      const url = "http://attestry.test/api/v2/user/default-org"
      return (await handler(new Request(url, { headers }))).status
    }
    assert.strictEqual(await elsewhere(), 200)
    await call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", {
      path: { ...path, key_id: id }
    })
    const revokedAt = performance.now()
    while ((await elsewhere()) === 200) {
      assert.isBelow(performance.now() - revokedAt, 1_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
})

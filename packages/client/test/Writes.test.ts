/** What writes answer when asked, and dry runs, with Effects and with Promises. */

import { FlowName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Client from "../src/Client.js"
import { attestry } from "../src/PromiseClient.js"
import * as Writes from "../src/Writes.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const payload = { name: FlowName.make("shop"), description: "" }

const promises = async (validate: boolean) => {
  const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
  const apiKey = Redacted.value(adminKey)
  return attestry({ baseUrl: BASE_URL, apiKey, org: "acme", fetch, validate })
}

describe("Writes", () => {
  it.effect("answer what they did, with Effects", () =>
    Effect.gen(function* () {
      const deployment = yield* TestDeployment.make
      const client = yield* Client.make({
        baseUrl: BASE_URL,
        apiKey: deployment.adminKey,
        org: "acme"
      }).pipe(Effect.provide(TestDeployment.layerFetch(deployment.fetch)))
      const rehearsed = yield* Writes.dryRun(Writes.withResult(client.flow.put({ payload })))
      assert.deepInclude(rehearsed, { type: "flow", outcome: "created", changed: true })
      assert.deepStrictEqual(yield* client.flow.list({}), [])
      assert.strictEqual(
        (yield* Writes.withResult(client.flow.put({ payload }))).outcome,
        "created"
      )
      const again = yield* Writes.withResult(client.flow.put({ payload }))
      assert.deepInclude(again, { name: "shop", outcome: "unchanged", changed: false })
      assert.strictEqual(yield* client.flow.put({ payload }), "OK")
      assert.propertyVal(yield* Writes.dryRun(client.flow.list({})), "length", 1)
    })
  )

  for (const validate of [false, true])
    it(`answer what they did, with Promises ${validate ? "and" : "without"} validation`, async () => {
      const client = await promises(validate)
      assert.strictEqual(await client.flow.put({ payload }, { dryRun: true }), "OK")
      assert.deepStrictEqual(await client.flow.list(), [])
      const { outcome, type } = await client.flow.put({ payload }, { returns: "representation" })
      assert.deepStrictEqual([type, outcome], ["flow", "created"])
      assert.strictEqual(await client.flow.put({ payload }, { returns: "minimal" }), "OK")
    })

  it("refuse a dry run of a read before it is sent", async () => {
    const client = await promises(false)
    const refused = await client.flow.list({}, { dryRun: true }).then(
      () => assert.fail("it was sent"),
      (error: unknown) => error
    )
    assert.propertyVal(refused, "reason", "Encode")
  })
})

/** Writes whose answer is lost on the way: carried out once, and answered as they were. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Client from "../src/Client.js"
import { KEYED_OPERATIONS } from "../src/internal/KeyedOperations.js"
import { attestry } from "../src/PromiseClient.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL } from "./shared/TestDeployment.js"

/** A deployment that loses some answers; records the keys that arrive, in order. */
const lossy = async () => {
  const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
  const keys: Array<string | null> = []
  let losing = 0
  const client = attestry({
    baseUrl: BASE_URL,
    apiKey: Redacted.value(adminKey),
    retry: { delayFirst: 1 },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      keys.push(request.headers.get("idempotency-key"))
      const answer = await fetch(request)
      if (losing-- > 0) throw new TypeError("fetch failed")
      return answer
    }
  })
  const lose = (count: number) => {
    losing = count
  }
  return { client, keys, lose }
}

const path = { org: "acme" }

describe("Idempotency", () => {
  it("gives a call that would not converge one key for all its attempts", async () => {
    const { client, keys, lose } = await lossy()
    lose(2)
    const made = await client.serviceAccount.create({
      path,
      payload: { name: "ci", privilege: "member" }
    })
    assert.strictEqual(made.name, "ci")
    assert.strictEqual(new Set(keys).size, 1)
    assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/)
    lose(1)
    assert.strictEqual(await client.serviceAccount.delete({ path: { ...path, name: "ci" } }), "OK")
    assert.strictEqual(new Set(keys).size, 2)
  })

  it("sends a key of the caller's choice, and none with what converges or reads", async () => {
    const { client, keys } = await lossy()
    const payload = { name: "shop", description: "" }
    await client.flow.put({ path, payload })
    await client.flow.put({ path, payload }, { idempotencyKey: "job-1" })
    const create = (idempotencyKey: string) =>
      client.serviceAccount.create(
        { path, payload: { name: "ci", privilege: "member" } },
        { idempotencyKey }
      )
    assert.deepStrictEqual(await create("job-1"), await create("job-1"))
    await client.flow.get({ path: { ...path, flow_name: "shop" } }, { idempotencyKey: "job-1" })
    assert.deepStrictEqual(keys, [null, "job-1", "job-1", "job-1", null])
    const refused = await create("two words").then(
      () => assert.fail("it was sent"),
      (error: unknown) => error
    )
    assert.propertyVal(refused, "reason", "Encode")
  })

  it("names operations that the contract has", async () => {
    const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
    const client = await Client.make({ baseUrl: BASE_URL, apiKey: adminKey }).pipe(
      Effect.provide(TestDeployment.layerFetch(fetch)),
      Effect.runPromise
    )
    for (const name of KEYED_OPERATIONS) {
      const [group = "", operation = ""] = name.split(".")
      assert.nestedProperty(client, `${group}.${operation}`)
    }
  })
})

/** Why a Promise has no answer of the API: no connection, no time, or a page of something on the way. */
import { assert, describe, it } from "@effect/vitest"
import { AttestryError, attestry, type PromiseClientOptions } from "../src/PromiseClient.js"
import * as StubFetch from "./shared/StubFetch.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const failing = async (
  script: ReadonlyArray<StubFetch.Scripted>,
  options: Partial<PromiseClientOptions> = {}
) => {
  const stub = StubFetch.make(script)
  const retry = { retriesMax: 2, delayFirst: 1 }
  const client = attestry({
    baseUrl: BASE_URL,
    apiKey: "secret",
    org: "acme",
    fetch: stub.fetch,
    retry,
    ...options
  })
  const error = await client.flow.get({ path: { flow_name: "shop" } }).then(
    () => assert.fail("it was answered"),
    (reason: unknown) => reason
  )
  assert.instanceOf(error, AttestryError)
  assert.strictEqual(error.operation, "flow.get")
  assert.notInclude(error.message, "secret")
  return { error, attempts: stub.requests.length }
}

describe("a Promise that is rejected", () => {
  it("gives the innermost reason for having no connection, after every attempt", async () => {
    const refused = Object.assign(new Error(""), { code: "ECONNREFUSED" })
    const { error, attempts } = await failing([new TypeError("fetch failed", { cause: refused })])
    assert.deepInclude(error, { _tag: "ClientError", reason: "Connection", status: undefined })
    assert.strictEqual(error.message, "`flow.get` failed: no connection: ECONNREFUSED")
    assert.strictEqual(attempts, 3)
  })

  it("says how long each attempt waited", async () => {
    const { error, attempts } = await failing(["never"], { timeout: "5 millis" })
    assert.deepInclude(error, { reason: "Timeout", status: undefined })
    assert.strictEqual(error.message, "`flow.get` failed: no answer within 5ms")
    assert.strictEqual(attempts, 3)
  })

  it("keeps the status and the words of what the contract lacks, and repeats it not", async () => {
    const page = new Response("<html>", { status: 502, headers: { "x-request-id": "r1" } })
    const proxy = await failing([page])
    assert.deepInclude(proxy.error, { reason: "Status", status: 502 })
    assert.include(proxy.error.message, "unexpected status 502 (request r1)")
    assert.strictEqual(proxy.attempts, 1)
    const damaged = await failing([StubFetch.json(500, { message: "it is damaged" })])
    assert.include(damaged.error.message, "unexpected status 500: it is damaged")
    const text = await failing([new Response("hello", { status: 200 })])
    assert.deepInclude(text.error, { reason: "Decode", status: 200 })
  })

  it("waits as long as the server asks, but not longer than its limit", async () => {
    const busy = StubFetch.json(429, { message: "slowly" }, { "retry-after": "3600" })
    const { error, attempts } = await failing([busy])
    assert.deepInclude(error, { _tag: "TooManyRequests", status: 429, message: "slowly" })
    assert.strictEqual(attempts, 1)
  })

  it("was not sent with a key, an address or a name that cannot be sent", async () => {
    for (const options of [
      { apiKey: " " },
      { apiKey: "a\nb" },
      { baseUrl: "nowhere" },
      { org: ".." }
    ]) {
      const { error, attempts } = await failing([StubFetch.json(200, "OK")], options)
      assert.deepInclude(error, { _tag: "ClientError", reason: "Encode" })
      assert.strictEqual(attempts, 0)
    }
  })
})

/** The Promise face: plain strings in, answers out, real errors where there are none. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { AttestryError, attestry, type PromiseClientOptions } from "../src/PromiseClient.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const connect = async () => {
  const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
  return attestry({
    baseUrl: new URL(BASE_URL),
    apiKey: Redacted.value(adminKey),
    fetch,
    validate: true
  })
}

const scripted = (
  script: ReadonlyArray<StubFetch.Scripted>,
  options: Partial<PromiseClientOptions> = {}
) => {
  const stub = StubFetch.make(script)
  const client = attestry({
    baseUrl: BASE_URL,
    apiKey: "key",
    validate: true,
    fetch: stub.fetch,
    ...options
  })
  return { client, requests: stub.requests }
}

const rejectionOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("it was answered"),
    (reason: unknown) => reason
  )

const path = { org: "acme", flow_name: "shop" }

describe("PromiseClient", () => {
  it("carries a release from flow to snapshot with plain values", async () => {
    const client = await connect()
    const fingerprint = "a".repeat(64)
    const production = { org: "acme", env_name: "production" }
    await client.flow.put({
      path: { org: "acme" },
      payload: { name: "shop", description: "the shop", template: ["artifact"] }
    })
    await client.trail.begin({ path, payload: { name: "build-1" } })
    await client.artifact.report({
      path,
      payload: {
        fingerprint,
        filename: "shop:1.0",
        build_url: "https://ci.example.com/1",
        commit_url: "https://git.example.com/1",
        trail_name: "build-1",
        template_reference_name: "artifact"
      }
    })
    await client.environment.put({
      path: { org: "acme" },
      payload: { name: "production", type: "docker" }
    })
    const answer = await client.report.docker({
      path: production,
      payload: { artifacts: [{ digests: { "shop:1.0": fingerprint }, creationTimestamp: 1 }] }
    })
    const snapshot = await client.snapshot.get({
      path: { ...production, snapshot_expression: "~0" }
    })
    assert.strictEqual(answer satisfies "OK", "OK")
    assert.strictEqual(snapshot.index, 1)
    assert.deepStrictEqual(
      snapshot.artifacts.map((artifact): string => artifact.fingerprint),
      [fingerprint]
    )
  })

  it("rejects with the API's refusal as an error", async () => {
    const client = await connect()
    const missing = await rejectionOf(client.flow.get({ path }))
    assert.instanceOf(missing, AttestryError)
    assert.instanceOf(missing, Error)
    assert.deepInclude(missing, { name: "NotFound", _tag: "NotFound", status: 404, errors: null })
    assert.strictEqual(missing.message, "Flow named 'shop' does not exist for organization 'acme'")
    assert.deepStrictEqual(missing.cause, { message: missing.message })
    const invalid = await rejectionOf(
      client.flow.putWithTemplate({
        path: { org: "acme" },
        payload: { name: "shop", template_file: "trail: 7" }
      })
    )
    assert.instanceOf(invalid, AttestryError)
    assert.deepInclude(invalid, { _tag: "BadRequest", status: 400 })
    assert.notStrictEqual(Object.keys(invalid.errors ?? {}).length, 0)
  })

  it("rejects before sending what the contract does not allow", async () => {
    const { client, requests } = scripted([StubFetch.json(200, "OK")])
    const error = await rejectionOf(client.flow.get({ path: { ...path, flow_name: "../secrets" } }))
    assert.deepInclude(error, {
      name: "ClientError",
      reason: "Encode",
      status: undefined,
      errors: {
        flow_name:
          "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: ../secrets]"
      }
    })
    assert.strictEqual(requests.length, 0)
  })

  it("refuses by type what the contract lacks", async () => {
    const { client, requests } = scripted([StubFetch.json(200, "OK")])
    const at = { org: "acme" }
    // @ts-expect-error there is no such operation
    assert.isUndefined(client.flow.drop)
    // @ts-expect-error a flow needs a description
    await rejectionOf(client.flow.put({ path: at, payload: { name: "shop" } }))
    // @ts-expect-error a kind is one of eight words
    await rejectionOf(client.environment.put({ path: at, payload: { name: "p", type: "vm" } }))
    assert.strictEqual(requests.length, 0)
  })

  it("repeats what may pass, and says with which status it gave up", async () => {
    const busy = StubFetch.json(503, { message: "later" })
    const retry = { retriesMax: 1, delayFirst: 1 }
    const flow = { path: { org: "acme" }, payload: { name: "shop", description: "" } }
    const passing = scripted([busy, StubFetch.json(201, "OK")], { retry })
    assert.strictEqual(await passing.client.flow.put(flow), "OK")
    const lasting = scripted([busy], { retry })
    assert.deepInclude(await rejectionOf(lasting.client.flow.put(flow)), {
      _tag: "Unavailable",
      status: 503
    })
    assert.strictEqual(lasting.requests.length, 2)
  })

  it("gives a call up when its signal says so, also while it waits", async () => {
    const reason = new Error("enough")
    for (const script of [["never"], [StubFetch.json(503, { message: "later" })]] as const) {
      const { client, requests } = scripted(script)
      const controller = new AbortController()
      const call = rejectionOf(client.flow.get({ path }, { signal: controller.signal }))
      while (requests.length === 0) await new Promise((resume) => setImmediate(resume))
      controller.abort(reason)
      assert.strictEqual(await call, reason)
      assert.strictEqual(requests.length, 1)
    }
  })

  it("sends nothing for a signal that was given up before", async () => {
    const { client, requests } = scripted([StubFetch.json(200, "OK")])
    const signal = AbortSignal.abort(new Error("never mind"))
    const error = await rejectionOf(client.flow.get({ path }, { signal }))
    assert.strictEqual(error, signal.reason)
    assert.strictEqual(requests.length, 0)
  })
})

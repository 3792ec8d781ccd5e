/** What both faces spare their callers: the org, the prefix of the address, and units of time. */
import { FlowName, OrgName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import type { FlowGet as EffectFlow } from "../src/Answers.js"
import * as Client from "../src/Client.js"
import type { FlowGet } from "../src/PromiseAnswers.js"
import { AttestryError, attestry } from "../src/PromiseClient.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const trailPath = { flow_name: "shop", trail_name: "t1" }

const promised = (validate: boolean) =>
  Effect.runPromise(TestDeployment.make).then(({ adminKey, fetch }) =>
    attestry({
      baseUrl: `${BASE_URL}/api/v2/`,
      apiKey: Redacted.value(adminKey),
      org: "acme",
      fetch,
      validate
    })
  )

describe("the Promise client", () => {
  it("uses its org, an address with the prefix, and dates", async () => {
    for (const validate of [false, true]) {
      const client = await promised(validate)
      const before = Date.now()
      await client.flow.put({ payload: { name: "shop", description: "" } })
      await client.trail.begin({ path: { flow_name: "shop" }, payload: { name: "t1" } })
      const flow: FlowGet = await client.flow.get({ path: { flow_name: "shop" } })
      assert.isNull(flow.last_deployment_at)
      const trail = await client.trail.get({ path: trailPath })
      assert.instanceOf(trail.created_at, Date)
      assert.isAtLeast(trail.created_at.getTime(), before - 1)
      assert.isAtMost(trail.created_at.getTime(), Date.now() + 1)
      assert.instanceOf(trail.compliance_status.evaluated_at, Date)
      const { data } = await client.trail.list()
      assert.deepStrictEqual(
        data.map(({ created_at }) => created_at),
        [trail.created_at]
      )
    }
  })

  it("sends dates as the operation reads them", async () => {
    const stub = StubFetch.make([StubFetch.json(200, { data: [] })])
    const client = attestry({ baseUrl: BASE_URL, apiKey: "k", org: "acme", fetch: stub.fetch })
    const at = new Date("2026-01-02T03:04:05.500Z")
    await client.attestation.list({ urlParams: { from_timestamp: at, type: ["junit", "snyk"] } })
    await client.deployment.listByEnvironment({
      path: { env_name: "prod" },
      urlParams: { from: at }
    })
    assert.deepStrictEqual(
      stub.requests.map(({ url }) => new URL(url).search),
      ["?from_timestamp=1767323045.5&type=junit&type=snyk", "?from=2026-01-02T03%3A04%3A05.500Z"]
    )
  })

  it("says which parameter is missing where it has no org", async () => {
    const stub = StubFetch.make([StubFetch.json(200, "OK")])
    const client = attestry({ baseUrl: BASE_URL, apiKey: "k", fetch: stub.fetch })
    const error = await client.flow.list().then(
      () => assert.fail("it was answered"),
      (reason: unknown) => reason
    )
    assert.instanceOf(error, AttestryError)
    assert.deepInclude(error, { reason: "Encode", errors: { org: "Field required" } })
    assert.lengthOf(stub.requests, 0)
  })

  it("checks answers only where it is asked to", async () => {
    const fetch = StubFetch.make([StubFetch.json(200, { name: 7 })]).fetch
    const call = (validate: boolean) =>
      attestry({ baseUrl: BASE_URL, apiKey: "k", org: "acme", fetch, validate }).flow.get({
        path: { flow_name: "shop" }
      })
    assert.deepStrictEqual<unknown>(await call(false), { name: 7 })
    const error = await call(true).then(
      () => assert.fail("it was answered"),
      (reason: unknown) => reason
    )
    assert.deepInclude(error, { _tag: "ClientError", reason: "Decode", status: 200 })
  })
})

describe("the client of Effects", () => {
  it("uses its org, an address with the prefix, and `DateTime.Utc`", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const client = yield* Client.make({
        baseUrl: new URL(`${BASE_URL}/api/v2`),
        apiKey: adminKey,
        org: "acme"
      }).pipe(Effect.provide(TestDeployment.layerFetch(fetch)))
      const flow_name = FlowName.make("shop")
      yield* client.flow.put({ payload: { name: flow_name, description: "" } })
      const flow: EffectFlow = yield* client.flow.get({ path: { flow_name } })
      assert.isNull(flow.last_deployment_at)
      const named = yield* client.flow.get({ path: { org: OrgName.make("acme"), flow_name } })
      assert.deepStrictEqual(named, flow)
      const found = yield* client.org.get({})
      assert.isTrue(DateTime.isUtc(found.created_at))
    }).pipe(Effect.runPromise))
})

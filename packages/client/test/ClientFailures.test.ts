/** What a call fails with: the classes of the wire where the API refused, `ClientError` where it did not. */
import * as HttpError from "@attestry/api/HttpError"
import { EnvironmentName, FlowName, OrgName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Client from "../src/Client.js"
import { ClientError } from "../src/ClientError.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL, org } from "./shared/TestDeployment.js"

const flow_name = FlowName.make("shop")
const env_name = EnvironmentName.make("prod")
const KEY = Redacted.make("attestry_user_secret")

const clientOf = (
  fetch: typeof globalThis.fetch,
  apiKey = KEY,
  options: Partial<Client.ClientOptions> = {}
) =>
  Client.make({ baseUrl: BASE_URL, apiKey, retry: { retriesMax: 0 }, ...options }).pipe(
    Effect.provide(TestDeployment.layerFetch(fetch))
  )

/** What getting a flow fails with when the script answers. */
const failureOf = (...script: ReadonlyArray<StubFetch.Scripted>) =>
  Effect.gen(function* () {
    const client = yield* clientOf(StubFetch.make(script).fetch)
    return yield* Effect.flip(client.flow.get({ path: { org, flow_name } }))
  })

describe("a refusal of the API", () => {
  it.effect("is BadRequest with a text for each field", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const client = yield* clientOf(fetch, adminKey)
      const error = yield* client.flow
        .putWithTemplate({
          path: { org },
          payload: { name: flow_name, template_file: "version: 2\n" }
        })
        .pipe(Effect.flip)
      assert.instanceOf(error, HttpError.BadRequest)
      assert.notStrictEqual(Object.keys(error.errors ?? {}).length, 0)
    })
  )

  it.effect("is Unauthorized for a key that nobody has", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestDeployment.make
      const client = yield* clientOf(fetch)
      const error = yield* Effect.flip(client.flow.get({ path: { org, flow_name } }))
      assert.instanceOf(error, HttpError.Unauthorized)
    })
  )

  it.effect("is Forbidden in another org, and for a role that may not", () =>
    Effect.gen(function* () {
      const { readerKey, fetch } = yield* TestDeployment.make
      const client = yield* clientOf(fetch, readerKey)
      const elsewhere = yield* client.flow
        .get({ path: { org: OrgName.make("other"), flow_name } })
        .pipe(Effect.flip)
      const write = yield* client.flow
        .put({ path: { org }, payload: { name: flow_name, description: "" } })
        .pipe(Effect.flip)
      assert.instanceOf(elsewhere, HttpError.Forbidden)
      assert.instanceOf(write, HttpError.Forbidden)
      assert.strictEqual(write.message, elsewhere.message)
    })
  )

  it.effect("is NotFound with the API's own words", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const client = yield* clientOf(fetch, adminKey)
      const flow = yield* Effect.flip(client.flow.get({ path: { org, flow_name } }))
      yield* client.environment.put({ path: { org }, payload: { name: env_name, type: "docker" } })
      const snapshot = yield* client.snapshot
        .get({ path: { org, env_name, snapshot_expression: "~1" } })
        .pipe(Effect.flip)
      assert.deepStrictEqual(
        flow,
        new HttpError.NotFound({
          message: "Flow named 'shop' does not exist for organization 'acme'"
        })
      )
      assert.instanceOf(snapshot, HttpError.NotFound)
      assert.include(snapshot.message, "'prod#~1' resolves to")
    })
  )
})

describe("ClientError", () => {
  it.effect("names the fields of a request that does not fit, which is not sent", () =>
    Effect.gen(function* () {
      const stub = StubFetch.make([StubFetch.json(200, "OK")])
      const client = yield* clientOf(stub.fetch)
      // WHY: what a caller without types could pass.
      const name = "-shop" as FlowName
      const error = yield* client.flow
        .put({ path: { org }, payload: { name, description: "" } })
        .pipe(Effect.flip)
      assert.instanceOf(error, ClientError)
      assert.strictEqual(error.reason, "Encode")
      assert.deepStrictEqual(error.errors, {
        name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: -shop]"
      })
      assert.include(
        error.message,
        "`flow.put` failed: the request does not fit the contract: name"
      )
      assert.strictEqual(stub.requests.length, 0)
    })
  )

  it.effect("says that a body is something else, and nothing of what it is", () =>
    Effect.gen(function* () {
      const error = yield* failureOf(StubFetch.json(200, { id: "hidden", name: 7 }))
      assert.instanceOf(error, ClientError)
      assert.strictEqual(error.reason, "Decode")
      assert.strictEqual(
        error.message,
        "`flow.get` failed: the answer does not fit the contract at name"
      )
      const page = yield* failureOf(new Response("<html>Sign in</html>", { status: 200 }))
      assert.deepInclude(page, { _tag: "ClientError", reason: "Decode", errors: null })
      assert.notInclude(page.message, "Sign in")
    })
  )

  it.effect("keeps the status and the words of an answer that the contract lacks", () =>
    Effect.gen(function* () {
      const error = yield* failureOf(
        StubFetch.json(500, { message: "Internal Server Error" }, { "x-request-id": "r-1" })
      )
      assert.deepInclude(error, { _tag: "ClientError", reason: "Status", status: 500 })
      assert.strictEqual(
        error.message,
        "`flow.get` failed: unexpected status 500: Internal Server Error (request r-1)"
      )
    })
  )

  it.effect("keeps the status of a page that something else on the way answered with", () =>
    Effect.gen(function* () {
      for (const status of [401, 403, 404, 429, 502, 503]) {
        const error = yield* failureOf(new Response("<html>", { status }))
        assert.deepInclude(error, { _tag: "ClientError", reason: "Status", status })
      }
    })
  )

  it.effect("gives the innermost reason for having no connection", () =>
    Effect.gen(function* () {
      const refused = new TypeError("fetch failed", {
        cause: Object.assign(new Error(""), { code: "ECONNREFUSED" })
      })
      const error = yield* failureOf(refused)
      assert.deepInclude(error, { _tag: "ClientError", reason: "Connection", status: null })
      assert.strictEqual(error.message, "`flow.get` failed: no connection: ECONNREFUSED")
    })
  )

  it.effect("never shows a key that no header can carry", () =>
    Effect.gen(function* () {
      const stub = StubFetch.make([StubFetch.json(200, "OK")])
      for (const key of ["secret\nkey", "schlüssel", " "]) {
        const client = yield* clientOf(stub.fetch, Redacted.make(key))
        const error = yield* Effect.flip(client.flow.get({ path: { org, flow_name } }))
        assert.deepInclude(error, { _tag: "ClientError", reason: "Encode" })
        assert.notInclude(JSON.stringify(error), "secret")
      }
      assert.strictEqual(stub.requests.length, 0)
    })
  )

  it.effect("says so when the address is none", () =>
    Effect.gen(function* () {
      const client = yield* clientOf(StubFetch.make([]).fetch, KEY, { baseUrl: "not an address" })
      const error = yield* Effect.flip(client.flow.get({ path: { org, flow_name } }))
      assert.deepInclude(error, { _tag: "ClientError", reason: "Encode" })
    })
  )
})

/** Operations are derived when they are first called, once, and each is that of the contract. */
import { OPERATIONS } from "@attestry/api/OperationIndex"
import * as Client from "@attestry/client/Client"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import * as SendableApi from "../src/internal/SendableApi.js"

const stub = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make((request) =>
    Effect.succeed(HttpClientResponse.fromWeb(request, new Response("{}", { status: 404 })))
  )
)

const made = () =>
  Effect.runSync(
    Client.make({ baseUrl: "https://a.example.com", apiKey: Redacted.make("key") }).pipe(
      Effect.provide(stub)
    )
  )

describe("the operations of a client", () => {
  it("are those of the contract, by group and name", () => {
    const names = Object.entries(made()).flatMap(([group, calls]) =>
      Object.keys(calls).map((operation) => `${group}.${operation}`)
    )
    assert.deepStrictEqual(names, Object.keys(OPERATIONS))
  })

  it("have a contract of one operation each, which is made once", () => {
    for (const name of Object.keys(OPERATIONS)) {
      const [group = "", operation = ""] = name.split(".")
      const only = SendableApi.only(group, operation)
      assert.deepStrictEqual(Object.keys(only.groups), [group])
      assert.strictEqual(SendableApi.only(group, operation), only)
    }
  })

  it("can be called at the same time, and again", async () => {
    const client = made()
    const call = client.org.get({ path: { org: "acme" } } as never).pipe(Effect.flip)
    const twice = await Effect.runPromise(Effect.all([call, call], { concurrency: 2 }))
    const again = await Effect.runPromise(call)
    assert.deepStrictEqual(
      [...twice, again].map(({ _tag }) => _tag),
      Array.from({ length: 3 }, () => again._tag)
    )
  })
})

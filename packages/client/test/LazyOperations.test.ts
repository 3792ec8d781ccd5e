/** Operations are derived when they are first called, once, and each is that of the contract. */
import * as Client from "@attestry/client/Client"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { OPERATIONS } from "../src/internal/OperationTable.js"
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
    const namesOf = (table: object) =>
      Object.entries(table).map(([group, calls]) => [group, Object.keys(calls)])
    assert.deepStrictEqual(namesOf(made()), namesOf(OPERATIONS))
  })

  it("have a contract of one operation each, which is made once", () => {
    for (const [group, calls] of Object.entries(OPERATIONS))
      for (const operation of Object.keys(calls)) {
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

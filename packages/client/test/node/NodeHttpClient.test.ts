/** The client on `node:http`: real requests to a server of this process, and what it does not do. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Client from "@attestry/client/Client"
import * as NodeFetch from "@attestry/client/node/NodeFetch"
import * as NodeHttpClient from "@attestry/client/node/NodeHttpClient"
import { AttestryError, attestry } from "@attestry/client/PromiseClient"
import { Cause, Effect, Exit, Fiber, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const ENVIRONMENT = { env: {}, certificates: undefined }

interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString("utf8")
}

const answer = (url: string, response: ServerResponse): void => {
  if (url.includes("/slow")) return
  const isMoved = url.includes("/moved")
  response.writeHead(isMoved ? 302 : 200, {
    "content-type": "application/json",
    ...(isMoved ? { location: "http://127.0.0.1:1/" } : {})
  })
  response.end(JSON.stringify({ name: "ok", status: 200 }))
}

describe("the client on node:http", () => {
  const asked: Array<Asked> = []
  const place = { url: "" }
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request
    asked.push({ method, url, headers, body: await bodyOf(request) })
    answer(url, response)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    place.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  const make = () =>
    Client.make({
      baseUrl: place.url,
      apiKey: Redacted.make("key"),
      org: "acme",
      retry: { retriesMax: 0 }
    }).pipe(Effect.provide(NodeHttpClient.layer(ENVIRONMENT)))

  it("sends JSON and forms with their types, and reads answers by the contract", async () => {
    const exit = await Effect.runPromiseExit(
      Effect.flatMap(make(), (client) =>
        client.tag.change({
          path: { resource_type: "flow", resource_id: "shop" },
          payload: { set_tags: { a: "b" }, remove_tags: [] }
        } as never)
      )
    )
    const last = asked.at(-1)
    assert.strictEqual(last?.method, "PATCH")
    assert.strictEqual(last?.headers.authorization, "Bearer key")
    assert.match(String(last?.headers["content-type"]), /^application\/json/)
    assert.deepStrictEqual(JSON.parse(last?.body ?? ""), { set_tags: { a: "b" }, remove_tags: [] })
    // WHY a failure: no operation gives the fake server's answer, and the contract refuses it.
    assert.isTrue(Exit.isFailure(exit))
    const form = new FormData()
    form.set("data_json", new Blob(["{}"], { type: "application/json" }))
    await Effect.runPromiseExit(
      Effect.flatMap(make(), (client) =>
        client.attestation.generic({
          path: { flow_name: "shop", trail_name: "t" },
          payload: form
        } as never)
      )
    )
    assert.match(String(asked.at(-1)?.headers["content-type"]), /^multipart\/form-data; boundary=/)
    assert.include(asked.at(-1)?.body, 'name="data_json"')
  })

  it("follows no redirect", async () => {
    const exit = await Effect.runPromiseExit(
      Effect.flatMap(make(), (client) => client.flow.get({ path: { flow_name: "moved" } } as never))
    )
    assert.isTrue(Exit.isFailure(exit))
    assert.strictEqual(asked.at(-1)?.url, "/api/v2/flows/acme/moved")
  })

  it("ends a request whose fiber is interrupted", async () => {
    const exit = await Effect.runPromise(
      Effect.gen(function* () {
        const client = yield* make()
        const fiber = yield* Effect.fork(client.flow.get({ path: { flow_name: "slow" } } as never))
        yield* Effect.sleep("50 millis")
        return yield* Fiber.interrupt(fiber)
      })
    )
    assert.isTrue(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause))
  })

  it("is also a fetch of the Promise client", async () => {
    const client = attestry({
      baseUrl: place.url,
      apiKey: "key",
      org: "acme",
      fetch: NodeFetch.make(ENVIRONMENT)
    })
    const flow = await client.flow.get({ path: { flow_name: "shop" } })
    assert.strictEqual(flow.name, "ok")
  })

  it("tells why there is no connection", async () => {
    const client = attestry({
      baseUrl: "http://127.0.0.1:1",
      apiKey: "key",
      org: "acme",
      retry: { retriesMax: 0 },
      fetch: NodeFetch.make(ENVIRONMENT)
    })
    const error = await client.flow
      .get({ path: { flow_name: "shop" } })
      .catch((thrown: unknown) => thrown)
    assert.instanceOf(error, AttestryError)
    assert.include(String(error), "ECONNREFUSED")
  })
})

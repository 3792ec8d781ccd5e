/** What leaves a client: addresses that mean what was asked, and nothing that the contract does not have. */
import { FlowName, TrailName } from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as FastCheck from "effect/FastCheck"
import * as Client from "../src/Client.js"
import { ClientError } from "../src/ClientError.js"
import { attestry } from "../src/PromiseClient.js"
import * as StubFetch from "./shared/StubFetch.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL, org } from "./shared/TestDeployment.js"

const path = { org, flow_name: FlowName.make("shop"), trail_name: TrailName.make("t1") }

const connect = (stub: StubFetch.StubFetch) =>
  Client.make({ baseUrl: BASE_URL, apiKey: Redacted.make("key"), retry: { retriesMax: 0 } }).pipe(
    Effect.provide(TestDeployment.layerFetch(stub.fetch))
  )

describe("a path parameter", () => {
  it("arrives as it was given, whatever is in it", async () => {
    const stub = StubFetch.make([StubFetch.json(200, [])])
    const client = await Effect.runPromise(connect(stub))
    const name = FastCheck.oneof(
      FastCheck.constantFrom("a/b", "a?b", "#42", "%2F", "a b", "é", "…/..", "a;b=c", "\\"),
      FastCheck.string({ minLength: 1, maxLength: 12, unit: "grapheme" })
    ).filter((text) => text !== "." && text !== "..")
    await FastCheck.assert(
      FastCheck.asyncProperty(name, async (attestation_name) => {
        await Effect.runPromise(
          client.attestation.listOnTrail({ path: { ...path, attestation_name } })
        )
        const { pathname, search, hash } = new URL(stub.requests.at(-1)?.url ?? "")
        const segments = pathname.split("/").map(decodeURIComponent)
        assert.deepStrictEqual(segments.slice(-1), [attestation_name])
        assert.strictEqual(segments.length, 9)
        assert.deepStrictEqual([search, hash], ["", ""])
      }),
      { numRuns: 50 }
    )
  })

  it.effect("that no path can carry is refused before anything is sent", () =>
    Effect.gen(function* () {
      const stub = StubFetch.make([StubFetch.json(200, [])])
      const client = yield* connect(stub)
      for (const attestation_name of ["", ".", ".."]) {
        const call = client.attestation.listOnTrail({ path: { ...path, attestation_name } })
        const error = yield* Effect.flip(call)
        assert.instanceOf(error, ClientError)
        assert.strictEqual(error.reason, "Encode")
        assert.property(error.errors, "attestation_name")
      }
      assert.lengthOf(stub.requests, 0)
    })
  )

  it("finds a repository by a name with slashes", async () => {
    const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
    const client = attestry({ baseUrl: BASE_URL, apiKey: adminKey, fetch })
    await client.trail.begin({
      path: { org: "acme", flow_name: "shop" },
      payload: {
        name: "t1",
        description: "",
        repo_info: { name: "example/shop", url: "https://git.example.com/example/shop", id: "1" }
      }
    })
    const repo = await client.repo.get({
      path: { org: "acme", repo_name: "example/shop" }
    })
    assert.strictEqual(repo.name, "example/shop")
  })
})

describe("a request", () => {
  it.effect("with a field that the contract lacks is refused, with every such field named", () =>
    Effect.gen(function* () {
      const stub = StubFetch.make([StubFetch.json(200, "OK")])
      const client = yield* connect(stub)
      const payload = { name: path.flow_name, description: "", visiblity: "public", x: 1 }
      const error = yield* Effect.flip(client.flow.put({ path: { org }, payload }))
      assert.instanceOf(error, ClientError)
      assert.strictEqual(error.reason, "Encode")
      assert.hasAllKeys(error.errors, ["visiblity", "x"])
      assert.lengthOf(stub.requests, 0)
    })
  )
})

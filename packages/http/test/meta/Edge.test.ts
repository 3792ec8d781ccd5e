/** Rules of every operation: credentials, access, limits, hostile bodies, unknown paths. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const body = { name: "edge", description: "" }

onEveryStore("the edge", ({ call, keyOf }) => {
  const put = (options: object) => call("PUT /flows/{org}", { body, ...options })

  it("gives the same 401 for every invalid credential", async () => {
    const admin = keyOf("admin")
    const flipped = admin.replace(/.$/, (last) => (last === "a" ? "b" : "a"))
    const headers: ReadonlyArray<string> = [
      "",
      "Bearer",
      "Bearer ",
      `Bearerx ${admin}`,
      `Token ${admin}`,
      `Basic ${btoa(`${admin}:x`)}`,
      `Bearer ${flipped}`,
      `Bearer ${admin} x`,
      `Bearer ${admin}, Bearer ${admin}`,
      admin
    ]
    const answers = await Promise.all([
      put({ as: "nobody" }),
      ...headers.map((authorization) => put({ as: "nobody", headers: { authorization } }))
    ])
    for (const answer of answers) {
      assert.strictEqual(answer.status, 401)
      assert.deepStrictEqual(answer.body, answers[0]?.body)
      assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
    }
    const lower = await put({ as: "nobody", headers: { authorization: `bEARER ${admin}` } })
    assert.isBelow(lower.status, 300)
  })

  it("gives the same 403 for a foreign org and for an unknown one", async () => {
    const foreign = await put({ as: "foreigner" })
    const nowhere = await put({ path: { org: "no-such-org" } })
    const impossible = await put({ path: { org: "-" } })
    for (const answer of [foreign, nowhere, impossible]) {
      assert.strictEqual(answer.status, 403)
      assert.deepStrictEqual(answer.body, {
        message: "You don't have permission to access this resource"
      })
    }
  })

  it("checks the caller before the body", async () => {
    const broken = { raw: "{", headers: { "content-type": "application/json" } }
    assert.strictEqual((await call("PUT /flows/{org}", { ...broken, as: "nobody" })).status, 401)
    assert.strictEqual((await call("PUT /flows/{org}", { ...broken, as: "reader" })).status, 403)
    assert.strictEqual((await call("PUT /flows/{org}", broken)).status, 400)
  })

  it("refuses NUL in every part of a path, with its name", async () => {
    const nul = async (path: string, name: string, more = {}) => {
      const { status, body } = await call(path, more)
      assert.deepStrictEqual(
        [status, (body as { errors?: object }).errors],
        [400, { [name]: "String should not contain NUL [input: …]" }]
      )
    }
    await nul("GET /repos/{org}/team%2Fshop%00", "repo_name")
    await nul("GET /search/{org}/sha/%00", "value")
    await nul("GET /deployments/{org}/1%00", "deployment_id")
    await nul("GET /flows/{org}/a%00b", "flow_name")
    await nul("GET /attestations/{org}/edge/trail/t/a%00", "attestation_name")
    await nul("PATCH /tags/{org}/repo/%00", "resource_id", { body: { set_tags: { a: "b" } } })
  })

  it("is 404 in JSON for unknown paths, and 405 with the allowed methods", async () => {
    const unknown = await call("GET /nowhere")
    assert.deepStrictEqual([unknown.status, unknown.body], [404, { message: "Not Found" }])
    const wrong = await call("DELETE /flows/{org}")
    assert.strictEqual(wrong.status, 405)
    assert.strictEqual(wrong.headers.get("allow"), "GET, HEAD, PUT")
    assert.hasAllKeys(wrong.body, ["message"])
    assert.strictEqual((await call("GET /flows/%zz/x")).status, 400)
  })

  it("gives every response a request id, and repeats one of the client", async () => {
    assert.match((await call("GET /nowhere")).headers.get("x-request-id") ?? "", /^[0-9a-f-]{32}$/)
    const sent = await call("GET /nowhere", { headers: { "x-request-id": "my-id.1" } })
    assert.strictEqual(sent.headers.get("x-request-id"), "my-id.1")
    const refused = await call("GET /nowhere", { headers: { "x-request-id": "x".repeat(65) } })
    assert.notStrictEqual(refused.headers.get("x-request-id"), "x".repeat(65))
  })

  it("is 413 over the size limit of a body, and accepts one just under it", async () => {
    const sized = (bytes: number) => {
      const head = '{"name":"sized","description":"'
      return `${head}${"d".repeat(bytes - head.length - 2)}"}`
    }
    const headers = { "content-type": "application/json" }
    assert.isBelow((await call("PUT /flows/{org}", { raw: sized(1_048_576), headers })).status, 300)
    const over = await call("PUT /flows/{org}", { raw: sized(1_048_577), headers })
    assert.strictEqual(over.status, 413)
    assert.hasAllKeys(over.body, ["message"])
    const form = (bytes: number) => {
      const data = new FormData()
      const head = '{"name":"parted","description":"'
      data.append("data_json", `${head}${"d".repeat(bytes - head.length - 2)}"}`)
      return data
    }
    const part = (bytes: number) => call("PUT /flows/{org}/template_file", { raw: form(bytes) })
    assert.isBelow((await part(409_600)).status, 300)
    assert.strictEqual((await part(409_601)).status, 413)
  })

  it("is 415 for unsupported encodings and types", async () => {
    const gzip = { "content-encoding": "gzip" }
    assert.strictEqual((await put({ headers: gzip })).status, 415)
    const text = await call("PUT /flows/{org}", {
      raw: "x",
      headers: { "content-type": "text/plain" }
    })
    assert.strictEqual(text.status, 415)
  })

  it("is 400 in the documented shape for every hostile body", async () => {
    const deep = `${'{"user_data":'.repeat(65)}1${"}".repeat(65)}`
    const bodies: ReadonlyArray<string | Uint8Array> = [
      "",
      "{",
      "null",
      "[]",
      "7",
      '"text"',
      deep,
      "[".repeat(100_000),
      '{"name":"a\\u0000b","description":""}',
      '{"name":"x","description":"\\ud800"}',
      '{"name":"x","description":"a","user_data":{"n":1e999}}',
      '{"name":1e999,"description":""}',
      new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])
    ]
    for (const raw of bodies) {
      const { status, body: answer } = await call("PUT /trails/{org}/{flow_name}", {
        path: { flow_name: "hostile" },
        raw: typeof raw === "string" ? raw : new Blob([new Uint8Array(raw)]),
        headers: { "content-type": "application/json" }
      })
      assert.strictEqual(status, 400, String(raw).slice(0, 40))
      assert.hasAllKeys(answer, ["message", "errors"])
    }
  })
})

onEveryStore("open paths", ({ call }) => {
  it("serves probes, metrics, the document and the schemas without a key", async () => {
    const open = [
      "/openapi.json",
      "/schemas/flow-template/v1",
      "/schemas/environment-policy/v1",
      "/schemas/policy-tests/v1",
      "/schemas/trust-policy/v1"
    ]
    for (const path of open) {
      const { status, headers } = await call(`GET ${path}`, { as: "nobody" })
      assert.strictEqual(status, 200, path)
      assert.strictEqual(headers.get("content-type"), "application/json")
    }
    const document = (await call("GET /openapi.json", { as: "nobody" })).body as {
      openapi: string
      info: { version: string }
    }
    assert.strictEqual(document.openapi, "3.1.0")
    assert.strictEqual(document.info.version, "2.0")
    assert.strictEqual((await call("POST /openapi.json")).status, 405)
  })
})

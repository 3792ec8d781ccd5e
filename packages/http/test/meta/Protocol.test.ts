/** HTTP rules of every operation: types of bodies, HEAD beside GET, responses that caches must not store. */
import { Api } from "@attestry/api/Api"
import { assert, describe, it } from "vitest"
import * as MediaType from "../../src/shared/internal/MediaType.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { onEveryStore } from "../shared/TestServer.js"

describe("MediaType", () => {
  it("reads the name and the charset, in any case, with and without quotes", () => {
    assert.deepStrictEqual(MediaType.parse('Application/JSON ; Charset="UTF-8"; x=1'), {
      name: "application/json",
      charset: "utf-8"
    })
    assert.deepStrictEqual(MediaType.parse("multipart/form-data; boundary=charset"), {
      name: "multipart/form-data",
      charset: undefined
    })
    assert.deepStrictEqual(MediaType.parse(""), { name: "", charset: undefined })
  })
})

onEveryStore("HTTP", ({ call, org }) => {
  const raw = JSON.stringify({ name: "typed", description: "" })
  const put = (type: string) => call("PUT /flows/{org}", { raw, headers: { "content-type": type } })

  it("reads JSON in UTF-8 under every spelling of its type", async () => {
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
      "application/json ; charset=us-ascii"
    ])
      assert.isBelow((await put(type)).status, 300, type)
  })

  it("is 415 for other encodings and for types with other semantics of JSON", async () => {
    const answers: ReadonlyArray<readonly [type: string, message: string]> = [
      ["application/json; charset=utf-16", "charset `utf-16` is not read: send the body in UTF-8"],
      [
        'application/json; charset="ISO-8859-1"',
        "charset `iso-8859-1` is not read: send the body in UTF-8"
      ],
      [
        "application/merge-patch+json",
        "Content-Type `application/merge-patch+json` is not read here: send application/json"
      ],
      [
        "application/json-seq",
        "Content-Type `application/json-seq` is not read here: send application/json"
      ],
      ["text/json", "Content-Type `text/json` is not read here: send application/json"]
    ]
    for (const [type, message] of answers) {
      const { status, body } = await put(type)
      assert.deepStrictEqual([status, body], [415, { message }], type)
    }
  })

  it("reads a body without a type as JSON, and leaves out a byte order mark at its beginning", async () => {
    // WHY bytes: the platform gives a text without a type one of its own.
    const bytes = (text: string) => new TextEncoder().encode(text)
    await call("PUT /environments/{org}", { body: { name: "marked", type: "docker" } })
    const report = (text: string, headers = {}) =>
      call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "marked" },
        raw: bytes(text),
        headers
      })
    const typed = { "content-type": "application/json" }
    const form = (text: string) => {
      const data = new FormData()
      data.set("data_json", new Blob([text]))
      return call("PUT /flows/{org}/template_file", { raw: data })
    }
    const statuses = async (mark: string) => [
      (await call("PUT /flows/{org}", { raw: bytes(mark + raw) })).status,
      (await call("PUT /flows/{org}", { raw: bytes(mark + raw), headers: typed })).status,
      (await report(`${mark}{"artifacts":[],"type":"docker"}`)).status,
      (await report(`${mark}{"artifacts":[],"type":"docker"}`, typed)).status,
      (await form(mark + raw)).status
    ]
    const unmarked = await statuses("")
    assert.isTrue(
      unmarked.every((status) => status < 300),
      String(unmarked)
    )
    assert.deepStrictEqual(
      await statuses("\ufeff"),
      unmarked.map((status) => (status === 201 ? 200 : status))
    )
    assert.deepStrictEqual(
      await statuses("\ufeff\ufeff"),
      unmarked.map(() => 400)
    )
  })

  it("is 415 for a report or a form in another encoding", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "docker" } })
    const report = await call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "prod" },
      raw: '{"artifacts":[]}',
      headers: { "content-type": "text/csv" }
    })
    assert.strictEqual(report.status, 415)
    const form = await call("PUT /flows/{org}/template_file", {
      raw: "--x--\r\n",
      headers: { "content-type": "multipart/form-data; boundary=x; charset=utf-16" }
    })
    assert.strictEqual(form.status, 415)
  })

  it("supports HEAD for every GET, with its status and headers and no body", async () => {
    const gets = RouteTable.routesOf(Api).filter(({ method }) => method === "GET")
    for (const { path } of gets) {
      const template = path.replace("/api/v2", "").replaceAll(/:([a-z_]+)/g, "{$1}")
      const got = await call(`GET ${template}`)
      const head = await call(`HEAD ${template}`, {})
      assert.strictEqual(head.status, got.status, template)
      assert.strictEqual(
        head.headers.get("content-type"),
        got.headers.get("content-type"),
        template
      )
    }
    assert.strictEqual((await call("HEAD /openapi.json", { as: "nobody" })).status, 200)
  })

  it("gives the length of the body that HEAD leaves out", async () => {
    const got = await call("GET /flows/{org}")
    const head = await call("HEAD /flows/{org}")
    assert.strictEqual(
      head.headers.get("content-length"),
      String(new TextEncoder().encode(JSON.stringify(got.body)).byteLength)
    )
    assert.strictEqual(head.body, "")
  })

  it("forbids caches to store a response with a secret", async () => {
    const noStore = async (operation: string, options = {}) => {
      const { status, headers } = await call(operation, options)
      assert.isBelow(status, 300, operation)
      assert.strictEqual(headers.get("cache-control"), "no-store", operation)
    }
    const config = { path: { org, notification_type: "api_key_expiry" } }
    await call("POST /service-accounts/{org}", { body: { name: "bot", privilege: "reader" } })
    await noStore("POST /service-accounts/{org}/{name}/api-keys", {
      path: { name: "bot" },
      body: { description: "d" }
    })
    await noStore("GET /notification-config/{org}/signing-secret")
    await noStore("POST /notification-config/{org}/signing-secret/rotate")
    await noStore("GET /notification-config/{org}/{notification_type}", config)
    await noStore("GET /organizations/{org}/environments_notifications")
  })
})

/** A site beside the API: which paths it is asked for, and that nothing else changes with it or without it. */

import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import * as Server from "../../src/Server.js"
import type { Site } from "../../src/shared/Site.js"
import * as WebHandler from "../../src/WebHandler.js"

const services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provideMerge(Layer.mergeAll(MemoryStore.layer, PayloadRulesWorker.layer())),
  Layer.provideMerge(SecretsWebCrypto.layer)
)
const runtime = ManagedRuntime.make(services)
afterAll(() => runtime.dispose())

const site: Site = ({ method, url, headers }) =>
  headers("if-none-match").length > 0
    ? { status: 304, headers: { etag: "1" }, body: "" }
    : { status: 200, headers: { "content-type": "text/html" }, body: `${method} ${url}` }

const handlerOf = (options: Server.ServerOptions) =>
  runtime.runPromise(Effect.flatMap(Server.make(options), (dispatch) => WebHandler.make(dispatch)))

const PAGES = ["/", "/acme", "/acme/flows/shop?q=1", "/_/assets/app.js", "/apix", "/%ff"]
const OTHERS = [
  "/live",
  "/metrics",
  "/api",
  "/api/",
  "/api/v3/flows",
  "/api/v2/openapi.json",
  "/api/v2/flows/acme"
]

describe("a site", () => {
  it("serves the paths that are neither static nor below /api", async () => {
    const handle = await handlerOf({ site })
    for (const path of PAGES) {
      const response = await handle(new Request(`http://attestry.test${path}`))
      assert.strictEqual(await response.text(), `GET ${path}`)
      assert.isNotNull(response.headers.get("x-request-id"))
    }
    const posted = await handle(new Request("http://attestry.test/acme", { method: "POST" }))
    assert.strictEqual(await posted.text(), "POST /acme")
  })

  it("leaves a request for the API below an unknown path to a message that names the setting", async () => {
    const empty: Site = ({ url }) => ({
      status: url.includes("repos") ? 200 : 404,
      headers: {},
      body: ""
    })
    const handle = await handlerOf({ site: empty })
    const ask = (path: string) => handle(new Request(`http://attestry.test${path}`))
    const misplaced = await ask("/compliance/api/v2/flows/acme?page=1")
    assert.strictEqual(misplaced.status, 404)
    assert.match(await misplaced.text(), /`\/compliance` is before `\/api\/v2`.*ATTESTRY_BASE_PATH/)
    assert.strictEqual(await (await ask("/compliance/api/v1/flows")).text(), "")
    assert.strictEqual((await ask("/acme/repos/tool/api/v2/server")).status, 200)
  })

  it("changes nothing on other paths", async () => {
    const [pages, without] = await Promise.all([handlerOf({ site }), handlerOf({})])
    for (const path of OTHERS) {
      const ask = (handle: WebHandler.WebHandler) =>
        handle(new Request(`http://attestry.test${path}`))
      const [a, b] = await Promise.all([ask(pages), ask(without)])
      assert.deepStrictEqual(
        [a.status, a.headers.get("content-type")],
        [b.status, b.headers.get("content-type")],
        path
      )
    }
  })

  it("is not asked where there is none: its paths are 404", async () => {
    const handle = await handlerOf({})
    for (const path of PAGES.slice(0, 5)) {
      const response = await handle(new Request(`http://attestry.test${path}`))
      assert.deepStrictEqual(
        [response.status, await response.json()],
        [404, { message: "Not Found" }]
      )
    }
  })

  it("can say that nothing has changed", async () => {
    const handle = await handlerOf({ site })
    const response = await handle(
      new Request("http://attestry.test/acme", { headers: { "if-none-match": "1" } })
    )
    assert.deepStrictEqual([response.status, await response.text()], [304, ""])
  })
})

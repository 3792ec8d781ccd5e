/** The pages beside the API: served by default, and left out on request. */
import { assert, describe, it } from "vitest"
import { createAttestry } from "../src/Attestry.js"

const HOST = "http://host.test"

const answersOf = async (
  settings: { readonly [variable: string]: string },
  paths: ReadonlyArray<string>
) => {
  const attestry = await createAttestry({ store: "memory", publicUrl: HOST, settings })
  try {
    const responses = []
    for (const path of paths) {
      const response = await attestry.fetch(new Request(`${HOST}${path}`))
      responses.push({
        status: response.status,
        headers: response.headers,
        text: await response.text()
      })
    }
    return responses
  } finally {
    await attestry.close()
  }
}

const PATHS = [
  "/",
  "/acme/environments/prod/snapshots/1",
  "/acme/no/such/page",
  "/docs/cli/",
  "/api/v2/unknown",
  "/live"
]

describe("pages", () => {
  it("are served on every path that is not the API's", async () => {
    const responses = await answersOf({}, PATHS)
    assert.deepStrictEqual(
      responses.map(({ status, headers }) => [status, headers.get("content-type")]),
      [
        [200, "text/html; charset=utf-8"],
        [200, "text/html; charset=utf-8"],
        [404, "text/html; charset=utf-8"],
        [200, "text/html; charset=utf-8"],
        [404, "application/json"],
        [200, "text/plain; charset=utf-8"]
      ]
    )
    const [home] = responses
    assert.include(home?.headers.get("content-security-policy") ?? "", "default-src 'none'")
    const script = /src="([^"]+)"/.exec(home?.text ?? "")?.[1] ?? ""
    const [file] = await answersOf({}, [script])
    assert.deepStrictEqual(
      [file?.status, file?.headers.get("content-type")],
      [200, "text/javascript; charset=utf-8"]
    )
  })

  it("are left out where they are off", async () => {
    const responses = await answersOf({ ATTESTRY_WEB: "off" }, PATHS)
    assert.deepStrictEqual(
      responses.map(({ status, headers }) => [status, headers.get("content-type")]),
      [
        [404, "application/json"],
        [404, "application/json"],
        [404, "application/json"],
        [404, "application/json"],
        [404, "application/json"],
        [200, "text/plain; charset=utf-8"]
      ]
    )
  })

  it("are read again on each request where that is asked for", async () => {
    const [home] = await answersOf({ ATTESTRY_WEB: "reload" }, ["/"])
    assert.strictEqual(home?.status, 200)
  })
})

/** What a command says to who reads a part of the org: once, on the standard error, and for reads alone. */
import { afterEach, assert, describe, it } from "vitest"
import { lineOf } from "../../src/transport/PartialView.js"
import { run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const spaces = (...paths: ReadonlyArray<string>) => ({ spaces: paths.map((path) => ({ path })) })

describe("the line", () => {
  it("names spaces, and no space below one of them", () => {
    assert.include(lineOf(spaces("retail", "retail/payments", "retailer")), ": retail, retailer. ")
  })
  it("names at most five", () => {
    assert.include(lineOf(spaces("a", "b", "c", "d", "e")), ": a, b, c, d, e. ")
    assert.include(lineOf(spaces("a", "b", "c", "d", "e", "f", "g")), "e and 2 more. ")
  })
  it("is true where the spaces are not known", () => {
    for (const answer of [undefined, {}, spaces()])
      assert.match(lineOf(answer), /^you see only what is in your spaces\. Lists and totals/)
  })
})

describe("a command", () => {
  const stops: Array<() => Promise<void>> = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  const started = async (headers: { readonly [name: string]: string }, isKnown = true) => {
    const server = await StubServer.start(({ url = "" }) =>
      url.includes("/spaces/")
        ? { headers, status: isKnown ? 200 : 500, body: JSON.stringify(spaces("retail/payments")) }
        : { headers, body: "[]" }
    )
    stops.push(server.stop)
    const read = (...words: ReadonlyArray<string>) =>
      run([...words, "--url", server.url, "--org", "acme"], {
        env: { ATTESTRY_API_KEY: "canary-key-0123456789" }
      })
    return { server, read }
  }

  it("says it once, whatever the format", async () => {
    const { read, server } = await started({ "attestry-view": "partial" })
    for (const format of ["table", "json"]) {
      const { stderr } = await read("list", "environments", "--output", format)
      assert.include(stderr, "warning: you see only what is in your spaces: retail/payments. ")
      assert.strictEqual(stderr.split("your spaces").length, 2)
    }
    assert.strictEqual(server.requests.filter(({ url }) => url?.includes("/spaces/")).length, 2)
  })

  it("says it of an answer that is streamed", async () => {
    // Every other answer is without the header, so that it is the streamed one that says it.
    const server = await StubServer.start(({ url = "" }) => ({
      headers: url.includes("audit") ? { "attestry-view": "partial" } : {},
      body: url.includes("/spaces/") ? JSON.stringify(spaces("retail/payments")) : "[]"
    }))
    stops.push(server.stop)
    const { stderr } = await run(
      [
        "audit",
        "package",
        "pay-api/1.0",
        "--save",
        "-",
        "--no-verify",
        "--url",
        server.url,
        "--org",
        "acme"
      ],
      { env: { ATTESTRY_API_KEY: "canary-key-0123456789" } }
    )
    assert.include(stderr, "you see only what is in your spaces: retail/payments. ")
  })

  it("says nothing to who reads the whole org", async () => {
    const { read, server } = await started({})
    assert.notInclude((await read("list", "environments")).stderr, "your spaces")
    assert.strictEqual(server.requests.filter(({ url }) => url?.includes("/spaces/")).length, 0)
  })

  it("says it without names where the spaces cannot be read", async () => {
    const { read } = await started({ "attestry-view": "partial" }, false)
    const { code, stderr } = await read("list", "environments", "--retries", "0")
    assert.strictEqual(code, 0)
    assert.include(stderr, "you see only what is in your spaces. ")
  })
})

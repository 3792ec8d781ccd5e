/** Files and pages: methods, encodings, caching, and paths that must lead nowhere. */

import * as SecurityHeaders from "@attestry/web/SecurityHeaders"
import * as StaticSite from "@attestry/web/StaticSite"
import * as WebHandler from "@attestry/web/WebHandler"
import { assert, describe, it } from "vitest"

const bytes = (text: string) => new TextEncoder().encode(text)

const files: StaticSite.SiteFiles = {
  shell:
    '<meta name="attestry-base" content="%BASE%">%PRELOADS%<script src="%BASE%/_/assets/app-1.js"></script>',
  digest: "s1",
  preloads: new Map([["Flow", ["_/assets/flow-1.js", "_/assets/part-1.js"]]]),
  assets: new Map([
    [
      "/_/assets/app-1.js",
      {
        type: "text/javascript; charset=utf-8",
        digest: "a1",
        plain: bytes("plain"),
        gzip: bytes("gzip"),
        br: bytes("br")
      }
    ],
    ["/_/assets/app-1.css", { type: "text/css; charset=utf-8", digest: "c1", plain: bytes("css") }]
  ]),
  docs: {
    pages: new Map([
      ["/docs/", { type: "text/html; charset=utf-8", digest: "d1", plain: bytes("index") }],
      [
        "/docs/cli/",
        { type: "text/html; charset=utf-8", digest: "d2", plain: bytes("cli"), gzip: bytes("zip") }
      ]
    ]),
    notFound: '<a href="%BASE%/docs/">all</a>'
  }
}

const site = StaticSite.make({ files, publicUrl: "http://localhost:8080" })

const ask = (url: string, headers: { readonly [name: string]: string } = {}, method = "GET") =>
  site({
    method,
    url,
    headers: (name) => (headers[name] === undefined ? [] : [headers[name]])
  })

const textOf = ({ body }: StaticSite.SiteResponse) =>
  typeof body === "string" ? body : new TextDecoder().decode(body)

describe("a file", () => {
  it("is sent in the smallest form that is accepted", () => {
    const forms = (accepted: string | undefined) => {
      const response = ask(
        "/_/assets/app-1.js",
        accepted === undefined ? {} : { "accept-encoding": accepted }
      )
      assert.strictEqual(response.headers.vary, "accept-encoding")
      return [textOf(response), response.headers["content-encoding"], response.headers.etag]
    }
    assert.deepStrictEqual(forms("gzip, deflate, br"), ["br", "br", '"a1-br"'])
    assert.deepStrictEqual(forms("gzip;q=0.5, br;q=0"), ["gzip", "gzip", '"a1-gzip"'])
    assert.deepStrictEqual(forms("*"), ["br", "br", '"a1-br"'])
    assert.deepStrictEqual(forms("gzip;q=x"), ["plain", undefined, '"a1"'])
    assert.deepStrictEqual(forms(undefined), ["plain", undefined, '"a1"'])
    assert.strictEqual(textOf(ask("/_/assets/app-1.css", { "accept-encoding": "br" })), "css")
  })

  it("is kept for ever, and 304 for a client that has it", () => {
    const response = ask("/_/assets/app-1.js")
    assert.strictEqual(response.headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual(response.headers["x-content-type-options"], "nosniff")
    for (const tag of ['"a1"', 'W/"a1"', '"other", "a1"', "*"]) {
      const again = ask("/_/assets/app-1.js", { "if-none-match": tag })
      assert.deepStrictEqual([again.status, again.body], [304, ""])
      assert.notProperty(again.headers, "content-type")
    }
    assert.strictEqual(ask("/_/assets/app-1.js", { "if-none-match": '"a2"' }).status, 200)
  })

  it("is found by its whole name alone", () => {
    const others = [
      "/_/assets/",
      "/_/assets/app-2.js",
      "/_/assets/app-1.js/",
      "/_/assets/../app-1.js",
      "/_/assets/%61pp-1.js",
      "/_/assets/..%2f..%2fpackage.json",
      "/_/assets/constructor"
    ]
    for (const url of others) {
      const { status, headers } = ask(url)
      assert.strictEqual(status, 404, url)
      assert.strictEqual(headers["content-type"], "text/plain; charset=utf-8")
    }
    assert.strictEqual(ask("/_/assets/app-1.js?v=2").status, 200)
  })
})

describe("a page", () => {
  it("is the shell with the headers of pages", () => {
    const response = ask("/acme/flows/shop?q=1")
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers["cache-control"], "no-cache")
    for (const [name, value] of Object.entries(SecurityHeaders.PAGE_HEADERS)) {
      assert.strictEqual(response.headers[name], value)
    }
    const tag = { "if-none-match": response.headers.etag ?? "" }
    assert.strictEqual(ask("/acme/flows/other", tag).status, 304)
    assert.strictEqual(ask("/acme", tag).status, 200)
  })

  it("names the scripts of its route, so that they are loaded with the first", () => {
    const under = StaticSite.make({ files, publicUrl: "https://example.org/base" })
    const shellOf = (url: string) => String(under({ method: "GET", url, headers: () => [] }).body)
    assert.include(
      shellOf("/acme/flows/shop"),
      '<link rel="modulepreload" href="/base/_/assets/flow-1.js">\n' +
        '<link rel="modulepreload" href="/base/_/assets/part-1.js">\n<script'
    )
    for (const url of ["/acme", "/nowhere/at/all"])
      assert.notMatch(shellOf(url), /modulepreload|PRELOADS/)
  })

  it("is the same with status 404 where no route is", () => {
    const missing = ask("/acme/unknown")
    assert.strictEqual(missing.status, 404)
    assert.strictEqual(missing.body, ask("/acme").body)
    assert.strictEqual(ask("/acme/unknown", { "if-none-match": '"s1"' }).status, 404)
  })

  it("is read, not written", () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
      for (const url of ["/acme", "/_/assets/app-1.js", "/nowhere/at/all"]) {
        const { status, headers } = ask(url, {}, method)
        assert.deepStrictEqual([status, headers.allow], [405, "GET, HEAD"])
      }
    }
    assert.strictEqual(ask("/acme", {}, "HEAD").status, 200)
  })

  it("names the path of the public URL, escaped", () => {
    const under = StaticSite.make({ files, publicUrl: "https://example.org/a'b&c/" })
    const { body } = under({ method: "GET", url: "/acme", headers: () => [] })
    assert.include(String(body), 'content="/a&#39;b&#38;c"')
    assert.include(String(body), 'src="/a&#39;b&#38;c/_/assets/app-1.js"')
  })
})

describe("the policy", () => {
  it("allows nothing inline, evaluated or from elsewhere", () => {
    const policy = SecurityHeaders.CONTENT_SECURITY_POLICY
    for (const word of ["unsafe", "data:", "blob:", "http:", "https:", "*", "nonce"]) {
      assert.notInclude(policy, word)
    }
  })
})

describe("the handler for hosts of the Fetch standard", () => {
  const handle = WebHandler.make({ files, publicUrl: "https://example.org/attestry" })
  const get = (path: string, init?: RequestInit) =>
    handle(new Request(`https://example.org${path}`, init))

  it("serves below the path of the public URL", async () => {
    assert.strictEqual(get("/attestry").status, 200)
    assert.strictEqual(get("/attestry/acme?q=1").status, 200)
    assert.strictEqual(get("/attestry/acme/unknown").status, 404)
    assert.strictEqual(get("/acme").status, 404)
    assert.strictEqual(await get("/attestry/_/assets/app-1.js").text(), "plain")
  })

  it("sends no body with HEAD and 304", async () => {
    assert.strictEqual(await get("/attestry/acme", { method: "HEAD" }).text(), "")
    const tag = get("/attestry/acme").headers.get("etag") ?? ""
    const again = get("/attestry/acme", { headers: { "if-none-match": tag } })
    assert.deepStrictEqual([again.status, await again.text()], [304, ""])
  })
})

describe("the documentation", () => {
  it("has pages with the headers of pages, compressed and with an ETag", () => {
    const page = ask("/docs/cli/", { "accept-encoding": "gzip" })
    assert.deepStrictEqual([page.status, textOf(page)], [200, "zip"])
    assert.deepInclude(page.headers, {
      ...SecurityHeaders.PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-encoding": "gzip",
      "cache-control": "no-cache",
      vary: "accept-encoding",
      etag: '"d2-gzip"'
    })
    const again = ask("/docs/cli/", { "accept-encoding": "gzip", "if-none-match": '"d2-gzip"' })
    assert.deepStrictEqual([again.status, again.body], [304, ""])
    assert.strictEqual(textOf(ask("/docs/?q=x")), "index")
  })

  it("leads from a name without its slash to the page, relative to the request", () => {
    for (const [path, location] of [
      ["/docs", "docs/"],
      ["/docs/cli", "cli/"]
    ] as const) {
      const response = ask(path)
      assert.deepStrictEqual([response.status, response.headers.location], [308, location])
    }
  })

  it("has a page for other addresses, with the base path in its links", () => {
    const below = StaticSite.make({ files, publicUrl: "https://a.example/x" })
    const response = below({ method: "GET", url: "/docs/constructor", headers: () => [] })
    assert.strictEqual(response.status, 404)
    assert.strictEqual(textOf(response), '<a href="/x/docs/">all</a>')
    assert.property(response.headers, "content-security-policy")
    assert.strictEqual(ask("/docs/cli/", {}, "POST").status, 405)
  })

  it("is left to the pages where a host has none, and no org has its name", () => {
    const { docs: _, ...others } = files
    const without = StaticSite.make({ files: others, publicUrl: "http://localhost:8080" })
    assert.strictEqual(without({ method: "GET", url: "/docs/", headers: () => [] }).status, 404)
  })
})

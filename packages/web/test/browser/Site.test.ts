/** Scenarios 21, 25 and 26: the policy of pages is enforced, a base path changes nothing, files are cached. */
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("the policy of pages", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  it("refuses to be framed", () =>
    visit(world, async ({ page, context }) => {
      await context.route("**/frame.html", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<iframe src="${world.url}/acme"></iframe>`
        })
      )
      const messages: Array<string> = []
      const frame = await context.browser()?.newContext()
      const outer = await frame?.newPage()
      outer?.on("console", (message) => messages.push(message.text()))
      await outer?.route("**/frame.html", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<iframe src="${world.url}/acme"></iframe>`
        })
      )
      await outer?.goto(`${world.url}/frame.html`)
      await outer?.waitForTimeout(300)
      assert.match(messages.join("\n"), /frame-ancestors|X-Frame-Options/)
      await frame?.close()
      assert.strictEqual(await page.title(), "")
    }))

  it("does not run a script or a style that was put into the page, and takes no text as HTML", () =>
    visit(world, async ({ page, context }) => {
      const inner = await context.browser()?.newContext()
      const target = await inner?.newPage()
      await target?.route("**/acme", async (route) => {
        const response = await route.fetch()
        const body = (await response.text()).replace(
          "</body>",
          "<script>window.ran = true</script></body>"
        )
        await route.fulfill({ response, body })
      })
      await target?.goto(`${world.url}/acme`)
      await target?.waitForURL("**/_/sign-in**")
      // WHY later: the protocol of the browser lifts the policy for scripts that it evaluates at once.
      const result = await target?.evaluate(async () => {
        const attempt = (run: () => void) =>
          new Promise<string>((resolve) => {
            setTimeout(() => {
              try {
                run()
                resolve("allowed")
              } catch (error) {
                resolve((error as Error).name)
              }
            }, 0)
          })
        return {
          ran: "ran" in window,
          evaluated: await attempt(() => void Reflect.construct(Function, ["return 1"])),
          html: await attempt(() => {
            document.body.innerHTML = "<b>x</b>"
          }),
          worker: await attempt(() => void new Worker("/_/assets/x.js"))
        }
      })
      assert.strictEqual(result?.ran, false)
      assert.include(["EvalError", "TypeError"], result?.evaluated)
      assert.strictEqual(result?.html, "TypeError")
      assert.strictEqual(result?.worker, "TypeError")
      await inner?.close()
      assert.strictEqual(await page.title(), "")
    }))
})

inBrowser("a base path", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start({ basePath: "/attestry" })
    await World.seedEnvironments(world)
  })
  afterAll(() => world?.stop())

  it("is in front of every link and request", () =>
    visit(world, async ({ page, open, signIn }) => {
      await open("/")
      await page.waitForURL("**/attestry/_/sign-in")
      await signIn(world.keys.admin)
      await page.waitForURL("**/attestry/acme")
      await page.getByRole("heading", { name: "prod-eu" }).getByRole("link").click()
      await page.waitForURL("**/attestry/acme/environments/prod-eu")
      await page.goBack()
      await page.getByRole("link", { name: "Overview" }).first().waitFor()
      const links = await page
        .locator("a[href]")
        .evaluateAll((all) => all.map((each) => each.getAttribute("href")))
      assert.deepStrictEqual(
        links.filter((href) => !/^(?:\/attestry(?:\/|$)|#)/.test(href ?? "")),
        []
      )
    }))
})

describe("files", () => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  const namesOf = async () => {
    const page = await (await fetch(`${world.url}/acme`)).text()
    return [...page.matchAll(/(?:src|href)="(\/_\/assets\/[^"]+)"/g)].flatMap(
      ([, name]) => name ?? []
    )
  }

  it("have hashed names, are immutable, and come compressed", async () => {
    const names = await namesOf()
    assert.isAbove(names.length, 2)
    for (const name of names) {
      assert.match(name, /-[0-9A-Z]{8}\.(?:js|css|svg)$/)
      const response = await fetch(`${world.url}${name}`, {
        headers: { "accept-encoding": "gzip" }
      })
      assert.strictEqual(response.status, 200)
      assert.include(response.headers.get("cache-control") ?? "", "immutable")
      assert.strictEqual(response.headers.get("content-encoding"), "gzip")
      const tag = response.headers.get("etag") ?? ""
      const again = await fetch(`${world.url}${name}`, {
        headers: { "accept-encoding": "gzip", "if-none-match": tag }
      })
      assert.deepStrictEqual([again.status, await again.text()], [304, ""])
    }
  })

  it("answer HEAD, refuse writes, and are 404 by other names", async () => {
    const [name = ""] = await namesOf()
    const head = await fetch(`${world.url}${name}`, { method: "HEAD" })
    assert.deepStrictEqual([head.status, await head.text()], [200, ""])
    assert.strictEqual((await fetch(`${world.url}${name}`, { method: "PUT" })).status, 405)
    assert.strictEqual((await fetch(`${world.url}/_/assets/other.js`)).status, 404)
    assert.strictEqual((await fetch(`${world.url}/acme/unknown/page`)).status, 404)
    assert.strictEqual((await fetch(`${world.url}/api/v2/unknown`)).status, 404)
  })

  it("unpack to the plain bytes", async () => {
    const { load } = await import("@attestry/web/SiteFiles")
    for (const { plain, gzip, br } of load().assets.values()) {
      if (gzip !== undefined) assert.isTrue(gunzipSync(gzip).equals(plain))
      if (br !== undefined) assert.isTrue(brotliDecompressSync(br).equals(plain))
    }
  })
})

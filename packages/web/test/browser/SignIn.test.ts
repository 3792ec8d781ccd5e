/** Scenario 1: signing in and out, a wrong key, and where one arrives afterwards. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("signing in", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await World.seedEnvironments(world)
    await world.call("PUT /flows/acme/template_file", { name: "shop", description: "" })
  })
  afterAll(() => world?.stop())

  it("leads from / to the overview of the org, and shows its environments", () =>
    visit(world, async ({ page, open, signIn }) => {
      await open("/")
      await page.waitForURL("**/_/sign-in")
      await signIn(world.keys.admin)
      await page.waitForURL("**/acme")
      await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor()
      await page.getByRole("heading", { name: "prod-eu" }).waitFor()
      assert.strictEqual(await page.title(), "Overview · acme · Attestry")
    }))

  it("says that a wrong key opens nothing, keeps no key, and stays", () =>
    visit(world, async ({ page, open }) => {
      await open("/acme")
      await page.waitForURL("**/_/sign-in?next=%2Facme")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByText("Enter an API key.").waitFor()
      await page.getByLabel("API key").fill("wrong")
      await page.keyboard.press("Enter")
      await page.getByText("This key opens nothing.").waitFor()
      assert.include(page.url(), "/_/sign-in")
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      assert.notInclude(stored, "wrong")
    }))

  it("returns to the page that was asked for, and never to another site", () =>
    visit(world, async ({ page, open, signIn, context }) => {
      await open("/acme/flows/shop?q=1")
      await page.waitForURL("**/_/sign-in?**")
      await signIn(world.keys.reader)
      await page.waitForURL("**/acme/flows/shop?q=1")
      for (const next of [
        "//evil.example.org",
        "https://evil.example.org/acme",
        "/%5Cevil.example.org"
      ]) {
        await context.clearCookies()
        await open(`/_/sign-in?next=${encodeURIComponent(next)}`)
        await signIn(world.keys.reader)
        await page.waitForURL(`${world.origin}/acme`)
      }
    }))

  it("ends in every tab when one signs out", () =>
    visit(world, async ({ page, open, signIn, context }) => {
      await open("/")
      await signIn(world.keys.admin)
      await page.waitForURL("**/acme")
      const other = await context.newPage()
      await other.goto(`${world.url}/acme`)
      await other.getByRole("heading", { name: "prod-eu" }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL("**/_/sign-in**")
      await other.waitForURL("**/_/sign-in**")
    }))

  it("asks again over the page when the session ends, and goes on", () =>
    visit(world, async ({ page, open, signIn, context }) => {
      await open("/")
      await signIn(world.keys.admin)
      await page.getByLabel("Filter by name or kind").fill("prod")
      await context.clearCookies()
      const dialog = page.getByRole("dialog", { name: "Your session has ended" })
      await dialog.waitFor({ timeout: 15_000 })
      await dialog.getByLabel("API key").fill(world.keys.admin)
      await page.keyboard.press("Enter")
      await dialog.waitFor({ state: "detached" })
      assert.strictEqual(await page.getByLabel("Filter by name or kind").inputValue(), "prod")
      await page.getByRole("heading", { name: "prod-us" }).waitFor()
    }))

  it("lets a command line on this computer sign in, after a click alone", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        const word = "w".repeat(43)
        await open(`/_/command-line?port=80&challenge=${word}&state=${word}`)
        await page.waitForURL("**/_/sign-in?**")
        await signIn(world.keys.admin)
        await page.getByText("This address is not complete").waitFor()
        const arrived = new Promise<URL>((resolve) => {
          void page.route("http://127.0.0.1:54321/**", async (route) => {
            resolve(new URL(route.request().url()))
            await route.fulfill({ status: 204 })
          })
        })
        await open(`/_/command-line?port=54321&challenge=${word}&state=${word}`)
        await page.getByText("wants to sign in as ada").waitFor()
        await page.getByRole("button", { name: "Allow" }).click()
        const { searchParams } = await arrived
        assert.match(searchParams.get("code") ?? "", /^[0-9a-f-]{32}\.[0-9a-f]{64}$/)
        assert.strictEqual(searchParams.get("state"), word)
        await open("/_/command-line?done=yes")
        await page.getByText("The command line is signed in").waitFor()
      },
      { goesTo: ["http://127.0.0.1:54321/"] }
    ))

  it("shows only the places that a role may see, and no other org", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await open("/")
        await signIn(world.keys.reader)
        await page.getByRole("link", { name: "Flows" }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "Audit log" }).count(), 0)
        await open("/globex")
        await page.getByText("rob has no access to globex").waitFor()
        await open("/acme/nowhere/at/all")
        await page.getByRole("heading", { name: "Page not found" }).waitFor()
      },
      { statuses: [404] }
    ))
})

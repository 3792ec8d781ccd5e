/** Scenario 3: the board. Order, counts, reasons, groups, filters, and a new red environment within one poll. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { build, environment, FOREIGN, KNOWN, report, seedBoard } from "../fixture/BoardWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("the overview", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedBoard(world)
  })
  afterAll(() => world?.stop())

  it("tells what needs attention, since when and why, and leads to the rows", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme")
      const attention = page.getByRole("region", { name: "Needs attention" })
      await attention.getByText(/2 of 2 not compliant for \d+ s/).waitFor()
      await attention
        .getByRole("link", { name: "attestation scan of type snyk missing ×2" })
        .waitFor()
      const reason = attention.getByRole("link", { name: /no provenance.*×1/ })
      await reason.waitFor()
      assert.strictEqual(
        await attention.getByRole("listitem").filter({ hasText: "prod-us" }).count(),
        0
      )
      await reason.click()
      await page.waitForURL("**/acme/environments/prod-eu?rule=known-builds.0")
      await page.goBack()
      await page.getByRole("link", { name: "2 not compliant in prod-eu" }).click()
      await page.waitForURL("**/acme/environments/prod-eu?verdict=non-compliant")
    }))

  it("orders and groups tiles, and counts what it leads to", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme")
      await page.getByRole("heading", { name: "prod-eu", level: 3 }).waitFor()
      const names = async () =>
        (await page.locator(".tile-name").allTextContents()).map((text) => text.trim())
      assert.deepStrictEqual(await names(), [
        "prod-eu",
        "prod-us",
        "fresh",
        "sandbox-of-the-payment-team-in-frankfurt",
        "staging"
      ])
      await page.getByRole("heading", { name: "Other environments" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "no policy attached" }).count(), 1)
      await page.getByLabel("Groups").selectOption("tag:tier")
      await page.waitForURL("**/acme?group=tag%3Atier")
      await page.getByRole("heading", { name: "tier: 1" }).waitFor()
      await page.getByRole("heading", { name: "without tier" }).waitFor()
      await page.getByLabel("Tag", { exact: true }).selectOption("tier:2")
      await page.getByRole("heading", { name: "staging", level: 3 }).waitFor()
      assert.deepStrictEqual(await names(), ["staging"])
      await page.getByLabel("Filter by name or kind").fill("nothing")
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByRole("link", { name: "2 not compliant", exact: true }).click()
      await page.waitForURL("**verdict=non-compliant**")
      await page.getByRole("button", { name: "table" }).click()
      await page.getByRole("row", { name: /prod-eu/ }).waitFor()
      assert.strictEqual(await page.getByRole("row").count(), 3)
      await page.goBack()
      await page.getByRole("heading", { name: "prod-eu", level: 3 }).waitFor()
    }))

  it("says that new evidence waits for a report, and shows a new red environment within one poll", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme")
      const tile = page.locator(".tile").filter({ hasText: "prod-us" })
      await tile.waitFor()
      assert.strictEqual(await tile.getByText("New evidence since").count(), 0)
      await build(world, KNOWN, "build-2")
      await tile.getByText("New evidence since; evaluated with the next report.").waitFor()
      await open("/acme/environments/prod-us")
      const remark = page.getByText("New evidence since; evaluated with the next report.")
      await remark.waitFor()
      await report(world, "prod-us", { "shop:10": KNOWN })
      await remark.waitFor({ state: "detached", timeout: 15_000 })
      await open("/acme")
      await environment(world, "brand-new", ["known-builds"])
      await report(world, "brand-new", { "redis:7": FOREIGN })
      const attention = page.getByRole("region", { name: "Needs attention" })
      await attention.getByRole("link", { name: "brand-new" }).waitFor({ timeout: 15_000 })
    }))
})

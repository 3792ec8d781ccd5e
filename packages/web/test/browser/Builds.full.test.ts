/** Builds and their statistics, those of a repository, and audit packages as downloads. */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("builds", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("are counted and listed, and filtered by repository and day", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme")
      await page.getByRole("link", { name: "Builds" }).click()
      await page.getByText("3 builds, 0.8 a week, at most 3 in a day").waitFor()
      // The statistics and the list are two requests, so the list may come later.
      const rows = page.getByRole("table", { name: "Builds" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 3)
      await page.getByText("As a table").click()
      await page.getByRole("table", { name: "builds", exact: true }).waitFor()
      await look(visitor, "builds")
      await page.getByRole("searchbox").fill("team/other")
      await page.getByText("No build fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByRole("link", { name: "team/shop" }).first().click()
      await page.getByRole("heading", { name: "team/shop" }).waitFor()
    }))

  it("of a repository are beside its deployments and lead times", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/repos/team/shop")
      await page.getByText(/^3 builds, /).waitFor()
      await page.getByText(/^4 deployments, /).waitFor()
      const row = page
        .getByRole("table", { name: "Deployments by environment" })
        .getByRole("row", { name: /prod/ })
      await row.getByText(/^2$/).waitFor()
      await page.getByLabel("Period").selectOption("365")
      await page.getByText(/^3 builds, .* in a week/).waitFor()
      await look(visitor, "repo-statistics")
      await page.getByRole("link", { name: "Each deployment" }).click()
      await page.getByRole("table", { name: "Deployments" }).waitFor()
      assert.include(page.url(), "repo=team%2Fshop")
    }))

  it("and trails have audit packages to download, with their names", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      for (const [path, name] of [
        [`/acme/flows/shop/trails/${TRAILS.shop9}`, `shop-${TRAILS.shop9}-audit-package.tar`],
        [`/acme/flows/shop/artifacts/${PRINTS.shop9}`, `shop-${PRINTS.shop9}-audit-package.tar`]
      ] as const) {
        await open(path)
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("link", { name: "Download the audit package" }).click()
        ])
        assert.strictEqual(download.suggestedFilename(), name)
        const file = readFileSync(await download.path()).toString("latin1")
        assert.include(file, "manifest.json")
        assert.include(file, "report.xml")
      }
    }))

  it("and snapshots have one, with every row", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/environments/prod/snapshots/1")
      const link = page.getByRole("link", { name: "Download the audit package of this snapshot" })
      await look(visitor, "snapshot-package")
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
      assert.strictEqual(download.suggestedFilename(), "prod-1-audit-package.tar")
      const file = readFileSync(await download.path()).toString("latin1")
      for (const text of ["snapshot.json", "rows/prod/", "manifest.json"])
        assert.include(file, text)
    }))
})

/** The page of release evidence: its numbers, its proofs and packages, its filters in the address, and its file. */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("release evidence", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("shows releases with who gave what, and keeps its filters in the address", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/deployments")
      await page.getByRole("link", { name: "Release evidence" }).click()
      const rows = page.getByRole("table", { name: "Releases" }).locator("tbody tr")
      await rows.first().waitFor()
      const all = await rows.count()
      assert.isAbove(all, 1)
      await look(visitor, "release-evidence")
      await page.getByLabel("Flow", { exact: true }).selectOption("shop")
      await page.waitForURL(/flow=shop/)
      await page.getByRole("link", { name: "audit package" }).first().waitFor()
      await page.getByRole("link", { name: "receipt" }).first().waitFor()
      await page.getByLabel("To").fill("2020-01-01")
      await page.getByText("No release fits the filters").waitFor()
    }))

  it("downloads all of it as CSV", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/release-evidence?flow=shop")
      await page.getByRole("table", { name: "Releases" }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "CSV" }).click()
      ])
      assert.strictEqual(download.suggestedFilename(), "acme-release-evidence.csv")
      const lines = readFileSync(await download.path(), "utf8")
        .trim()
        .split("\r\n")
      assert.match(lines[0] ?? "", /^deployed_at,deployed_at_iso,environment,/)
      assert.isAbove(lines.length, 1)
    }))
})

/** Scenario 9 and the event log: two snapshots side by side, and their events in order. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedSnapshots } from "../fixture/SnapshotWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("a comparison", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedSnapshots(world)
  })
  afterAll(() => world?.stop())

  it("puts versions together, hides what is the same, and keeps verdict changes", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/diff?left=prod-eu%234&right=prod-eu%235")
      const table = page.getByRole("table", { name: "Differences" })
      await table.waitFor()
      await page.getByText("1 changed version · 1 scaled · 2 only right · 0 only left").waitFor()
      const version = table.locator("tbody tr").first()
      assert.include((await version.textContent()) ?? "", "search:8")
      assert.include((await version.textContent()) ?? "", "search:9")
      assert.strictEqual(await table.locator("tbody tr").count(), 4)
      await page.getByLabel("show same").check()
      await page.waitForURL("**same=shown*")
      assert.strictEqual(await table.locator("tbody tr").count(), 5)
      await page.getByLabel("only verdict changes").check()
      assert.strictEqual(await table.locator("tbody tr").count(), 3)
      await page.goBack()
      assert.isFalse(await page.getByLabel("only verdict changes").isChecked())
    }))

  it("compares two environments, swaps the sides, and takes typed expressions", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/diff")
        await page.getByText("Choose two snapshots").waitFor()
        await page.getByLabel("Left snapshot").fill("prod-us")
        await page.getByLabel("Right snapshot").fill("prod-eu~1")
        await page.getByRole("button", { name: "Compare" }).click()
        await page.waitForURL("**/diff?left=prod-us&right=prod-eu%7E1")
        const table = page.getByRole("table", { name: "Differences" })
        await table.waitFor()
        await page.getByText("1 changed version").waitFor()
        await page.getByRole("heading", { level: 1 }).click()
        await page.keyboard.press("s")
        await page.waitForURL("**left=prod-eu%7E1&right=prod-us")
        await table.getByRole("cell", { name: /shop:9/ }).waitFor()
        await open("/acme/diff?left=prod-us&right=prod-us")
        await page.getByText("The same runs on both sides").waitFor()
        await open("/acme/diff?left=prod-us%2399&right=prod-us")
        await page.getByText("Not found").waitFor()
      },
      { statuses: [404] }
    ))

  it("lists events by snapshot with filters, and downloads the same as CSV", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod-eu/events")
      const table = page.getByRole("table", { name: "Events by snapshot" })
      await table.getByRole("link", { name: "snapshot 5" }).waitFor()
      await page.getByText("That is the beginning.").waitFor()
      await page.getByLabel("Type").selectOption("exited")
      await page.waitForURL("**type=exited*")
      await table
        .getByRole("link", { name: "snapshot 1", exact: true })
        .waitFor({ state: "detached" })
      await table.getByText("exited").nth(1).waitFor()
      assert.strictEqual(await table.getByText("exited").count(), 2)
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "CSV" }).click()
      ])
      assert.strictEqual(download.suggestedFilename(), "prod-eu-auditlog.csv")
      assert.include(download.url(), "event_types=exited")
      await page.getByLabel("Flow").fill("nothing")
      await page.getByText("No event fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await table.getByRole("link", { name: "compare with 4" }).click()
      await page.waitForURL("**/diff?**")
    }))
})

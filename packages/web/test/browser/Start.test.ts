/** Scenario 2: from an empty org to a compliant snapshot, which appears without a reload. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { build, KNOWN, report } from "../fixture/BoardWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("first steps", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  it("shows commands alone to people who may not write", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme")
      await page.getByRole("heading", { name: "From nothing to a compliant snapshot" }).waitFor()
      await page.getByText("0 of 5 done").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Create flow" }).count(), 0)
      const commands = await page.locator(".command code").allTextContents()
      assert.include(commands.join("\n"), `ATTESTRY_URL=${world.url} ATTESTRY_ORG=acme`)
      assert.strictEqual(commands.at(-1), "attestry put flow shop")
      await page.getByText("is the key that every command sends").waitFor()
    }))

  it("notices each step by itself, and ends with a compliant snapshot", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await signIn(world.keys.admin)
        await open("/acme")
        await page.getByRole("button", { name: "Create flow" }).dblclick()
        await page.getByText("1 of 5 done").waitFor()
        await page.getByText("Waiting for step 2; this page notices by itself.").waitFor()
        await build(world, KNOWN)
        await page.getByText("2 of 5 done").waitFor({ timeout: 10_000 })
        await page.getByLabel("Name").fill("bad name!")
        await page.getByRole("button", { name: "Create environment" }).click()
        await page.locator(".start-step-form .field-problem").filter({ hasText: /./ }).waitFor()
        await page.getByLabel("Name").fill("production")
        await page.getByLabel("Kind").selectOption("docker")
        await page.getByRole("button", { name: "Create environment" }).click()
        await page.getByText("3 of 5 done").waitFor({ timeout: 10_000 })
        await page.getByText("attestry report docker production", { exact: true }).waitFor()
        await look(visitor, "start-report")
        await report(world, "production", { "shop:10": KNOWN })
        await page.getByText("4 of 5 done").waitFor({ timeout: 10_000 })
        await page.getByRole("button", { name: "Use “known-builds”" }).click()
        await page.getByRole("status").filter({ hasText: "Snapshot 2 is compliant" }).waitFor()
        await page.getByText("5 of 5 done").waitFor()
        await page.getByText("What comes next:").waitFor()
        await page.getByText("attestry init --flow shop --ci github").waitFor()
        await look(visitor, "start-done")
        await page.getByRole("link", { name: "Open snapshot 2 of production" }).waitFor()
        await page.getByRole("link", { name: "Go to the overview" }).click()
        await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor()
      },
      { statuses: [400] }
    ))
})

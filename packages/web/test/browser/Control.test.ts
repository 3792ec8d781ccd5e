/** Controls: the heat map, a control with its tabs, archiving, and a closed gate. Scenario 14. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("controls", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await PolicyWorld.seedPolicies(world)
  })
  afterAll(() => world?.stop())

  it("say for each environment whether they are enforced and hold", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/controls")
      const row = page.getByRole("row").filter({ hasText: "SDLC-7" })
      await row.waitFor()
      assert.deepStrictEqual(await row.locator(".visually-hidden").allTextContents(), [
        "covered in idle by prod-requirements, nothing runs there",
        "2 rows fail in prod-eu, asked for by prod-requirements",
        "holds in prod-us, asked for by prod-requirements",
        "not covered in staging"
      ])
      await row.getByText("3 of 4").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "New control…" }).count(), 0)
      const link = page.getByRole("link", { name: "2 rows fail in prod-eu" })
      const address = new URL((await link.getAttribute("href")) ?? "", world.url)
      assert.strictEqual(address.pathname, "/acme/environments/prod-eu")
      assert.strictEqual(address.searchParams.get("rule"), "prod-requirements.3")
      await page.getByLabel("Filter by name or identifier").fill("licence")
      await page.keyboard.press("Enter")
      await page.waitForURL(/q=licence/)
      await row.waitFor({ state: "detached" })
      await page.getByRole("link", { name: "SDLC-12" }).waitFor()
      await page.goBack()
      await row.waitFor()
    }))

  it("have a definition, decisions, coverage and versions", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/controls/SDLC-7")
      await page.getByRole("link", { name: "prod-requirements" }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Archive…" }).count(), 0)
      await page.getByRole("link", { name: "Decisions" }).click()
      await page.getByRole("link", { name: "shop › build-10" }).waitFor()
      await page.getByLabel("Outcome").selectOption("non-compliant")
      await page.waitForURL(/outcome=non-compliant/)
      await page.getByRole("link", { name: "search › build-9" }).waitFor()
      await page.getByRole("link", { name: "shop › build-10" }).waitFor({ state: "detached" })
      await page.getByRole("link", { name: "Coverage" }).click()
      await page.getByText("Asked for in 3 of 4 environments").waitFor()
      await page.getByRole("link", { name: "Versions" }).click()
      await page.getByRole("heading", { name: "Version 1" }).waitFor()
    }))

  it("are defined, edited, archived and unarchived", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/controls")
        await page.getByRole("button", { name: "New control…" }).click()
        await page.getByRole("button", { name: "Create control" }).click()
        await page.locator(".field-problem", { hasText: /./ }).first().waitFor()
        await page.getByLabel("Identifier", { exact: true }).fill("SDLC-20")
        await page.getByLabel("Name", { exact: true }).fill("Signed builds")
        await page.getByLabel("Links").fill("Rule book https://rules.example.org/20")
        await page.getByRole("button", { name: "Create control" }).click()
        await page.waitForURL(/controls\/SDLC-20$/)
        await page.getByRole("button", { name: "Edit…" }).click()
        await page.getByLabel("Description").fill("Builds carry a signature.")
        await page.getByRole("button", { name: "Save version" }).click()
        await page.getByText("Builds carry a signature.").waitFor()
        await page.getByRole("button", { name: "Archive…" }).click()
        await page.getByRole("button", { name: "Archive control" }).click()
        await page.getByText("archived", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Unarchive" }).click()
        await page.getByRole("button", { name: "Archive…" }).waitFor()
        await page.getByRole("link", { name: "Versions" }).click()
        await page.getByRole("heading", { name: "Version 4 unarchived" }).waitFor()
        await page.locator(".diff-added", { hasText: "Builds carry a signature." }).waitFor()
      },
      { statuses: [400] }
    ))

  it("say why they are not shown while the gate is closed", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await page.route("**/api/v2/control-coverage/**", (route) =>
          route.fulfill({ status: 403, json: { message: "Controls are a beta feature" } })
        )
        await signIn(world.keys.admin)
        await open("/acme/controls")
        await page.getByText("Controls are a beta feature").waitFor()
      },
      { statuses: [403] }
    ))
})

/** An administrator erases a text: searched first, confirmed by a typed name, and listed afterwards. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

const AUTHOR = "Jo Doe <jo@example.org>"

inBrowser("erasures", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("are made after a search and a typed name, and are listed", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/audit-log")
      await page.getByRole("link", { name: "Erasures" }).click()
      await page.getByText("Nothing was erased.").waitFor()
      await page.getByRole("button", { name: "Search the log" }).click()
      await page.getByText("The text to search for.").waitFor()
      await page.getByLabel("Text to erase").fill(AUTHOR)
      await page.getByRole("button", { name: "Search the log" }).click()
      await page.getByText(/\d+ members in \d+ entries would be erased\./).waitFor()
      await page.getByText(/^To be erased/).click()
      await look(visitor, "erasure-found")
      const before = JSON.stringify(await world.call("GET /artifacts/acme"))
      assert.include(before, AUTHOR)
      await page.getByRole("button", { name: /^Erase \d+ members/ }).click()
      const dialog = page.getByRole("dialog", { name: "Erase for good" })
      await dialog.getByRole("button", { name: "Erase for good" }).click()
      await dialog.getByText("Type the name of the org.").waitFor()
      await dialog.getByLabel("Reason").fill("ticket 7")
      await look(visitor, "erasure-confirmed")
      await dialog.getByLabel(/^Name of the org/).fill("acme")
      await dialog.getByRole("button", { name: "Erase for good" }).dblclick()
      await dialog.waitFor({ state: "detached" })
      await page.getByText(/\d+ members in \d+ entries erased\./).waitFor()
      const table = page.getByRole("table", { name: "Erasures" })
      await table.getByText("ticket 7").waitFor()
      assert.strictEqual(await table.locator("tbody tr").count(), 1)
      assert.notInclude(JSON.stringify(await world.call("GET /artifacts/acme")), AUTHOR)
      await page.getByLabel("Text to erase").fill(AUTHOR)
      await page.getByRole("button", { name: "Search the log" }).click()
      await page.getByText("No personal member has this text.").waitFor()
      await look(visitor, "erasures")
    }))

  it("are for administrators", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/audit-log/erasures")
      await page.getByText("Erasures are for administrators").waitFor()
    }))

  it("that fail say why, and keep the typed values", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/audit-log/erasures")
        await page.route("**/api/v2/erasures/acme", (route) =>
          route.request().method() === "GET"
            ? route.continue()
            : route.fulfill({
                status: 403,
                contentType: "application/json",
                body: JSON.stringify({ message: "ada may not do this in acme" })
              })
        )
        await page.getByLabel("Text to erase").fill("Jo")
        await page.getByRole("button", { name: "Search the log" }).click()
        await page.getByText("ada may not do this in acme").waitFor()
        assert.strictEqual(await page.getByLabel("Text to erase").inputValue(), "Jo")
      },
      { statuses: [403] }
    ))
})

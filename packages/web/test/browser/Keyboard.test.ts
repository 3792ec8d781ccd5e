/** Scenario 23: the keyboard on some pages; `KeyboardWalk` goes through every page. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows } from "../fixture/FlowWorld.js"
import { seedPolicies } from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("the keyboard", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
    await seedPolicies(world)
  })
  afterAll(() => world?.stop())

  it("keeps what is typed for the palette before its code is there", () =>
    visit(world, async ({ page, context, open, signIn }) => {
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await context.route(/CommandPalette-/, async (route) => {
        await held
        await route.continue()
      })
      await signIn(world.keys.reader)
      await open("/acme/flows")
      await page.getByRole("link", { name: "shop" }).first().waitFor()
      await page.keyboard.press("Control+K")
      await page.keyboard.type("prodd")
      await page.keyboard.press("Backspace")
      release()
      const field = page.getByRole("combobox", { name: "Search or jump" })
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "prod")
      await page.keyboard.type("-eu")
      await page.getByRole("option", { name: "prod-eu" }).waitFor()
      assert.include(page.url(), "/acme/flows")
    }))

  it("opens a row, goes on to its evidence and back, with Enter and Escape", () =>
    visit(world, async ({ page, open, settled, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod")
      await settled()
      await page.keyboard.press("j")
      await page.keyboard.press("Enter")
      await page.waitForURL(/[?&]row=/)
      await page.getByText("All rules").waitFor()
      await page.keyboard.press("Escape")
      await page.waitForURL((url) => !url.search.includes("row="))
      await open("/acme/flows")
      await settled()
      await page.keyboard.press("j")
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/acme\/flows\/[a-z]+$/)
      await page.keyboard.press("g")
      await page.keyboard.press("o")
      await page.waitForURL(/\/acme$/)
    }))
})

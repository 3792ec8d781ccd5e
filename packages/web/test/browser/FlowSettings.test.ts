/** The settings of a flow: problems beside the template, tags, another name, and the end. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("settings of a flow", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("say what is wrong with a template, and save one that is right", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.member)
        await open("/acme/flows/shop/settings")
        const template = page.getByRole("textbox", { name: "Template in YAML" })
        const write = async (text: string) => {
          await template.click()
          await page.keyboard.press("Control+a")
          await page.keyboard.press("Delete")
          await page.keyboard.insertText(text)
        }
        await write("version: 1\ntrail:\n  attestations:\n  - name: review\n    type: 7\n")
        const problems = page.getByRole("status", { name: "Problems of the text" })
        await problems.getByText("line 5").waitFor()
        await page.getByRole("button", { name: "Save" }).click()
        await page
          .locator(".template-editor")
          .getByRole("alert")
          .filter({ hasText: /type/ })
          .waitFor()
        await write("version: 1\ntrail:\n  attestations:\n  - name: signed\n    type: generic\n")
        await problems.getByText("No problems.").waitFor()
        await page.getByRole("button", { name: "Save" }).click()
        await page.getByText("Saved.").waitFor()
        const flow = (await world.call("GET /flows/acme/shop")) as { readonly template: string }
        assert.include(flow.template, "signed")
      },
      { statuses: [400] }
    ))

  it("set and remove tags, rename and archive", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/flows/audit/settings")
      await page.getByLabel("Key").fill("risk")
      await page.getByLabel("Value").fill("high")
      await page.getByRole("button", { name: "Set tag" }).click()
      await page.getByText("risk: high").waitFor()
      await page.getByRole("button", { name: "Remove risk" }).click()
      await page.getByText("risk: high").waitFor({ state: "detached" })
      await page.getByLabel("Name of the flow", { exact: true }).fill("checks")
      await page.getByRole("button", { name: "Rename" }).click()
      await page.waitForURL(/\/flows\/checks\/settings$/)
      await page.getByRole("heading", { name: "checks" }).waitFor()
      await page.getByRole("button", { name: "Archive this flow" }).click()
      await page.getByText("Type the name of the flow.").waitFor()
      await page.getByLabel("Name of the flow, to be sure").fill("checks")
      await page.getByRole("button", { name: "Archive this flow" }).click()
      await page.waitForURL(/\/acme\/flows$/)
      await page.getByRole("link", { name: "shop" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "checks" }).count(), 0)
    }))

  it("are absent for readers", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/flows/shop/settings")
      await page.getByText("Your role may not change this flow.").waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "Settings" }).count(), 0)
    }))
})

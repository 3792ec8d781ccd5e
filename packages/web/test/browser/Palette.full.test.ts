/** Scenario 23, the palette: names, fingerprints and commits by the keyboard alone, commands, and single keys. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("the command palette", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("finds a name, the beginning of a fingerprint and a whole commit, by the keyboard alone", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/flows")
        await page.getByRole("heading", { name: "Flows" }).waitFor()
        const search = async (text: string, result: string | RegExp) => {
          await page.keyboard.press("Control+K")
          await page.getByRole("combobox", { name: "Search or jump" }).waitFor()
          await page.keyboard.type(text)
          await page.getByRole("option", { name: result }).first().waitFor()
        }
        await search("prod", "prod")
        await page.keyboard.press("Enter")
        await page.waitForURL("**/acme/environments/prod")
        await search(PRINTS.shop10.slice(0, 6), /24adeb/)
        await page.keyboard.press("Enter")
        await page.waitForURL(`**/artifacts/${PRINTS.shop10}`)
        await search("shop:1", /shop:10.*24adeb/)
        await page.keyboard.press("Escape")
        await search(TRAILS.shop11, /ffedb0f/)
        const trail = page.getByRole("option").filter({ hasText: "shop · main" })
        await trail.waitFor()
        for (let step = 0; step < 5; step += 1) {
          if ((await trail.getAttribute("aria-selected")) === "true") break
          await page.keyboard.press("ArrowDown")
        }
        await page.keyboard.press("Enter")
        await page.waitForURL(`**/acme/flows/shop/trails/${TRAILS.shop11}`)
        await page.keyboard.press("Control+K")
        await page.getByText("recent pages").waitFor()
        await page.getByRole("option", { name: "Flows", exact: true }).waitFor()
        await page.keyboard.press("Escape")
        await page.getByRole("combobox", { name: "Search or jump" }).waitFor({ state: "detached" })
      },
      { statuses: [404] }
    ))

  it("runs commands, and says when nothing fits", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/flows")
        await page.getByRole("button", { name: "Search or jump" }).click()
        await page.getByRole("combobox", { name: "Search or jump" }).waitFor()
        await page.keyboard.type("dark")
        await page.getByRole("option", { name: "Use the dark theme" }).waitFor()
        await page.keyboard.press("Enter")
        await page.waitForSelector('html[data-theme="dark"]')
        await page.keyboard.press("Control+K")
        await page.getByRole("combobox", { name: "Search or jump" }).waitFor()
        await page.keyboard.type("zzqqxx")
        await page.getByText("Nothing fits.").waitFor()
        await page.getByRole("combobox", { name: "Search or jump" }).fill("go to audit")
        await page.getByText("Nothing fits.").waitFor()
        assert.strictEqual(await page.getByRole("option", { name: "Go to Audit log" }).count(), 0)
      },
      { statuses: [404] }
    ))

  it("goes to the pages about spaces and access, for those who have them", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        const goings = [
          ["Move things", "/acme/spaces/move"],
          ["Placement rules", "/acme/spaces/placement"],
          ["Who may do what", "/acme/access/who"]
        ] as const
        const palette = page.getByRole("combobox", { name: "Search or jump" })
        await signIn(world.keys.admin)
        for (const [name, path] of goings) {
          await open("/acme/flows")
          await page.getByRole("heading", { name: "Flows" }).waitFor()
          await page.keyboard.press("Control+K")
          await palette.fill(`go to ${name.toLowerCase()}`)
          await page.getByRole("option", { name: `Go to ${name}`, exact: true }).waitFor()
          await page.keyboard.press("Enter")
          await page.waitForURL(`**${path}`)
          await page.getByRole("main").getByRole("heading").first().waitFor()
        }
      },
      { statuses: [404] }
    ))

  it("has no page about places for a reader", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        const palette = page.getByRole("combobox", { name: "Search or jump" })
        await signIn(world.keys.reader)
        await open("/acme/flows")
        await page.getByRole("heading", { name: "Flows" }).waitFor()
        await page.keyboard.press("Control+K")
        await palette.fill("go to who may do what")
        await page.getByRole("option", { name: "Go to Who may do what", exact: true }).waitFor()
        for (const text of ["go to move things", "go to placement rules"]) {
          await palette.fill(text)
          await page.getByText("Nothing fits.").waitFor()
        }
      },
      { statuses: [404] }
    ))

  it("has a page of its own, which opens the one artifact of a whole fingerprint", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/search?q=shop")
        await page.getByRole("heading", { name: "Flows" }).waitFor()
        await page.getByRole("link", { name: "shop", exact: true }).waitFor()
        await open(`/acme/search?q=${PRINTS.redis}`)
        await page.waitForURL(`**/artifacts/${PRINTS.redis}`)
      },
      { statuses: [404] }
    ))

  it("leaves single keys to fields, shows them with ?, and lets them be switched off", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/flows")
      await page.getByRole("link", { name: "shop" }).first().waitFor()
      await page.keyboard.press("?")
      await page.getByRole("dialog", { name: "Keys" }).waitFor()
      await page.keyboard.press("Escape")
      await page.keyboard.press("j")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "TR")
      await page.keyboard.press("/")
      await page.keyboard.type("go?")
      assert.strictEqual(await page.getByLabel("Filter by name").inputValue(), "go?")
      assert.strictEqual(await page.getByRole("dialog").count(), 0)
      await open("/_/preferences")
      await page.getByRole("group", { name: "Shortcuts of a single key" }).getByLabel("Off").check()
      await open("/acme/flows")
      await page.getByRole("heading", { name: "Flows" }).waitFor()
      await page.keyboard.press("?")
      assert.strictEqual(await page.getByRole("dialog").count(), 0)
      await page.keyboard.press("Control+K")
      await page.getByRole("combobox", { name: "Search or jump" }).waitFor()
    }))
})

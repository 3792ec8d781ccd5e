/** The documentation in a browser: looks, search by keyboard, anchors of split documents, no script, a base path. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf } from "./Look.js"

const PAGES = [
  "/docs/",
  "/docs/start/",
  "/docs/cli/",
  "/docs/cli/every-command/attest/",
  "/docs/operating/",
  "/docs/writing-policies/"
]

inBrowser("the documentation", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start({ basePath: "/attestry" })
  })
  afterAll(() => world?.stop())

  it("can be read by everyone, in the looks of pages", () =>
    visit(world, async (visitor) => {
      for (const path of PAGES) {
        await visitor.open(path)
        assert.deepStrictEqual(await faultsOf(visitor, path.replaceAll("/", "-")), [])
      }
    }))

  it("is searched with the keyboard alone", () =>
    visit(world, async ({ page, open }) => {
      await open("/docs/")
      await page.keyboard.press("/")
      await page.keyboard.type("backup restore")
      const options = page.getByRole("option")
      await options.first().waitFor()
      assert.include((await options.first().textContent()) ?? "", "Backup and restore")
      assert.strictEqual(await options.first().getAttribute("aria-selected"), "true")
      await page.keyboard.press("ArrowDown")
      assert.strictEqual(await options.nth(1).getAttribute("aria-selected"), "true")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("Enter")
      await page.waitForURL("**/attestry/docs/operating/backup-and-restore/")
      await page.getByRole("heading", { name: "Backup and restore", level: 1 }).waitFor()
      await page.getByRole("combobox").fill("nothing has this wyrd")
      await page.getByText("Nothing has all of these words.").waitFor()
      await page.keyboard.press("Escape")
      assert.strictEqual(await page.getByRole("combobox").inputValue(), "")
    }))

  it("leads from an anchor of a split document to the page that has it", () =>
    visit(world, async ({ page, open }) => {
      await open("/docs/cli/#begin")
      await page.waitForURL("**/attestry/docs/cli/every-command/begin/#begin")
      await page.getByRole("heading", { name: "begin", exact: true }).first().waitFor()
    }))

  it("is read without scripts, and is linked from the pages", () =>
    visit(world, async ({ page, open, signIn, context }) => {
      const plain = await context.browser()?.newContext({ javaScriptEnabled: false })
      const reader = await plain?.newPage()
      await reader?.goto(`${world.url}/docs`)
      assert.isTrue(reader?.url().endsWith("/attestry/docs/"))
      await reader?.getByRole("link", { name: "From your pipeline" }).first().click()
      await reader?.getByRole("heading", { name: "From your pipeline", level: 1 }).waitFor()
      assert.isFalse(await reader?.getByRole("search").isVisible())
      await plain?.close()
      await signIn(world.keys.admin)
      await open("/acme")
      await page.getByRole("link", { name: "Documentation", exact: true }).click()
      await page.getByRole("heading", { name: "Documentation", level: 1 }).waitFor()
    }))

  it("has a page for addresses without one", () =>
    visit(
      world,
      async ({ page, open }) => {
        await open("/docs/no/such/page")
        await page.getByRole("heading", { name: "No such page" }).waitFor()
        await page.getByRole("link", { name: "all documents" }).click()
        await page.waitForURL("**/attestry/docs/")
      },
      { statuses: [404] }
    ))
})

/** Where it ran, by each subject, with links from the pages that know one. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { sendComponents } from "../fixture/ComponentWorld.js"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("where it ran", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("is reached from the pages that know a subject, and asked by it", () =>
    visit(world, async ({ page, open, go, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/where-it-ran")
      await page.getByRole("heading", { level: 1 }).waitFor()
      const record = `/acme/flows/shop/artifacts/${PRINTS.shop10}`
      const title = page.getByRole("heading", { name: "Each time by itself" })
      const ways: ReadonlyArray<readonly [path: string, link: string, expected: RegExp]> = [
        [record, "Each time by itself", /fingerprint=24adeb/],
        [record, "where it ran, by commit", /commit=363e3c4/],
        [record, "where it ran, by author", /author=Jo/],
        [record, "where it ran, by builder", /builder=https%3A%2F%2Fci\.example\.org$/],
        ["/acme/flows/shop", "where it ran, by flow", /flow_name=shop/],
        ["/acme/repos/team/shop", "where it ran, by repository", /repo_name=team%2Fshop/],
        [`/acme/flows/shop/trails/${TRAILS.shop10}`, "where it ran, by commit", /commit=363e3c4/]
      ]
      for (const [path, link, expected] of ways) {
        await go(path)
        await page.getByRole("link", { name: link }).click()
        await page.waitForURL(expected)
        await title.waitFor()
        const table = page.getByRole("table", { name: "Each time by itself" })
        assert.isAbove(await table.getByRole("row").count(), 1, link)
        assert.isAbove(await page.locator(".run-line").count(), 0)
      }
    }))

  it("asks what is typed, filters, and says what cannot be asked or was never seen", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/where-it-ran")
      await page.getByLabel("Asked by").selectOption("fingerprint")
      await page.getByLabel("Which fingerprint").fill("nonsense")
      await page.getByRole("button", { name: "Ask" }).click()
      await page.getByText("Give 5 to 64 characters").waitFor()
      await page.getByLabel("Which fingerprint").fill(`sha256:${PRINTS.shop10}`)
      await page.getByRole("button", { name: "Ask" }).click()
      await page.waitForURL(/fingerprint=24adeb/)
      await page.getByText(/times in 2 environments/).waitFor()
      await page.getByLabel("Running").selectOption("true")
      await page.waitForURL(/running=true/)
      const rows = page.getByRole("table", { name: "Each time by itself" }).locator("tbody tr")
      await page.getByText(/time in 1 environment, 1 of them now/).waitFor()
      assert.strictEqual(await rows.count(), 1)
      await page.getByLabel("Environment").selectOption("test")
      await page.getByText("No time fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByText(/times in 2 environments/).waitFor()
      const day = (days: number) =>
        new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
      await page.getByLabel("From (UTC)").fill(day(1))
      await page.waitForURL(new RegExp(`from=${day(1)}`))
      await page.getByText(/time in 1 environment, 1 of them now/).waitFor()
      await page.getByLabel("to", { exact: true }).fill(day(-1))
      await page.getByText("The first day is after the last").waitFor()
      await page.getByLabel("From (UTC)").fill("")
      await page.getByText("No time fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByText(/times in 2 environments/).waitFor()
      assert.strictEqual(await page.getByLabel("to", { exact: true }).inputValue(), "")
      await page.getByLabel("to", { exact: true }).fill(day(1))
      await page.waitForURL(new RegExp(`to=${day(1)}`))
      await page.getByText(/times in 2 environments/).waitFor()
      await open("/acme/where-it-ran?author=Kim")
      await page.getByText("Nothing of author Kim ran anywhere").waitFor()
    }))

  it("is asked by a component, by a range of its versions, and by a vulnerability", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await sendComponents(world)
        await signIn(world.keys.reader)
        await open("/acme/where-it-ran")
        const ask = page.getByRole("button", { name: "Ask" })
        await page.getByLabel("Asked by").selectOption("purl")
        const field = page.getByLabel("Which component")
        await field.fill("lodash")
        await ask.click()
        await page.getByRole("alert").getByText("the text is no purl such as").waitFor()
        assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
        await look(visitor, "where-it-ran-refused")
        await field.fill("pkg:npm/lodash")
        await page.getByLabel("Versions", { exact: true }).fill("<")
        await ask.click()
        await page.getByRole("alert").getByText("the range is not bounds such as").waitFor()
        assert.strictEqual(await field.getAttribute("aria-invalid"), "false")
        await page.getByLabel("Versions", { exact: true }).fill("<4.17.21")
        await page.keyboard.press("Enter")
        await page.waitForURL(/purl=pkg%3Anpm%2Flodash&versions=%3C4\.17\.21$/)
        const rows = page.getByRole("table", { name: "Each time by itself" }).locator("tbody tr")
        await rows.first().waitFor()
        assert.strictEqual(await rows.count(), 1)
        await page.getByText("2 artifacts that ran have no bill of materials").waitFor()
        await look(visitor, "where-it-ran-component")
        await page.getByLabel("Versions", { exact: true }).fill("")
        await ask.click()
        await page.waitForURL(/purl=pkg%3Anpm%2Flodash$/)
        await page.getByText(/times in 2 environments/).waitFor()
        await rows.getByRole("link", { name: "npm/lodash@4.17.21" }).first().click()
        await page.getByRole("heading", { level: 1, name: "lodash 4.17.21" }).waitFor()
        await open("/acme/where-it-ran")
        await page.getByLabel("Asked by").selectOption("base_image")
        await page.getByLabel("Which base image").fill("Node")
        await ask.click()
        await page.getByText("Give an image that artifacts were built on").waitFor()
        await page.getByLabel("Which base image").fill("node:20-alpine")
        await ask.click()
        await page.waitForURL(/purl=pkg%3Adocker%2Fnode%4020-alpine$/)
        assert.strictEqual(await field.inputValue(), "pkg:docker/node@20-alpine")
        await page.getByLabel("Asked by").selectOption("base_image")
        await page.getByLabel("Which base image").fill("docker.io/library/node:20")
        await ask.click()
        await page.waitForURL(/purl=pkg%3Adocker%2Fnode%4020$/)
        assert.strictEqual(await field.inputValue(), "pkg:docker/node@20")
        await open("/acme/where-it-ran")
        await page.getByLabel("Asked by").selectOption("vulnerability")
        await page.getByLabel("Which vulnerability").fill("CVE-2026-1234")
        await ask.click()
        await page.waitForURL(/vulnerability=CVE-2026-1234$/)
        await rows.first().waitFor()
        assert.strictEqual(await page.getByText("mitigated by VEX").count(), 0)
        await open("/acme/where-it-ran?vulnerability=CVE-2026-2")
        await rows.getByText("mitigated by VEX").waitFor()
        await page.locator(".run").getByText("mitigated by VEX").waitFor()
        await look(visitor, "where-it-ran-vulnerability")
        await open("/acme/where-it-ran?vulnerability=CVE-2026-9")
        await page.getByText("Nothing of vulnerability CVE-2026-9 ran anywhere").waitFor()
        await page.getByText("2 artifacts that ran have no bill of materials").waitFor()
      },
      { statuses: [400] }
    ))
})

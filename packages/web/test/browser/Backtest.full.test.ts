/** A backtest of a policy: started, drawn, stopped and continued. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

const SCAN = "type: generic, name: scan"

inBrowser("a policy over history", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await PolicyWorld.seedPolicies(world)
    await world.call("PUT /environments/acme", {
      name: "everywhere",
      type: "logical",
      description: "",
      included_environments: ["prod-us", "staging"],
      policies: ["known-builds"]
    })
    await PolicyWorld.savePolicy(world, "known-builds", PolicyWorld.policyText(SCAN), "stricter")
  })
  afterAll(() => world?.stop())

  const path = "/acme/policies/known-builds/backtest"

  it("runs on demand, is drawn by environment, and gives reasons", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/policies/known-builds")
      await page.getByRole("link", { name: "Test against history" }).click()
      await page.getByRole("button", { name: "Run the test" }).click()
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      await page.getByText("environment-hours").waitFor()
      const flips = page.getByRole("table", { name: "Flips" }).locator("tbody tr")
      assert.isAbove(await flips.count(), 0)
      await flips.first().getByRole("button").click()
      await page.getByText("there is no attestation `scan`").first().waitFor()
      await page.waitForURL(/flip=/)
      await page.getByLabel("Environment", { exact: true }).selectOption("staging")
      await page.waitForURL(/environment=staging/)
      await page.locator(".flip-head").filter({ hasText: "not compliant" }).waitFor()
      assert.strictEqual(await page.locator(".flip-head").count(), 1)
    }))

  it("goes on by its cursor after the connection broke, and can be stopped", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      const asked: Array<{ readonly cursor?: string }> = []
      await page.route("**/api/v2/policies/acme/backtest", async (route) => {
        const body = route.request().postDataJSON() as { readonly cursor?: string }
        asked.push(body)
        const response = await route.fetch()
        const lines = (await response.text()).split("\n")
        const first = lines.findIndex((line) => line.includes('"type":"progress"'))
        const end = lines.findIndex(
          (line, at) => at > first && line.includes('"type":"environment"')
        )
        const cut =
          asked.length === 1 ? `${lines.slice(0, end + 1).join("\n")}\n` : lines.join("\n")
        await route.fulfill({ response, body: cut })
      })
      await open(`${path}?play=1`)
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      assert.lengthOf(asked, 2)
      assert.isUndefined(asked[0]?.cursor)
      assert.isString(asked[1]?.cursor)
      const heads = await page.locator(".flip-head h2").allTextContents()
      assert.strictEqual(new Set(heads).size, heads.length)
      await page.unroute("**/api/v2/policies/acme/backtest")
      await page.route("**/api/v2/policies/acme/backtest", () => undefined)
      await open(`${path}?play=1&days=7`)
      await page.getByRole("button", { name: "Stop" }).click()
      await page.getByText(/^stopped after 0 of/).waitFor()
      await page.unroute("**/api/v2/policies/acme/backtest")
      await page.getByRole("button", { name: "Begin again" }).click()
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
    }))

  it("replays the draft of the tab, also of a policy that is not saved", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/policies/_new")
      const editor = page.getByRole("textbox", { name: "Text of the policy" })
      await editor.click({ position: { x: 20, y: 20 } })
      await page.keyboard.press("Control+a")
      await page.keyboard.press("Delete")
      await page.keyboard.insertText(PolicyWorld.policyText("type: generic, name: sbom"))
      await page.getByRole("link", { name: "Test against history" }).click()
      await page.waitForURL(/_new\/backtest/)
      await page.getByRole("button", { name: "Run the test" }).click()
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      await page.getByText("there is no attestation `sbom`").first().waitFor()
      await open("/acme/policies/known-builds/backtest?version=draft")
      await page.getByText("There is no draft in this tab").waitFor()
    }))

  it("tells the rows of a logical environment by their members", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(`${path}?play=1&environment=everywhere`)
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      const everywhere = page.locator(".flip-environment").filter({
        has: page.getByRole("heading", { name: "everywhere" })
      })
      await everywhere.getByRole("button", { name: /search:9 in staging$/ }).click()
      const reasons = page.getByRole("region", { name: /^Reasons for .*search:9$/ })
      await reasons.getByRole("link", { name: "staging", exact: true }).waitFor()
      await reasons.getByText("there is no attestation `scan`").waitFor()
      await page
        .getByRole("table", { name: "Flips" })
        .getByText("everywhere / staging")
        .first()
        .waitFor()
      assert.strictEqual(await page.locator(".note").count(), 0)
      await look(visitor, "backtest-logical")
    }))

  it("names the logical environment that is not replayed", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(`${path}?play=1&environment=staging`)
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      await page
        .getByText(/known-builds is attached to the logical environment everywhere, whose verdict/)
        .waitFor()
      await look(visitor, "backtest-note")
    }))

  it("is readable", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(`${path}?play=1`)
      await page.getByText(/^replayed \d+ of \d+ snapshots$/).waitFor()
      await page.getByRole("table", { name: "Flips" }).locator("tbody button").first().click()
      await look(visitor, "backtest")
    }))
})

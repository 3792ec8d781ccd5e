/** Scenario 10: the matrix of a flow, and a trail that fills while it is looked at. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, REPORT, reporterOf, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("flows", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("have a matrix with a cell for each attestation, totals, and a first column that stays", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/flows")
        await page.getByRole("link", { name: "shop" }).click()
        const row = (name: string) => page.getByRole("row").filter({ hasText: name })
        const cell = (trail: string, text: string) => row(trail).getByText(text, { exact: true })
        await cell("change 11", "app scan: missing").waitFor({ state: "attached" })
        await cell("change 9", "app unit-tests: not compliant").waitFor({ state: "attached" })
        await cell("change 10", "app licence: compliant, not in the template").waitFor({
          state: "attached"
        })
        assert.include((await row("Share complete").textContent()) ?? "", "67 %")
        await row("change 10").getByText("prod").waitFor()
        assert.isFalse(await page.getByRole("link", { name: "Settings" }).isVisible())
        const scroller = page.locator(".table-scroller")
        await scroller.evaluate((element) => element.scrollTo({ left: 400 }))
        assert.isAbove(await scroller.evaluate((element) => element.scrollLeft), 0)
        const first = await page.getByRole("link", { name: "ffedb0f" }).boundingBox()
        assert.isAtLeast(first?.x ?? -1, 0)
      },
      { width: 640 }
    ))

  it("filter trails on the server, in the address, and clear the filters", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/flows/shop?status=INCOMPLETE")
      await page.getByRole("link", { name: "ffedb0f" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "363e3c4" }).count(), 0)
      await page.getByLabel("Filter by name of the trail").fill("nothing")
      await page.getByText("No trail fits the filters").waitFor()
      assert.include(page.url(), "q=nothing")
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByRole("link", { name: "363e3c4" }).waitFor()
      assert.notInclude(page.url(), "q=")
    }))

  it("lead from a failing cell to the file of its evidence", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/flows/shop")
      await page.getByRole("link", { name: "app unit-tests: not compliant" }).click()
      const panel = page.getByRole("dialog")
      await panel.getByText("because a suite has failures or errors").waitFor()
      const download = page.waitForEvent("download")
      await panel.getByRole("link", { name: "report.xml" }).click()
      const stream = await (await download).createReadStream()
      const chunks: Array<Buffer> = []
      for await (const chunk of stream) chunks.push(chunk)
      assert.strictEqual(Buffer.concat(chunks).toString(), REPORT)
      assert.strictEqual(await panel.getByRole("button", { name: "Override…" }).count(), 0)
      await page.keyboard.press("Escape")
      await panel.waitFor({ state: "detached" })
      assert.notInclude(page.url(), "attestation_id")
      await page.goBack()
      await panel.waitFor()
    }))

  it("show a trail that fills while it is looked at", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(`/acme/flows/shop/trails/${TRAILS.shop11}`)
      await page.getByText("2 of 4 attestations missing").waitFor()
      const command = page.getByText("attestry attest snyk '<SCAN_FILE>' --name scan")
      assert.isTrue(await command.isVisible())
      const { ofArtifact } = reporterOf(world)
      await ofArtifact("shop11", "generic", { attestation_name: "sbom", is_compliant: true })
      await page.getByText("1 of 4 attestations missing").waitFor({ timeout: 15_000 })
      const scan = (high_count: number) => ({
        attestation_name: "scan",
        snyk_results: {
          schema_version: 1,
          tool: { name: "scanner", version: "1.2" },
          results: [{ high_count, medium_count: 0, low_count: 0 }]
        }
      })
      await ofArtifact("shop11", "snyk", scan(1))
      await page.getByText("1 attestation not compliant").first().waitFor({ timeout: 15_000 })
      await ofArtifact("shop11", "snyk", scan(0))
      await page.getByText("all 4 attestations in place").waitFor({ timeout: 15_000 })
      await page.getByText(`runs in test #2`).waitFor()
      await page.getByRole("link", { name: "registry.example.org/shop:11" }).click()
      await page.getByText(PRINTS.shop11, { exact: true }).waitFor()
    }))

  it("say that nothing is expected of a trail whose flow asks for nothing", () =>
    visit(world, async ({ page, open, signIn }) => {
      await world.call("PUT /flows/acme", { name: "untemplated", description: "" })
      await world.call("PUT /trails/acme/untemplated", { name: "t1" })
      await signIn(world.keys.reader)
      await open("/acme/flows/untemplated/trails/t1")
      await page.getByText("nothing is expected of this trail", { exact: true }).waitFor()
    }))
})

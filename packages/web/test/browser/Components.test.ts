/** Components: their list with its search, a package and one version, those of an artifact, and findings of a scan. */
import { afterAll, assert, beforeAll, it } from "vitest"
import {
  PARTS_COUNT,
  PURLS,
  type SentDocuments,
  sendComponents
} from "../fixture/ComponentWorld.js"
import { PRINTS, seedFlows } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("components", ({ visit }) => {
  let world: World.World
  let sent: SentDocuments
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("are none at first, and pages say which command sends them", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/artifacts")
      await page.getByRole("link", { name: "Components", exact: true }).click()
      await page.getByText("No components yet").waitFor()
      await look(visitor, "components-none")
      await open(`/acme/artifacts/${PRINTS.redis}`)
      await page.getByText("No bill of materials", { exact: true }).waitFor()
      await page
        .getByText(new RegExp(`attestry attest sbom FILE --fingerprint ${PRINTS.redis}`))
        .waitFor()
      assert.strictEqual(await page.getByLabel("Beginning of a name").count(), 0)
      await look(visitor, "artifact-without-sbom")
      sent = await sendComponents(world)
    }))

  it("are listed by name, in pages, and found by the beginning of a name", () =>
    visit(world, async (visitor) => {
      const { page, open, settled, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/components")
      const rows = page.getByRole("table", { name: "Components" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 50)
      await page.getByText(`1–50 of ${PARTS_COUNT + 4} components`).waitFor()
      await look(visitor, "components")
      await page.getByRole("link", { name: "Next ›" }).click()
      await page.waitForURL(/page=2/)
      await settled()
      assert.strictEqual(await rows.count(), PARTS_COUNT + 4 - 50)
      const search = page.getByLabel("Beginning of a name")
      await search.fill("lo")
      await page.getByText("Give at least 3 characters").waitFor()
      await search.fill("lod")
      await page.getByRole("link", { name: "4.17.21", exact: true }).waitFor()
      assert.strictEqual(await rows.count(), 2)
      await search.fill("nothing")
      await page.getByText("No component fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await rows.first().waitFor()
      await page.getByLabel("Whole fingerprint").fill("3e1a")
      await page.getByText("Give a whole fingerprint").waitFor()
      await page.getByLabel("Whole fingerprint").fill(PRINTS.shop9)
      await page.waitForURL(/fingerprint=3e1a77/)
      await settled()
      assert.strictEqual(await rows.count(), 3)
    }))

  it("have a page of all versions, and one of each", () =>
    visit(world, async (visitor) => {
      const { page, open, settled, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/components?q=lodash")
      await page.getByRole("link", { name: "lodash", exact: true }).first().click()
      await page.getByRole("heading", { level: 1, name: "lodash", exact: true }).waitFor()
      const rows = page.getByRole("table", { name: "Versions" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 2)
      await rows.filter({ hasText: "4.17.21" }).getByRole("link", { name: "prod" }).waitFor()
      await look(visitor, "component")
      await rows.first().press("Enter")
      await page.getByRole("heading", { level: 1, name: "lodash 4.17.20" }).waitFor()
      await page.locator(".run").getByText("until").waitFor()
      await page.getByText("no environment").waitFor()
      await look(visitor, "component-version")
      await page.getByRole("link", { name: "where it ran, by component" }).click()
      await page.waitForURL(/purl=pkg%3Anpm%2Flodash%404\.17\.20$/)
      await page.getByText(/time in 1 environment, 0 of them now/).waitFor()
      for (const purl of [PURLS.angular, PURLS.libc]) {
        await open(`/acme/components/${encodeURIComponent(purl)}`)
        await settled()
        await page.getByText(purl, { exact: true }).first().waitFor()
        await page.getByText("All versions").waitFor()
      }
      await open("/acme/components/pkg%3Anpm/nothing")
      await page.getByText("No artifact is known to contain it").waitFor()
      await look(visitor, "component-unknown")
    }))

  it("of what is no package URL say so", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/components/lodash")
        await page.getByText(/the text is no purl/).waitFor()
      },
      { statuses: [400] }
    ))

  it("of an artifact are on its page, with a search and pages", () =>
    visit(world, async (visitor) => {
      const { page, open, settled, signIn } = visitor
      await signIn(world.keys.reader)
      for (const path of [
        `/acme/artifacts/${PRINTS.shop10}`,
        `/acme/flows/shop/artifacts/${PRINTS.shop10}`
      ]) {
        await open(path)
        const rows = page.getByRole("table", { name: "Components" }).locator("tbody tr")
        await rows.first().waitFor()
        assert.strictEqual(await rows.count(), 20)
        await page.getByRole("link", { name: "Next ›" }).click()
        await page.waitForURL(/page=2/)
        await page.getByText(`21–40 of ${PARTS_COUNT + 1} components`).waitFor()
        await page.getByLabel("Beginning of a name").fill("part-3")
        await page.waitForURL(/q=part-3/)
        await settled()
        assert.strictEqual(await rows.count(), 10)
        await page.getByRole("table", { name: "Components" }).scrollIntoViewIfNeeded()
        await look(visitor, "artifact-components")
      }
      await page.getByRole("link", { name: "bills of materials" }).click()
      await page.getByText("shop10.cdx.json").waitFor()
    }))

  it("are reached from the documents that name them", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(`/acme/evidence/${sent.sbom}`)
      await page.getByRole("link", { name: "components of 24adeb" }).first().click()
      await page.waitForURL(/components\?fingerprint=24adeb/)
      await page.getByText(`1–50 of ${PARTS_COUNT + 1} components`).waitFor()
      await open(`/acme/evidence/${sent.scan}`)
      const rows = page.getByRole("table", { name: "Findings" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 3)
      await look(visitor, "evidence-scan")
      await rows.getByRole("link", { name: "npm/lodash@4.17.20" }).waitFor()
      await page.getByRole("link", { name: "where it ran: CVE-2026-1234" }).click()
      await page.waitForURL(/where-it-ran\?vulnerability=CVE-2026-1234$/)
      await page.getByText(/time in 1 environment, 0 of them now/).waitFor()
    }))
})

/** Scenario 17, overrides: an override changes the page, and a double click writes once. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("overrides", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  const overrides = async (): Promise<number> => {
    const { data } = (await world.call(
      `GET /attestations/acme?flow_name=shop&trail_name=${TRAILS.shop9}&name=unit-tests`
    )) as { readonly data: ReadonlyArray<{ readonly is_override: boolean }> }
    return data.filter(({ is_override }) => is_override).length
  }

  it("ask for a reason, change the verdicts on screen, and are written once", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open(`/acme/flows/shop/trails/${TRAILS.shop9}`)
      await page.getByText("1 attestation not compliant").waitFor()
      await page.getByRole("link", { name: "unit-tests" }).click()
      const panel = page.getByRole("dialog")
      await panel.getByRole("button", { name: "Override…" }).click()
      await panel.getByRole("button", { name: "Override", exact: true }).click()
      await panel.getByText("Say why.").waitFor()
      assert.strictEqual(await overrides(), 0)
      await panel.getByLabel("Reason").fill("flaky, see ISSUE-12")
      await panel.getByRole("button", { name: "Override", exact: true }).dblclick()
      await panel.getByText("replaced by an override").waitFor()
      await panel.getByText("flaky, see ISSUE-12").waitFor()
      await panel.getByRole("button", { name: "Close" }).click()
      await page.getByText("all 4 attestations in place").waitFor()
      await page.getByText("overridden: flaky, see ISSUE-12").waitFor()
      assert.strictEqual(await overrides(), 1)
    }))

  it("are absent for readers", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/attestations")
      await page.getByRole("link", { name: "scan" }).first().click()
      await page.getByRole("dialog").getByText("every count is 0").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Override…" }).count(), 0)
    }))
})

/** The second slider: a snapshot as of its own time, an instant, and now. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("what was known", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await PolicyWorld.seedPolicies(world)
    const scan = PolicyWorld.policyText("type: generic, name: late-scan")
    await PolicyWorld.savePolicy(world, "known-builds", scan)
    await world.call("POST /attestations/acme/shop/trail/build-10/generic", {
      attestation_name: "late-scan",
      is_compliant: true
    })
  })
  afterAll(() => world?.stop())

  it("is chosen on the slider and in the address, beside what was recorded", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/staging/snapshots/2")
      const part = page.getByRole("region", { name: "What was known" })
      await part.getByText("as recorded", { exact: true }).waitFor()
      await part.getByRole("button", { name: "as known now" }).click()
      await page.waitForURL(/as_of=now/)
      await part.getByText("1 of 3 rows have another verdict").waitFor()
      await part.getByText("it decides").waitFor()
      await part.getByRole("button", { name: "as known then" }).click()
      await page.waitForURL(/as_of=\d+\.\d{3}/)
      await part.getByText("every row has the verdict of the record").waitFor()
      await part.getByRole("slider", { name: "Known at" }).press("End")
      await part.getByText("1 of 3 rows have another verdict").waitFor()
      await part.getByRole("button", { name: "As recorded" }).click()
      await page.waitForURL((url) => !url.search.includes("as_of"))
      assert.strictEqual(await part.getByText("it decides").count(), 0)
    }))

  it("is readable", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/environments/staging/snapshots/2?as_of=now")
      await page.getByText("it decides").waitFor()
      await look(visitor, "knowledge")
    }))
})

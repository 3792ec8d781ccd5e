/** The journal names the subjects of entries by their present names. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("the audit log", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
    await world.call("PUT /flows/acme/audit/rename", { new_name: "checks" })
    await world.call("PUT /environments/acme/test/rename", { new_name: "testing" })
  })
  afterAll(() => world?.stop())

  it("names flows, trails and environments, also where the entry has their ids alone", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      const subjects = async (kind: string) => {
        await open(`/acme/audit-log?kind=${kind}`)
        const rows = page.getByRole("table", { name: "Changes" }).locator("tbody tr")
        await rows.first().waitFor()
        return rows.locator("td:nth-of-type(3)").allTextContents()
      }
      const attested = await subjects("artifact_attestation_reported")
      assert.include(attested, "trail checks › audit-1 › second-look")
      assert.isTrue(attested.some((text) => text.startsWith("trail shop › ")))
      assert.includeMembers(await subjects("snapshot_created"), [
        "environment prod › snapshot 1",
        "environment testing › snapshot 1"
      ])
    }))

  it("opens an entry with the name of its subject", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/audit-log?kind=artifact_attestation_reported")
      await page.getByRole("link", { name: "artifact attestation reported" }).last().click()
      const panel = page.getByRole("dialog")
      await panel.getByText(`shop › ${TRAILS.shop9}`).waitFor()
      await look(visitor, "audit-entry-named")
    }))

  it("is readable", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/audit-log")
      await page.getByText("second-look").first().waitFor()
      await look(visitor, "audit-log-named")
    }))
})

/** Silence on the board, on the page of an environment and in its settings. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { environment, KNOWN, report, seedBoard } from "../fixture/BoardWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("silence", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedBoard(world)
    await environment(world, "edge")
    await world.call("PATCH /environments/acme/edge", {
      report_every: 900,
      when_silent: "non_compliant"
    })
    await report(world, "edge", { "shop:10": KNOWN })
    await world.silence("edge")
    await world.call("POST /environments/acme/edge/policies", { policy_names: ["known-builds"] })
  })
  afterAll(() => world?.stop())

  it("is on the board by the environment's own cadence", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme")
      const line = page.getByRole("listitem").filter({ hasText: "silent for" })
      await line.getByText("must report every 15 minutes; not compliant").waitFor()
      await page.getByText("silent", { exact: true }).last().waitFor()
      await look(visitor, "silent-board")
    }))

  it("is a reason of the snapshot on the page of the environment", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/environments/edge")
      const reasons = page.getByRole("list", { name: "Reasons" }).first()
      await reasons.getByText(/has not reported for more than 15 minutes/).waitFor()
      await look(visitor, "silent-environment")
    }))

  it("is changed in the settings, where an empty cadence ends it", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.member)
      await open("/acme/environments/edge/settings")
      const count = page.getByLabel("Reports at least every")
      assert.strictEqual(await count.inputValue(), "15")
      await look(visitor, "silent-settings")
      await count.fill("")
      await page.getByRole("button", { name: "Save cadence" }).click()
      await page.getByText("Saved.").waitFor()
      const after = (await world.call("GET /environments/acme/edge")) as {
        readonly report_every: number | null
        readonly silent_since: number | null
        readonly state: boolean | null
      }
      assert.deepStrictEqual(
        [after.report_every, after.silent_since, after.state],
        [null, null, true]
      )
    }))
})

/** The preferences that are stored on the server: the default org of a person with several. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

interface Session {
  readonly orgs: ReadonlyArray<{ readonly name: string }>
}

inBrowser("preferences", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  it("have no default org for a person of one org", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/_/preferences")
      await page.getByText("Density of tables").waitFor()
      assert.strictEqual(await page.getByText("Org that opens first").count(), 0)
    }))

  it("make one of several orgs the default", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await page.route(/\/api\/v2\/session$/, async (route) => {
        const response = await route.fetch()
        const session = (await response.json()) as Session
        const orgs = [...session.orgs, { ...session.orgs[0], name: "beta" }]
        await route.fulfill({ response, json: { ...session, orgs } })
      })
      await signIn(world.keys.admin)
      await open("/_/preferences")
      const choice = page.getByRole("group", { name: "Org that opens first" })
      assert.isFalse(await choice.getByLabel("acme").isChecked())
      await choice.getByLabel("acme").check()
      await look(visitor, "preferences-default-org")
      assert.deepStrictEqual(await world.call("GET /user/default-org"), {
        default_org_name: "acme"
      })
    }))
})

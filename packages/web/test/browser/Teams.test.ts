/** Teams: made, described, filled and deleted by an admin; others see those that they are in. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("teams", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  it("are made, filled and deleted when their name is typed", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/teams")
      await page.getByRole("link", { name: "payments" }).waitFor()
      await page.getByRole("button", { name: "New team…" }).click()
      await page.getByLabel("Name", { exact: true }).fill("On Call")
      await page.getByRole("button", { name: "Create team" }).click()
      await page.getByText("Up to 63 of").waitFor()
      await page.getByLabel("Name", { exact: true }).fill("on-call")
      await page.getByRole("button", { name: "Create team" }).click()
      await page.waitForURL("**/acme/teams/on-call")
      await page.getByText("Nobody is in it.").waitFor()
      await page.getByRole("button", { name: "Add a member…" }).click()
      await page.getByLabel("Login of a member of the org").fill("rob")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /rob/ }).waitFor()
      await page.getByRole("button", { name: "Change…" }).click()
      await page.getByLabel("Description").fill("who is called")
      await page.getByRole("button", { name: "Change", exact: true }).click()
      await page.getByText("who is called").waitFor()
      await page.getByRole("button", { name: "Remove rob" }).click()
      await page.getByRole("button", { name: "Remove", exact: true }).click()
      await page.getByText("Nobody is in it.").waitFor()
      await page.getByRole("button", { name: "Delete…" }).click()
      await page.getByRole("button", { name: "Delete team" }).click()
      await page.getByText("Type the name of the team.").waitFor()
      await page.getByLabel("Name of the team, to be sure").fill("on-call")
      await page.getByRole("button", { name: "Delete team" }).click()
      await page.waitForURL("**/acme/teams")
      await page.getByRole("link", { name: "payments" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "on-call" }).count(), 0)
    }))

  it("are shown to the people in them, without actions", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/teams/payments")
      await page.getByRole("row", { name: /max/ }).waitFor()
      for (const name of ["Add a member…", "Change…", "Delete…", "Remove max"])
        assert.strictEqual(await page.getByRole("button", { name }).count(), 0, name)
    }))
})

/** Spaces: made, moved and deleted, with roles given in them and ended; others see the tree without actions. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("spaces", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  it("are made, hold grants, are moved, and are deleted when they are empty", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
        await signIn(world.keys.admin)
        await open("/acme/spaces")
        await page.getByRole("link", { name: "retail/shops" }).waitFor()
        await press("New space…")
        await page.getByLabel("Name", { exact: true }).fill("a/b")
        await press("Create space")
        await page.getByText("One name, without /.").waitFor()
        await page.getByLabel("Name", { exact: true }).fill("cards")
        await press("Create space")
        await page.getByRole("heading", { name: "cards" }).waitFor()
        await page.getByText("No grants.").waitFor()
        await press("Give a role…")
        await page.getByLabel("To", { exact: true }).selectOption("team")
        await page.getByLabel("Name", { exact: true }).fill("nobody")
        await press("Give")
        await page.getByRole("dialog").getByText("nobody").waitFor()
        await page.getByLabel("Name", { exact: true }).fill("payments")
        await page.getByLabel("Role", { exact: true }).selectOption("member")
        await page.getByLabel("Reason (optional)").fill("they keep it")
        await press("Give")
        await page.getByRole("row", { name: /payments team.*member.*they keep it/ }).waitFor()
        await press("Delete…")
        await press("Delete space")
        await page.getByRole("dialog").getByText("grants").last().waitFor()
        await press("Cancel")
        await page.getByRole("button", { name: /^End grant/ }).click()
        await press("End it")
        await page.getByText("No grants.").waitFor()
        await press("Rename or move…")
        await page.getByLabel("In", { exact: true }).fill("retail")
        await press("Change")
        await page.getByRole("heading", { name: "retail/cards" }).waitFor()
        await press("Delete…")
        await press("Delete space")
        await page.getByRole("heading", { name: "retail", exact: true }).waitFor()
        await page.getByRole("row", { name: /payments.*retail\/shops/ }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "retail/cards" }).count(), 0)
      },
      { statuses: [400, 404, 409] }
    ))

  it("are shown without actions, but where a grant makes an admin", () =>
    visit(world, async ({ page, open, go, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/spaces")
      await page.getByRole("link", { name: "retail/shops" }).click()
      await page.getByRole("heading", { name: "retail/shops" }).waitFor()
      await page.getByRole("row", { name: /payments team/ }).waitFor()
      await page.getByRole("button", { name: "Give a role…" }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Delete…" }).count(), 0)
      await go("/acme/spaces")
      await page.getByText("Its admins see who has a role here.").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "New space…" }).count(), 0)
      await go("/acme/spaces?space=none")
      await page.getByText("There is no such space.").waitFor()
    }))

  it("answer who may do what in a place, and why", () =>
    visit(
      world,
      async ({ page, open, go, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/access/who")
        await page.getByRole("row", { name: /\/ admin the base role/ }).waitFor()
        await page.getByLabel("Permission", { exact: true }).selectOption("space.write")
        await page.getByRole("row", { name: /ada admin/ }).waitFor()
        assert.strictEqual(await page.getByRole("row", { name: /max admin/ }).count(), 0)
        await page.getByLabel("Place", { exact: true }).selectOption("flow")
        await page.getByLabel("Name of the place").fill("shop")
        await page
          .getByRole("row", {
            name: /max admin.*retail\/shops by a grant for team payments \(\d+\)/
          })
          .waitFor()
        await page.getByLabel("Login or name").fill("max")
        await page.getByRole("row", { name: /retail\/shops admin a grant for team/ }).waitFor()
        await go("/acme/access/who?permission=space.write&on=2001-01-01T00:00")
        await page.getByText("Nobody has it there.").waitFor()
      },
      { statuses: [404] }
    ))

  it("say to who reads a part of the org which part, and show it", () =>
    visit(world, async ({ page, open, signIn }) => {
      await world.call("PUT /memberships/acme/rob", { role: "none" })
      await world.call("PUT /grants/acme", {
        subject: { kind: "user", name: "rob" },
        space: "retail",
        role: "reader"
      })
      await signIn(world.keys.reader)
      await open("/acme/flows")
      await page.getByText("You see what is in retail. Lists").waitFor()
      await page.getByRole("link", { name: "shop" }).first().waitFor()
      await page.getByRole("navigation").getByRole("link", { name: "Flows" }).first().waitFor()
    }))
})

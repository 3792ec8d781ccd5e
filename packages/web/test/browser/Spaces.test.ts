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

  it("take things that are chosen by a pattern, after a preview with who loses a role", () =>
    visit(
      world,
      async ({ page, open, settled, signIn }) => {
        for (const name of ["card-api", "card-web", "desk"])
          await world.call("PUT /flows/acme", { name, description: "" })
        await world.call("POST /spaces/acme", { path: "cards" })
        await signIn(world.keys.admin)
        await open("/acme/flows/shop/settings")
        await page.getByRole("link", { name: "Move to another space" }).click()
        await page.getByRole("button", { name: "Preview" }).waitFor()
        assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "shop")
        await page.getByLabel("To", { exact: true }).selectOption("cards")
        await page.getByRole("button", { name: "Preview" }).click()
        await page.getByText("These grants reach where they were").waitFor()
        await page
          .getByRole("listitem")
          .filter({ hasText: /payments.*admin/ })
          .waitFor()
        await page.getByLabel("Name", { exact: true }).fill("card-*")
        await page.getByRole("button", { name: "Preview" }).click()
        await page.getByRole("button", { name: "Move 2 things" }).click()
        await page.getByText("Moved to cards").waitFor()
        await page.getByRole("button", { name: "Preview" }).click()
        await page.getByText("Nothing fits that you may move").waitFor()
        await page.getByLabel("Name", { exact: true }).fill("")
        await page.getByRole("button", { name: "Preview" }).click()
        await page.getByText("A `name` or `tags` is required").waitFor()
        await open("/acme/spaces")
        await settled()
        await page.getByRole("row", { name: /cards 2/ }).waitFor()
      },
      { statuses: [400] }
    ))

  it("reserve names by rules in their order, with the messages of the server at their row", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await world.call("PUT /flows/acme", { name: "pay-desk", description: "" })
        await signIn(world.keys.admin)
        await open("/acme/spaces")
        await page.getByRole("link", { name: "Placement rules" }).click()
        const rule = (at: number) => page.getByRole("region", { name: `Rule ${at}` })
        await rule(1).waitFor()
        await page.getByRole("button", { name: "Add a rule" }).click()
        await page.getByRole("button", { name: "Save rules" }).click()
        await rule(2).locator(".field-problem:not(:empty)").waitFor()
        await rule(2).getByLabel("Named like").fill("pay-*")
        await rule(2).getByLabel("Go to").selectOption("retail")
        await rule(2).getByRole("button", { name: "What exists that fits?" }).click()
        await rule(2).getByText("Elsewhere: pay-desk").waitFor()
        await page.getByRole("button", { name: "Up rule 2" }).focus()
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Save rules" }).click()
        await page.getByText("Saved.").waitFor()
        const { rules } = Object(await world.call("GET /placement-rules/acme"))
        assert.deepStrictEqual(
          rules.map(({ name, space }: Record<string, string>) => [name, space]),
          [
            ["pay-*", "retail"],
            ["shop-*", "retail/shops"]
          ]
        )
        await page.getByRole("button", { name: "Remove rule 2" }).click()
        await page.getByRole("button", { name: "Save rules" }).click()
        await page.getByText("Saved.").waitFor()
        assert.strictEqual(Object(await world.call("GET /placement-rules/acme")).rules.length, 1)
      },
      { statuses: [400] }
    ))

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
        await page.getByLabel(/Login, name or id/).fill("max")
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

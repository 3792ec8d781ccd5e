/** Scenario: an admin invites a colleague, who accepts, and changes, suspends, restores and removes members. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("members", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  const statusOf = async (key: string): Promise<number> =>
    (
      await fetch(`${world.url}/api/v2/flows/acme`, {
        headers: { authorization: `Bearer ${key}` }
      })
    ).status

  const invite = async (role: string, fields: object = {}): Promise<string> => {
    const made = await world.call("POST /invitations/acme", { role, ...fields })
    return new URL((made as { link: string }).link).hash
  }

  let key = ""

  it("are invited with a link that is shown once", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/members")
        await page.getByRole("button", { name: "Invite…" }).click()
        await page.getByLabel("Role").selectOption("reader")
        await page.getByLabel("Login (optional)").fill("No Login")
        await page.getByRole("button", { name: "Make the link" }).click()
        await page
          .getByText(/should match|lower-case/i)
          .first()
          .waitFor()
        await page.getByLabel("Login (optional)").fill("")
        await page.getByLabel("Name (optional)").fill("Kim")
        await page.getByRole("button", { name: "Make the link" }).click()
        const dialog = page.getByRole("dialog", { name: "The invitation" })
        const link = (await dialog.locator("code").first().textContent()) ?? ""
        assert.match(link, /\/_\/invitation#attestry_invitation_/)
        await dialog.getByRole("button", { name: "I have copied it" }).click()
        await page.getByRole("link", { name: "Invitations" }).click()
        await page.getByRole("row", { name: /Kim reader open/ }).waitFor()
        assert.strictEqual(await page.getByText(link).count(), 0)
      },
      { statuses: [400] }
    ))

  it("accept it without an account, and get a key and a session", () =>
    visit(
      world,
      async ({ page, open }) => {
        const hash = await invite("member", { display_name: "Zoë" })
        await open(`/_/invitation${hash}`)
        await page.getByText("ada invites you to acme as member").waitFor()
        await page.getByRole("button", { name: "Accept" }).click()
        await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor()
        await page.getByLabel("Login", { exact: true }).fill("zoe")
        await page.getByRole("button", { name: "Accept" }).click()
        key = (await page.locator("code").first().textContent()) ?? ""
        assert.match(key, /^attestry_user_/)
        assert.strictEqual(await statusOf(key), 200)
        await page.getByLabel("I have stored it").check()
        await page.getByRole("button", { name: "Go to acme" }).click()
        await page.waitForURL("**/acme")
        assert.strictEqual(await page.getByText(key).count(), 0)
      },
      { statuses: [400] }
    ))

  it("are told alike of a link that was used and of one that is wrong", () =>
    visit(
      world,
      async ({ page, open }) => {
        await open("/_/invitation#attestry_invitation_x")
        await page.getByText("this invitation is not valid").waitFor()
        await page.getByText("Ask the person who invited you").waitFor()
      },
      { statuses: [404] }
    ))

  it("join as themselves when they are signed in", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open(`/_/invitation${await invite("member")}`)
        await page.getByText("You are signed in as rob").waitFor()
        await page.getByRole("button", { name: "Join acme" }).click()
        await page.getByText("`rob` is a member of org `acme` already").waitFor()
      },
      { statuses: [409] }
    ))

  it("are changed, suspended, restored and removed, each with what it means", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/members")
        const row = page.getByRole("row", { name: /zoe/ })
        await row.getByRole("button", { name: "Role… zoe" }).click()
        await page.getByRole("dialog").getByLabel("Role").selectOption("reader")
        await page.getByRole("button", { name: "Change role", exact: true }).click()
        await page.getByRole("row", { name: /Zoë zoe reader/ }).waitFor()
        await row.getByRole("button", { name: "Sign out… zoe" }).click()
        await page.getByText("Browser sessions that are open now end").waitFor()
        await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await row.getByRole("button", { name: "Suspend… zoe" }).click()
        await page.getByText("Keys and browser sessions open nothing").waitFor()
        await page.getByRole("button", { name: "Suspend", exact: true }).click()
        await page.getByRole("row", { name: /reader, suspended/ }).waitFor()
        assert.strictEqual(await statusOf(key), 403)
        await row.getByRole("button", { name: "Restore… zoe" }).click()
        await page.getByRole("button", { name: "Restore", exact: true }).click()
        await row.getByRole("button", { name: "Suspend… zoe" }).waitFor()
        assert.strictEqual(await statusOf(key), 200)
        await row.getByRole("button", { name: "Remove… zoe" }).click()
        await page.getByText("What the person recorded stays").waitFor()
        await page.getByRole("button", { name: "Remove", exact: true }).click()
        await row.waitFor({ state: "detached" })
        assert.strictEqual(await statusOf(key), 403)
        const ada = page.getByRole("row", { name: /ada/ })
        await ada.getByRole("button", { name: "Suspend… ada" }).click()
        await page.getByRole("button", { name: "Suspend", exact: true }).click()
        await page.getByText("is the last admin").waitFor()
        await page.getByRole("button", { name: "Cancel" }).click()
        await page.getByRole("button", { name: "Add by login…" }).click()
        await page.getByLabel("Login").fill("nobody")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByText("there is no user `nobody`: invite the person").waitFor()
        await page.getByLabel("Login").fill("zoe")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByRole("row", { name: /Zoë zoe member/ }).waitFor()
      },
      { statuses: [404, 409] }
    ))

  it("have invitations that are revoked", () =>
    visit(world, async ({ page, open, signIn }) => {
      const hash = await invite("reader", { display_name: "Lee" })
      await signIn(world.keys.admin)
      await open("/acme/members?list=invitations")
      await page.getByRole("button", { name: "Revoke… the invitation for Lee" }).click()
      await page.getByRole("button", { name: "Revoke", exact: true }).click()
      await page.getByRole("row", { name: /Lee reader revoked by ada/ }).waitFor()
      const secret = hash.slice(1)
      const { status } = await fetch(`${world.url}/api/v2/invitation/look`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ secret })
      })
      assert.strictEqual(status, 404)
    }))
})

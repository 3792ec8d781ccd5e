/** Scenario 16: an account with keys that are shown once, rotated and revoked. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

const shownKey = async (page: Page): Promise<string> => {
  const dialog = page.getByRole("dialog", { name: "The new key" })
  await dialog.waitFor()
  return (await dialog.locator("code").first().textContent()) ?? ""
}

const store = async (page: Page): Promise<void> => {
  const dialog = page.getByRole("dialog", { name: "The new key" })
  await page.keyboard.press("Escape")
  await dialog.getByLabel("I have stored it").check()
  await dialog.getByRole("button", { name: "Close" }).click()
  await dialog.waitFor({ state: "detached" })
}

inBrowser("service accounts", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  const statusOf = async (key: string): Promise<number> =>
    (await fetch(`${world.url}/api/v2/whoami`, { headers: { authorization: `Bearer ${key}` } }))
      .status

  it("are created, and their keys shown once, rotated and revoked", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/service-accounts")
      await page.getByRole("button", { name: "New account…" }).click()
      await page.getByLabel("For", { exact: true }).selectOption("other")
      await page.getByLabel("Name", { exact: true }).fill("deployer")
      await page.getByRole("button", { name: "Create account" }).click()
      await page.waitForURL("**/acme/service-accounts/deployer")
      await page.getByText("No key works").waitFor()
      await page.getByRole("button", { name: "New key…" }).click()
      await page.getByRole("button", { name: "Create key" }).click()
      await page.getByText("Say what uses the key.").waitFor()
      await page.getByLabel("What uses it").fill("releases")
      await page.getByRole("button", { name: "Create key" }).dblclick()
      const key = await shownKey(page)
      assert.strictEqual(await statusOf(key), 200)
      await store(page)
      assert.strictEqual(await page.getByText(key).count(), 0)
      await page.getByRole("row", { name: /releases/ }).waitFor()
      assert.strictEqual(await page.getByRole("row", { name: /releases/ }).count(), 1)
      await page.getByRole("button", { name: "Rotate releases" }).click()
      await page.getByLabel("Grace period in hours").fill("721")
      await page.getByRole("button", { name: "Rotate", exact: true }).click()
      await page.getByText("A whole number from 1 to 720.").waitFor()
      await page.getByLabel("Grace period in hours").fill("2")
      await page.getByRole("button", { name: "Rotate", exact: true }).click()
      const rotated = await shownKey(page)
      assert.notStrictEqual(rotated, key)
      assert.deepStrictEqual([await statusOf(key), await statusOf(rotated)], [200, 200])
      await store(page)
      const grace = page.getByRole("row", { name: /grace period, ends in/ })
      await grace.waitFor()
      await grace.getByRole("button", { name: "Revoke releases" }).click()
      await page.getByRole("button", { name: "Revoke", exact: true }).click()
      await grace.waitFor({ state: "detached" })
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      for (const secret of [key, rotated]) assert.notInclude(stored, secret)
      assert.notInclude(await page.content(), rotated)
    }))

  it("of pipelines are made with a role in one space and a key, also after a write that failed", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/service-accounts")
        await page.getByRole("button", { name: "New account…" }).click()
        const press = () => page.getByRole("button", { name: "Create account and key" }).click()
        await page.getByLabel("Name", { exact: true }).fill("ci-shop")
        await press()
        await page.getByText("Choose the space of the pipeline.").waitFor()
        await page.getByLabel("Space", { exact: true }).selectOption("retail/shops")
        await page.route("**/api/v2/grants/acme", (route) => route.abort(), { times: 1 })
        await press()
        await page
          .getByText("The account ci-shop was made, but without a role and a key.")
          .waitFor()
        await press()
        const key = await shownKey(page)
        await store(page)
        await page.waitForURL("**/acme/service-accounts/ci-shop")
        await page.getByText("Service account · none").waitFor()
        await page.getByRole("link", { name: "What may this key do: pipeline" }).click()
        await page.getByText("It may do pipeline, as far as these roles allow it").waitFor()
        await page.getByRole("row", { name: /retail\/shops.*member.*a grant/ }).waitFor()
        assert.strictEqual(await statusOf(key), 200)
      },
      { offline: true }
    ))

  it("have rules for id tokens, and people keys, that name places", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/_/preferences")
        await page.getByRole("button", { name: "New key…" }).click()
        await page.getByLabel("What uses it").fill("shop desk")
        await page.getByLabel("Only in spaces").fill("nowhere")
        await page.getByLabel("Only in flows").fill("shop")
        await page.getByRole("button", { name: "Create key" }).click()
        await page
          .getByRole("dialog")
          .getByText(/nowhere/)
          .waitFor()
        await page.getByLabel("Only in spaces").fill("retail")
        await page.getByRole("button", { name: "Create key" }).click()
        await store(page)
        await page.getByRole("row", { name: /shop desk.*in space retail in flow shop/ }).waitFor()
        await open("/acme/service-accounts/ci-builder")
        await page.getByRole("button", { name: "New identity rule…" }).click()
        await page.getByLabel("Repository", { exact: true }).fill("acme/shop")
        await page.getByLabel("Repository ID").fill("4711")
        await page.getByText("Audience and keys").click()
        await page.getByLabel("May do").selectOption("pipeline")
        await page.getByLabel("Only in environments").fill("none-such")
        await page.getByRole("button", { name: "Add rule" }).click()
        await page
          .getByRole("dialog")
          .getByText(/none-such/)
          .waitFor()
        await page.getByLabel("Only in environments").fill("prod-eu")
        await page.getByRole("button", { name: "Add rule" }).click()
        const rule = page.getByText("It may do: pipeline in environment prod-eu")
        await rule.waitFor()
        await page.getByRole("button", { name: /^Change the rule/ }).click()
        await page.getByRole("button", { name: "Save rule" }).click()
        await page.getByRole("dialog").waitFor({ state: "detached" })
        await rule.waitFor()
        await open("/acme/api-keys")
        await page
          .getByRole("row", { name: /in space retail in flow shop/ })
          .getByRole("link", { name: "What may this key do" })
          .click()
        await page.getByText("A key of").waitFor()
        await page
          .getByText(
            /^It may do all in acme in space retail in flow shop, as far as these roles allow it$/
          )
          .waitFor()
        const roles = page.getByRole("table", { name: "Roles" }).getByRole("row")
        await roles.filter({ hasText: /^retail/ }).waitFor()
        assert.strictEqual(await roles.count(), 2)
        await open("/acme/service-accounts/ci-builder")
        await page.getByRole("link", { name: "What may this key do: nightly" }).click()
        await page.getByText("It may do all that its owner may").waitFor()
      },
      { statuses: [400, 404] }
    ))

  it("change their role, and are deleted when their name is typed", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/service-accounts/agent")
      await page.getByRole("button", { name: "Change…" }).click()
      await page.getByLabel("Role").selectOption("reader")
      await page.getByRole("button", { name: "Change", exact: true }).click()
      await page.getByText("Service account · reader").waitFor()
      await page.getByRole("button", { name: "Delete…" }).click()
      await page.getByRole("button", { name: "Delete account" }).click()
      await page.getByText("Type the name of the account.").waitFor()
      await page.getByLabel("Name of the account, to be sure").fill("agent")
      await page.getByRole("button", { name: "Delete account" }).click()
      await page.waitForURL("**/acme/service-accounts")
      await page.getByRole("link", { name: "ci-builder" }).waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "agent" }).count(), 0)
    }))
})

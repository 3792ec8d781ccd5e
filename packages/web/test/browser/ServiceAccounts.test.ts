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

/** Scenario 15: subscriptions are made, changed and deleted; failed deliveries are repeated; the secret is hidden. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess, startArtifact } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("notifications", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  it("are made with the problems beside their fields, changed and deleted", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.member)
        await open("/acme/notifications")
        await page.getByRole("button", { name: "New subscription…" }).click()
        const dialog = page.getByRole("dialog", { name: "New subscription" })
        await dialog.getByLabel("Name").fill("staging")
        await dialog.getByLabel("Where to").fill("http://plain.example.org/hook")
        await dialog.getByRole("button", { name: "Create subscription" }).click()
        await dialog
          .getByRole("textbox", { name: "Environments" })
          .and(page.locator('[aria-invalid="true"]'))
          .waitFor()
        await dialog.getByLabel("Where to").and(page.locator('[aria-invalid="true"]')).waitFor()
        await dialog.getByRole("textbox", { name: "Environments" }).fill("prod-eu\nprod-us")
        await dialog.getByLabel("Where to").fill("https://hooks.example.org/x\njo@example.org")
        await dialog.getByRole("button", { name: "Create subscription" }).dblclick()
        await dialog.waitFor({ state: "detached" })
        await page.getByRole("link", { name: "staging" }).click()
        await page.getByText("mail jo@example.org").waitFor()
        await page.getByRole("button", { name: "Change…" }).click()
        const change = page.getByRole("dialog", { name: "Change subscription 3" })
        assert.strictEqual(
          await change.getByLabel("Where to").inputValue(),
          "https://hooks.example.org/x\njo@example.org"
        )
        await change.getByLabel("artifact exited").check()
        await change.getByRole("button", { name: "Save" }).click()
        await page.getByText("becomes non-compliant, artifact exited").waitFor()
        const actions = (await world.call("GET /actions/acme")) as ReadonlyArray<unknown>
        assert.lengthOf(actions, 3)
        await page.getByRole("button", { name: "Delete…" }).click()
        await page.getByRole("button", { name: "Delete subscription" }).click()
        await page.waitForURL("**/acme/notifications")
        await page.getByRole("link", { name: "staging" }).waitFor({ state: "detached" })
      },
      { statuses: [400] }
    ))

  it("about flows are replaced when they are changed, and an equal one is refused", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/notifications/2")
      await page.getByText("trail started").waitFor()
      await page.getByRole("button", { name: "Change…" }).click()
      const change = page.getByRole("dialog", { name: "Change subscription 2" })
      await change.getByRole("button", { name: "Save" }).click()
      await change.getByText("exactly these values exists already").waitFor()
      await change.getByLabel("attestation reported").check()
      await change.getByRole("button", { name: "Save" }).click()
      await page.waitForURL("**/acme/notifications")
      await page.getByTitle("trail started, attestation reported").waitFor()
      const actions = (await world.call("GET /actions/acme")) as ReadonlyArray<{
        readonly name: string
        readonly number: number
      }>
      const numbers = actions.filter(({ name }) => name === "builds").map(({ number }) => number)
      assert.lengthOf(numbers, 1)
      assert.isAbove(numbers[0] ?? 0, 2)
    }))

  it("that failed are listed with their reason, and tried again one by one or all together", () =>
    visit(world, async ({ page, open, signIn }) => {
      await startArtifact(world, "registry.example.org/search:9")
      await world.failDeliveries()
      await signIn(world.keys.admin)
      await open("/acme/notifications/failed")
      const rows = page.getByRole("row").filter({ hasText: "it answered 500, 1 attempt" })
      await rows.first().waitFor()
      const before = await rows.count()
      await rows.first().getByRole("button").click()
      await page.getByText("1 delivery is tried again.").waitFor()
      await page.getByRole("button", { name: `Replay all ${before - 1}` }).click()
      await page.getByText("Nothing failed").waitFor()
      await page.getByText(`${before - 1} deliveries are tried again.`).waitFor()
    }))

  it("send a test message, and say why it did not arrive", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.member)
      await open("/acme/notifications/1")
      await page.getByRole("button", { name: "Send a test message" }).click()
      await page.getByText("A test message is on its way").waitFor()
      await world.failDeliveries()
      const targets = page.locator(".targets li")
      await targets.filter({ hasText: "failed" }).getByText("it answered 500").first().waitFor()
      await look(visitor, "notification-tested")
      await open("/acme/notifications")
      await page.getByRole("row").getByText("it answered 500").first().waitFor()
    }))

  it("about keys go to targets, or to derived recipients again", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/notifications/key-expiry")
      await page.getByText("the administrators of the org").waitFor()
      await page.getByLabel("Where to").fill("keys@example.org")
      await page.getByRole("button", { name: "Save targets" }).click()
      await page.getByText("mail keys@example.org").waitFor()
      await page.getByLabel("Where to").fill("")
      await page.getByRole("button", { name: "Save targets" }).click()
      await page.getByText("the administrators of the org").waitFor()
    }))

  it("are signed with a secret that is shown on demand, hidden, and in no storage", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/notifications/signing-secret")
      const { secret } = (await world.call("GET /notification-config/acme/signing-secret")) as {
        readonly secret: string
      }
      assert.strictEqual(await page.getByText(secret).count(), 0)
      await page.getByRole("button", { name: "Show the secret" }).click()
      await page.getByText(secret).waitFor()
      await page.getByText(/hidden again in \d+ s/).waitFor()
      await page.getByRole("button", { name: "Hide" }).click()
      await page.getByText(secret).waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Rotate…" }).click()
      await page.getByRole("button", { name: "Rotate", exact: true }).click()
      await page.getByText("The one before signs too until").waitFor()
      assert.strictEqual(await page.getByText(secret).count(), 0)
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      assert.notInclude(stored, "whsec")
    }))
})

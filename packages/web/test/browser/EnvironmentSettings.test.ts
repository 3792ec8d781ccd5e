/** Scenario 17, the allow-list, and the other settings of an environment. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { environment, FOREIGN, report, seedBoard } from "../fixture/BoardWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

interface Shown {
  readonly policies: ReadonlyArray<string>
  readonly policy_modes: Readonly<Record<string, string>>
  readonly latest_snapshot: { readonly index: number; readonly verdict: string }
}

inBrowser("the settings of an environment", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedBoard(world)
    await environment(world, "edge", ["known-builds"])
    await report(world, "edge", { "redis:7": FOREIGN })
    await world.call("PUT /allowlists/acme/edge", {
      artifact_fingerprint: FOREIGN,
      artifact_name: "redis:7",
      description: "a cache, see ISSUE-12"
    })
  })
  afterAll(() => world?.stop())

  const get = async (name: string) =>
    (await world.call(`GET /environments/acme/${name}?include=latest_snapshot`)) as Shown

  it("shows what is allowed in all environments, with its reason", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/policies")
      await page.getByRole("link", { name: "Allowed artifacts" }).click()
      const row = page.getByRole("row", { name: /redis:7/ })
      await row.getByText("a cache, see ISSUE-12").waitFor()
      await look(visitor, "allow-lists")
      await page.getByRole("searchbox").fill("nginx")
      await page.getByText("No artifact fits the filters").waitFor()
    }))

  it("counts down to the end of entries, and greys those that have ended", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      const now = Math.floor(Date.now() / 1_000)
      await environment(world, "glass", ["known-builds"])
      for (const [name, letter, expires_at] of [
        ["hotfix:1", "c", now + 2],
        ["hotfix:2", "d", now + 3 * 86_400]
      ] as const)
        await world.call("PUT /allowlists/acme/glass", {
          artifact_fingerprint: letter.repeat(64),
          artifact_name: name,
          description: "break glass",
          expires_at,
          owner: "max"
        })
      await signIn(world.keys.member)
      for (const [name, path] of [
        ["settings", "/acme/environments/glass/settings"],
        ["org", "/acme/allow-lists"]
      ] as const) {
        await open(path)
        const row = (name: string) => page.getByRole("row", { name: new RegExp(name) })
        await row("hotfix:2").getByText("ends in 3 days").waitFor()
        await row("hotfix:1")
          .getByText(/ended \d+ s ago/)
          .waitFor()
        const colourOf = (name: string) =>
          row(name)
            .getByText("ada")
            .first()
            .evaluate((element) => getComputedStyle(element).color)
        assert.notStrictEqual(await colourOf("hotfix:1"), await colourOf("hotfix:2"))
        await look(visitor, `allowed-until-${name}`)
      }
    }))

  it("shows what is allowed, and removing it changes the verdict on screen, once", () =>
    visit(world, async ({ page, open, signIn }) => {
      const before = (await get("edge")).latest_snapshot
      assert.strictEqual(before.verdict, "Compliant")
      await signIn(world.keys.member)
      await open("/acme/environments/edge/settings")
      const row = page.getByRole("row", { name: /redis:7/ })
      await row.getByText("a cache, see ISSUE-12").waitFor()
      await row.getByText("ada").waitFor()
      await row.getByRole("button", { name: "Stop allowing redis:7" }).click()
      const dialog = page.getByRole("dialog", { name: "Stop allowing this artifact" })
      await dialog.getByText(FOREIGN).waitFor()
      await dialog.getByRole("button", { name: "Stop allowing" }).dblclick()
      await dialog.waitFor({ state: "detached" })
      await page.getByText("Nothing is allowed here").waitFor()
      const after = (await get("edge")).latest_snapshot
      assert.deepStrictEqual([after.index, after.verdict], [before.index + 1, "NonCompliant"])
      await page.getByRole("link", { name: "Overview" }).first().click()
      const attention = page.getByRole("region", { name: "Needs attention" })
      await attention.getByRole("link", { name: "edge" }).waitFor()
    }))

  it("attaches and detaches policies, each in one new snapshot", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      const { latest_snapshot: before } = await get("staging")
      await signIn(world.keys.admin)
      await open("/acme/environments/staging/settings")
      await page.getByLabel("Policy").selectOption("scanned")
      await page.getByRole("button", { name: "Attach…" }).click()
      await page.getByText("would turn red").first().waitFor()
      await page.getByRole("button", { name: "Attach now" }).dblclick()
      await page.getByText("scanned is attached. The environment was evaluated again").waitFor()
      await page.getByRole("button", { name: "Detach scanned" }).waitFor()
      const attached = await get("staging")
      assert.deepStrictEqual(attached.policies, ["known-builds", "scanned"])
      assert.strictEqual(attached.latest_snapshot.index, before.index + 1)
      await page.getByRole("button", { name: "Detach scanned" }).click()
      const dialog = page.getByRole("dialog", { name: "Detach this policy" })
      await dialog.getByText("would no longer be red.").waitFor()
      assert.deepStrictEqual((await get("staging")).policies, ["known-builds", "scanned"])
      await dialog.getByRole("button", { name: "Detach" }).click()
      await dialog.getByText("Say why.").waitFor()
      await dialog.getByLabel("Reason").fill("the scanner is down, see ISSUE-14")
      await look(visitor, "environment-detach")
      await dialog.getByRole("button", { name: "Detach" }).dblclick()
      await page.getByText("scanned is detached.").waitFor()
      const detached = await get("staging")
      assert.deepStrictEqual(detached.policies, ["known-builds"])
      assert.strictEqual(detached.latest_snapshot.index, attached.latest_snapshot.index + 1)
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("scanned is as it was before.").waitFor()
      assert.deepStrictEqual((await get("staging")).policies, ["known-builds", "scanned"])
      await world.call("DELETE /environments/acme/staging/policies", { policy_names: ["scanned"] })
      await open("/acme/policies/scanned")
      await page.getByText("the scanner is down, see ISSUE-14", { exact: true }).waitFor()
    }))

  it("tries a policy by warnings, and shows what would turn red before it counts", () =>
    visit(world, async ({ page, open, signIn }) => {
      const { latest_snapshot: before } = await get("staging")
      await open("/acme/environments/staging/settings")
      await signIn(world.keys.admin)
      await page.getByLabel("Policy").selectOption("scanned")
      await page.getByLabel("Mode").selectOption("only warns")
      await page.getByRole("button", { name: "Attach…" }).click()
      await page.getByText("would be warned about.").waitFor()
      await page.getByText("No verdict changes.").waitFor()
      await page.getByRole("button", { name: "Attach now" }).click()
      await page.getByText("scanned is attached.").waitFor()
      const warned = await get("staging")
      assert.strictEqual(warned.latest_snapshot.verdict, before.verdict)
      await page.getByRole("button", { name: "Enforce scanned" }).click()
      await page.getByText("would turn red").first().waitFor()
      await page.getByRole("button", { name: "Enforce scanned now" }).click()
      await page.getByText("scanned counts now.").waitFor()
      await page.getByRole("button", { name: "Only warn by scanned" }).click()
      const dialog = page.getByRole("dialog", { name: "Let this policy only warn" })
      await dialog.getByText("would no longer be red.").waitFor()
      await dialog.getByText("would be warned about.").waitFor()
      assert.deepStrictEqual((await get("staging")).policy_modes, {
        "known-builds": "enforce",
        scanned: "enforce"
      })
      await dialog.getByLabel("Reason").fill("too early")
      await dialog.getByRole("button", { name: "Only warn" }).click()
      await page.getByText("scanned only warns now.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("scanned is as it was before.").waitFor()
      assert.strictEqual((await get("staging")).policy_modes.scanned, "enforce")
      await world.call("DELETE /environments/acme/staging/policies", { policy_names: ["scanned"] })
      const { latest_snapshot: after } = await get("staging")
      assert.deepStrictEqual([after.index, after.verdict], [before.index + 5, before.verdict])
    }))

  it("changes tags, members and the name, and archives", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/environments/prod/settings")
        await page.getByLabel("staging").check()
        await page.getByRole("button", { name: "Save members" }).click()
        await page.getByText("A snapshot of the members was made at once.").waitFor()
        await page.getByLabel("Key").fill("tier")
        await page.getByLabel("Value").fill("1")
        await page.getByRole("button", { name: "Set tag" }).click()
        await page.getByRole("button", { name: "Remove tag tier" }).click()
        await page.getByText("No tags.").waitFor()
        await page.getByLabel("Name", { exact: true }).fill("edge")
        await page.getByRole("button", { name: "Rename" }).click()
        await page
          .locator(".field-problem")
          .filter({ hasText: /edge|taken|exists/ })
          .waitFor()
        await page.getByLabel("Name", { exact: true }).fill("production")
        await page.getByRole("button", { name: "Rename" }).click()
        await page.waitForURL("**/acme/environments/production/settings")
        await page.getByRole("button", { name: "Archive…" }).click()
        await page.getByRole("button", { name: "Archive production" }).click()
        await page.waitForURL("**/acme")
        await page.getByRole("heading", { name: "prod-us", level: 3 }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "production" }).count(), 0)
      },
      { statuses: [400, 404, 409] }
    ))

  it("shows values alone to people who may not change them", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod-eu/settings")
      await page.getByRole("link", { name: "scanned" }).waitFor()
      await page.getByText("tier").waitFor()
      const controls = page.locator(".setting").locator("button, input, select")
      assert.strictEqual(await controls.count(), 0)
    }))
})

/** Scenario 11: artifacts of several flows, of none, by the beginning of a fingerprint, and as an older record. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

interface Shown {
  readonly id: string
}

inBrowser("artifacts", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("are found by the beginning of a fingerprint, and shown over all flows", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/artifacts")
      await page.getByLabel("Find by fingerprint or commit").fill("xyz")
      await page.getByRole("button", { name: "Find" }).click()
      await page.getByText("Five to 64 characters").waitFor()
      await page.getByLabel("Find by fingerprint or commit").fill("24ade")
      await page.keyboard.press("Enter")
      await page.getByText("2 records begin with this text.").waitFor()
      await page.getByRole("link", { name: "registry.example.org/shop:10" }).first().click()
      await page.getByRole("heading", { name: "In audit" }).waitFor()
      await page.getByRole("heading", { name: "In shop" }).waitFor()
      await page.getByText("second-look").waitFor()
      const ran = page.locator(".run")
      await ran.filter({ hasText: "prod #2" }).getByText("runs since").waitFor()
      await ran.filter({ hasText: "test #1" }).getByText("until").waitFor()
    }))

  it("are found by a part of their name, and Back undoes what was typed", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/artifacts")
      const other = page.getByRole("link", { name: "registry.example.org/shop:11" })
      await other.first().waitFor()
      await page.getByLabel("Filter by name").pressSequentially("SHOP:10", { delay: 250 })
      await page.waitForURL("**/acme/artifacts?q=SHOP%3A10")
      await other.first().waitFor({ state: "detached" })
      await page.getByRole("link", { name: "registry.example.org/shop:10" }).first().waitFor()
      await page.goBack()
      await other.first().waitFor()
      assert.notInclude(page.url(), "q=")
    }))

  it("say whether they would pass in an environment, and why not", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(`/acme/flows/shop/artifacts/${PRINTS.shop9}`)
      await page.getByLabel("Would it pass in").selectOption("prod")
      await page.getByText("it would pass").waitFor()
      assert.include(page.url(), "environment=prod")
      await page.getByLabel("Would it pass in").selectOption("test")
      await page.getByText("no policy is attached there").waitFor()
      await open(`/acme/artifacts/${PRINTS.shop11}?environment=prod`)
      await page.getByText("there is no attestation").waitFor()
    }))

  it("without provenance say so, and where they ran", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(`/acme/artifacts/${PRINTS.redis}`)
      await page.getByText("No flow has a record of this artifact").waitFor()
      await page.getByRole("heading", { name: "docker.io/library/redis:7" }).waitFor()
      await page.locator(".run").getByText("runs since").waitFor()
    }))

  it("that nothing knows say so", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open(`/acme/artifacts/${"0".repeat(64)}`)
        await page.getByText("Nothing is known of this fingerprint").waitFor()
      },
      { statuses: [404] }
    ))

  it("of an older record say that there is a newer one", () =>
    visit(world, async ({ page, open, signIn }) => {
      const path = `/artifacts/acme/shop/fingerprint/${PRINTS.shop9}`
      const older = (await world.call(`GET ${path}`)) as Shown
      await world.call("POST /artifacts/acme/shop", {
        fingerprint: PRINTS.shop9,
        filename: "registry.example.org/shop:9-again",
        git_commit: TRAILS.shop9,
        commit_url: "https://git.example.org/9",
        build_url: "https://ci.example.org/9",
        trail_name: TRAILS.shop9,
        template_reference_name: "app"
      })
      const newer = (await world.call(`GET ${path}`)) as Shown
      assert.notStrictEqual(newer.id, older.id)
      await signIn(world.keys.reader)
      await open(`/acme/flows/shop/artifacts/${PRINTS.shop9}?artifact_id=${older.id}`)
      await page.getByText("An older record of this artifact.").waitFor()
      await page.getByRole("link", { name: "Show the newest" }).click()
      await page.getByRole("heading", { name: "registry.example.org/shop:9-again" }).waitFor()
      assert.strictEqual(await page.getByText("An older record of this artifact.").count(), 0)
    }))
})

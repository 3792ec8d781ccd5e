/** Graphs: from the pages of seven kinds of resources, drawn by rings and as tables. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("graph", ({ visit }) => {
  let world: World.World
  let policies: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
    policies = await World.start()
    await PolicyWorld.seedPolicies(policies)
  })
  afterAll(async () => {
    await world?.stop()
    await policies?.stop()
  })

  const ROOT = `/acme/graph?root=fingerprint:${PRINTS.shop10}`

  it("is reached from the pages of what it can be about", () =>
    visit(world, async ({ page, open, go, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/graph")
      await page.getByRole("heading", { level: 1 }).waitFor()
      const record = `/acme/flows/shop/artifacts/${PRINTS.shop10}`
      const trail = `/acme/flows/shop/trails/${TRAILS.shop10}`
      const ways: ReadonlyArray<readonly [path: string, thing: string, expected: RegExp]> = [
        [record, "fingerprint", /root=fingerprint%3A24adeb/],
        [`/acme/artifacts/${PRINTS.shop10}`, "fingerprint", /root=fingerprint%3A24adeb/],
        [record, "commit", /root=commit%3A363e3c4/],
        [trail, "trail", /root=trail%3Ashop%2F363e3c4/],
        ["/acme/environments/prod", "environment", /root=environment%3Aprod/]
      ]
      for (const [path, thing, expected] of ways) {
        await go(path)
        await page
          .getByRole("link", { name: `Graph of this ${thing}` })
          .first()
          .click()
        await page.waitForURL(expected)
        await page.getByRole("heading", { name: "Each connection" }).waitFor()
        assert.isAbove(await page.locator(".graph-node").count(), 2, path)
      }
      await go(trail)
      await page.locator("a[href*='attestation_id=']").first().click()
      await page.getByRole("link", { name: "Graph of this attestation" }).click()
      await page.waitForURL(/root=attestation%3A/)
      await page.getByRole("heading", { name: "Each connection" }).waitFor()
    }))

  it("is reached from policies and controls", () =>
    visit(policies, async ({ page, open, signIn }) => {
      await signIn(policies.keys.reader)
      for (const [path, thing] of [
        ["/acme/policies/prod-requirements", "policy"],
        ["/acme/controls/SDLC-7", "control"]
      ] as const) {
        await open(path)
        await page.getByRole("link", { name: `Graph of this ${thing}` }).click()
        await page.getByRole("heading", { name: "Each connection" }).waitFor()
      }
    }))

  it("leads from its nodes to pages by the keyboard, and from its tables to other graphs", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(ROOT)
      const drawing = page.getByRole("region", { name: "Drawing" })
      const place = drawing.getByRole("link", { name: /prod environment$/ })
      await place.focus()
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/acme\/environments\/prod$/)
      await open(ROOT)
      await page.getByRole("heading", { name: "Each connection" }).waitFor()
      const nodes = await page.locator(".graph-node").count()
      const things = page.getByRole("table", { name: "Each thing" })
      assert.strictEqual(await things.locator("tbody tr").count(), nodes)
      const connections = page.getByRole("table", { name: "Each connection" })
      const lines = await page.locator("line.graph-edge").count()
      assert.strictEqual(await connections.locator("tbody tr").count(), lines)
      await page.getByLabel("How far").selectOption("1")
      await page.waitForURL(/depth=1/)
      await page
        .locator(".graph-node")
        .nth(nodes - 1)
        .waitFor({ state: "detached" })
      await things.getByRole("link", { name: "Graph around prod" }).click()
      await page.waitForURL(/root=environment%3Aprod/)
      assert.match(page.url(), /depth=1/)
    }))

  it("asks what is typed, and says what cannot be asked or is not known", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/graph")
        await page.getByLabel("Graph around").fill("nonsense")
        await page.getByRole("button", { name: "Show" }).click()
        await page.getByText("Give a fingerprint, a commit").waitFor()
        await page.getByLabel("Graph around").fill(PRINTS.shop10)
        await page.keyboard.press("Enter")
        await page.waitForURL(/root=fingerprint%3A24adeb/)
        await page.getByText(/\d+ things, \d+ connections/).waitFor()
        await open("/acme/graph?root=environment:none")
        await page
          .getByText(/does not exist/)
          .first()
          .waitFor()
      },
      { statuses: [404] }
    ))
})

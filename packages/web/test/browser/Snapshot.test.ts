/** Scenarios 5, 7 and 17: from red to the evidence, every expression, newer snapshots, and allowing an artifact. */
import type { Request } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { printOf, report, seedSnapshots } from "../fixture/SnapshotWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("a snapshot", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedSnapshots(world)
  })
  afterAll(() => world?.stop())

  it("leads from red to the evidence in three clicks", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme")
      await page.getByRole("link", { name: "prod-eu" }).first().click()
      await page.getByRole("heading", { name: "Why 3 rows fail" }).waitFor()
      await page.getByRole("link", { name: /unit-tests.*rule 1/ }).click()
      await page.waitForURL("**?rule=prod-requirements.2")
      const table = page.getByRole("table", { name: "Rows of the snapshot" })
      assert.strictEqual(await table.locator("tbody tr").count(), 2)
      await table.getByRole("link", { name: "registry.example.org/search:9" }).click()
      const detail = page.getByRole("complementary", { name: "Row" })
      await detail.getByText("Not compliant: 1 of 2 policies says no").waitFor()
      const evidence = detail.locator(".why").getByRole("link", { name: "evidence" })
      const href = await evidence.getAttribute("href")
      assert.match(href ?? "", /\/acme\/flows\/search\/trails\/build-9\?attestation_id=.+/)
      await evidence.click()
      await page.waitForURL("**/acme/flows/search/trails/build-9?attestation_id=*")
      await page.goBack()
      await detail.getByText("Not compliant: 1 of 2 policies says no").waitFor()
      await page.goBack()
      await page.goBack()
      await page.waitForURL("**/prod-eu")
    }))

  it("asks for few scripts, all of which the document names", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      for (const [path, shown] of [
        ["/acme", "Overview"],
        ["/acme/environments/prod-eu", "Why 3 rows fail"]
      ] as const) {
        const asked: Array<string> = []
        let isIdle = false
        const note = (request: Request) => {
          const { pathname } = new URL(request.url())
          // WHY not the palette and its imports: the page loads them when it is idle.
          isIdle ||= pathname.includes("CommandPalette")
          if (request.resourceType() === "script" && !isIdle) asked.push(pathname)
        }
        page.on("request", note)
        await open(path)
        await page.getByRole("heading", { name: shown }).waitFor()
        page.off("request", note)
        const named = await page
          .locator('link[rel="modulepreload"], script[type="module"]')
          .evaluateAll((all) =>
            all.map((each) => each.getAttribute("href") ?? each.getAttribute("src"))
          )
        assert.isAtMost(new Set(asked).size, 6, `${path}: ${asked.join(" ")}`)
        assert.includeMembers(named, [...new Set(asked)])
      }
    }))

  it("shows rules, provenance, instances and what was replaced, and closes with Escape", () =>
    visit(world, async ({ page, open, signIn }) => {
      const row = `${printOf("search:9")}~registry.example.org/search:9`
      await signIn(world.keys.reader)
      await open(`/acme/environments/prod-eu?row=${encodeURIComponent(row)}`)
      const detail = page.getByRole("complementary", { name: "Row" })
      await detail.getByText("1 satisfied, 2 failing, 3 not applicable").click()
      await detail.getByText("prod-requirements rule 2").waitFor()
      await detail.getByText("Jo <jo@example.org>").waitFor()
      await detail.getByText("Instances").click()
      await detail.getByText("default/search-9-2").waitFor()
      await detail.getByText("Replaced").click()
      await detail.getByRole("link", { name: /compare commits/ }).waitFor()
      await detail.getByLabel("Would it pass in").selectOption("staging")
      await detail.getByText("no policy is attached there").waitFor()
      assert.strictEqual(await detail.getByRole("button", { name: "Allow here…" }).count(), 0)
      await page.keyboard.press("Escape")
      await detail.waitFor({ state: "detached" })
      assert.notInclude(page.url(), "row=")
    }))

  it("opens by every form of the expression, and stands still", () =>
    visit(
      world,
      async ({ page, open, go, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/environments/prod-eu/snapshots/3")
        await page.getByText("3 of 5").waitFor()
        const forms: ReadonlyArray<readonly [string, number]> = [
          ["2", 2],
          ["-1", 5],
          ["~1", 4],
          ["@{now}", 5],
          ["@{2099-01-01T00:00:00}", 5],
          ["%231", 1]
        ]
        for (const [expression, index] of forms) {
          await go(`/acme/environments/prod-eu/snapshots/${expression}`)
          await page.getByText(`${index} of 5`).waitFor()
          await page.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
        }
        await go("/acme/environments/prod-eu/snapshots/@{1.days.ago}")
        await page.getByText("There is no snapshot").waitFor()
        await page.getByText("Snapshots 1 to 5 exist.").waitFor()
        await go("/acme/environments/prod-eu/snapshots/99")
        await page.getByText("Snapshots 1 to 5 exist.").waitFor()
        await go("/acme/environments/prod-eu/snapshots/latest")
        await page.getByText("latest is no snapshot expression").waitFor()
        await page.getByRole("link", { name: "~1" }).click()
        await page.getByText("4 of 5").waitFor()
        await go("/acme/environments/nowhere")
        await page.getByText("does not exist").waitFor()
      },
      { statuses: [400, 404] }
    ))

  it("has keys for its neighbours, the latest one and the comparison", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod-eu/snapshots/3")
      await page.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
      await page.keyboard.press("[")
      await page.waitForURL("**/snapshots/2")
      await page.getByText("2 of 5").waitFor()
      await page.keyboard.press("]")
      await page.waitForURL("**/snapshots/3")
      await page.getByLabel("Filter rows").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("l]d")
      await page.waitForURL("**/snapshots/3?q=*")
      await page.keyboard.press("Tab")
      await page.getByRole("heading", { level: 1 }).click()
      await page.keyboard.press("l")
      await page.waitForURL("**/environments/prod-eu")
      await page.getByText("following").waitFor()
      await page.getByText("5 of 5").waitFor()
      await page.keyboard.press("d")
      await page.waitForURL("**/diff?left=prod-eu%234&right=prod-eu%235")
    }))

  it("says where there is nothing: no report, nothing that runs, no row that fits", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/empty")
      await page.getByText("No snapshot yet").waitFor()
      await page.getByText("attestry report docker empty --org acme").waitFor()
      await world.call("PUT /environments/acme/empty/report/docker", { artifacts: [] })
      await page.getByText("Nothing runs here").waitFor({ timeout: 15_000 })
      await open("/acme/environments/prod-eu?q=nothing-like-this")
      await page.getByText("No row fits the filters").waitFor()
      await page.getByRole("button", { name: "Clear filters" }).click()
      await page.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
    }))

  it("lists the members of a logical environment, each row with its own", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod")
      const table = page.getByRole("table", { name: "Rows of the snapshot" })
      await table.getByRole("columnheader", { name: "Member" }).waitFor()
      await page.getByRole("list", { name: "Members" }).getByText("prod-us").waitFor()
      await table.getByRole("link", { name: "search:8" }).first().click()
      await page.getByRole("complementary", { name: "Row" }).getByText("Compliant: all 2").waitFor()
    }))

  it("follows the latest one in place, and moves nothing on a page that stands still", () =>
    visit(world, async ({ page, open, signIn, context }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod-us/snapshots/1")
      await page.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
      const following = await context.newPage()
      await following.goto(`${world.url}/acme/environments/prod-us`)
      await following.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
      const before = await page.getByRole("table", { name: "Rows of the snapshot" }).textContent()
      await report(world, "prod-us", { "shop:10": 1, "search:8": 1 })
      await page.getByText("Snapshot 2 is here").waitFor({ timeout: 15_000 })
      assert.strictEqual(
        await page.getByRole("table", { name: "Rows of the snapshot" }).textContent(),
        before
      )
      await following.bringToFront()
      await following.getByRole("link", { name: "shop:10" }).waitFor({ timeout: 15_000 })
      await page.bringToFront()
      await page.getByRole("link", { name: "view", exact: true }).click()
      await page.waitForURL("**/snapshots/2")
    }))

  it("allows an artifact with a reason, once, and shows the new verdict", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        const row = `${printOf("redis:7")}~registry.example.org/redis:7`
        await signIn(world.keys.member)
        await open(`/acme/environments/prod-eu?row=${encodeURIComponent(row)}`)
        await page.getByRole("button", { name: "Allow here…" }).click()
        const dialog = page.getByRole("dialog", { name: "Allow an artifact" })
        await dialog.getByText(printOf("redis:7")).waitFor()
        await dialog.getByRole("button", { name: "Allow here" }).click()
        await dialog.locator(".field-problem").filter({ hasText: /.+/ }).waitFor()
        await dialog.getByLabel("Reason").fill("the cache of the shop")
        await dialog.getByLabel("Owner").fill("nobody")
        await dialog.getByRole("button", { name: "Allow here" }).click()
        await dialog.getByText("the login of a member [input: nobody]").waitFor()
        await dialog.getByLabel("Owner").fill("ada")
        await dialog.getByLabel("Until").selectOption("3 days")
        await look(visitor, "allow-dialog")
        await dialog.getByRole("button", { name: "Allow here" }).dblclick()
        await dialog.waitFor({ state: "detached" })
        const detail = page.getByRole("complementary", { name: "Row" })
        await detail.getByText("Allowed here, although").waitFor({ timeout: 15_000 })
        await detail.getByText("the cache of the shop").waitFor()
        await detail.getByText("ends in 3 days").waitFor()
        const entries = (await world.call("GET /allowlists/acme/prod-eu")) as Array<unknown>
        assert.lengthOf(entries, 2)
      },
      { statuses: [400] }
    ))
})

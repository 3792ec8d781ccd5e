/** Each page in both themes and two widths: shots for people in `dist/test/shots`, and facts about the layout. */
import { afterAll, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { LOOKS, look } from "./Look.js"

inBrowser("pages", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await World.seedEnvironments(world)
  })
  afterAll(() => world?.stop())

  const POLICY_PAGES: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
    ["policies", "/policies", "known-builds"],
    ["policy", "/policies/prod-requirements", "unit-tests (generic)"],
    ["policy-version", "/policies/prod-requirements/versions/2?compare=1", "1 added"],
    ["policy-editor", "/policies/prod-requirements/edit?try=prod-eu", "judged here in"],
    ["policy-new", "/policies/_new", "draft of version 1"],
    ["controls", "/controls", "Peer review"],
    ["control", "/controls/SDLC-7", "Rule book"],
    ["control-decisions", "/controls/SDLC-7/decisions", "shop › build-10"],
    ["control-coverage", "/controls/SDLC-7/coverage", "Asked for in"],
    ["control-versions", "/controls/SDLC-7/versions", "Version 1"]
  ]

  it("of policies and controls are readable in every look", async () => {
    const policies = await World.start()
    await PolicyWorld.seedPolicies(policies)
    for (const looks of LOOKS)
      await visit(
        policies,
        async ({ page, open, go, settled, signIn }) => {
          await signIn(policies.keys.admin)
          await open("/")
          for (const [name, path, ready] of POLICY_PAGES) {
            await go(`/acme${path}`)
            await settled()
            await page.getByText(ready).first().waitFor()
            await look(page, name, looks)
          }
        },
        looks
      )
    await policies.stop()
  })

  for (const looks of LOOKS) {
    it(`are readable in ${looks.theme} at ${looks.width} pixels`, () =>
      visit(
        world,
        async ({ page, open, go, settled, signIn }) => {
          const show = async (path: string) => {
            await go(path)
            await settled()
          }
          await open("/")
          await page.getByLabel("API key").waitFor()
          await look(page, "sign-in", looks)
          await page.getByLabel("API key").fill("wrong")
          await page.keyboard.press("Enter")
          await page.getByText("This key opens nothing.").waitFor()
          await look(page, "sign-in-wrong", looks)
          await signIn(world.keys.admin)
          await page.getByRole("heading", { name: "prod-eu" }).waitFor()
          await look(page, "overview", looks)
          await show("/acme/environments/prod-eu")
          await page.getByText("Why 2 rows fail").waitFor()
          await look(page, "environment", looks)
          await page.getByRole("link", { name: /search:9/ }).click()
          await page.getByText("1 of 1 policy says no").waitFor()
          for (const part of await page.locator(".row-part summary").all()) await part.click()
          await look(page, "snapshot-row", looks)
          await show("/acme/environments/integration-tests-of-the-payment-team")
          await page.getByText("No snapshot yet").waitFor()
          await look(page, "environment-empty", looks)
          await show("/acme/environments/prod-eu/snapshots/nonsense")
          await page.getByText("is no snapshot expression").waitFor()
          await look(page, "snapshot-malformed", looks)
          await show("/acme/environments/prod")
          await page.getByRole("columnheader", { name: "Member" }).waitFor()
          await look(page, "environment-logical", looks)
          await show("/acme/diff?left=prod-eu&right=staging")
          await page.getByRole("table", { name: "Differences" }).waitFor()
          await look(page, "diff", looks)
          await show("/acme/environments/prod-eu/events")
          await page.getByText("That is the beginning.").waitFor()
          await look(page, "events", looks)
          await show("/acme?view=table")
          await page.getByRole("row", { name: /prod-eu/ }).waitFor()
          await look(page, "overview-table", looks)
          await show("/acme/start")
          await page.getByText("of 5 done").waitFor()
          await look(page, "start", looks)
          await show("/acme/environments/prod-eu/settings")
          await page.getByRole("heading", { name: "Policies" }).waitFor()
          await look(page, "environment-settings", looks)
          await show("/acme/environments/prod/settings")
          await page.getByRole("button", { name: "Save members" }).waitFor()
          await look(page, "environment-settings-logical", looks)
          await show("/_/preferences")
          await page.getByRole("heading", { name: "Preferences" }).waitFor()
          await look(page, "preferences", looks)
          await show("/acme/nowhere")
          await page.getByRole("heading", { name: "Page not found" }).waitFor()
          await look(page, "not-found", looks)
        },
        { ...looks, statuses: [400, 404] }
      ))
  }
})

/** Pages of environments, policies and controls, in every look. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedEvidence } from "../fixture/EvidenceWorld.js"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOfAll, look, type ShownPage } from "./Look.js"

inBrowser("pages", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await World.seedEnvironments(world)
  })
  afterAll(() => world?.stop())

  const POLICY_PAGES: ReadonlyArray<ShownPage> = [
    ["policies", "/policies", "known-builds"],
    ["policy", "/policies/prod-requirements", "unit-tests (generic)"],
    ["policy-version", "/policies/prod-requirements/versions/2?compare=1", "1 added"],
    ["policy-editor", "/policies/prod-requirements/edit?try=prod-eu", "evaluated here in"],
    ["policy-new", "/policies/_new", "draft of version 1"],
    ["controls", "/controls", "Peer review"],
    ["control", "/controls/SDLC-7", "Rule book"],
    ["control-decisions", "/controls/SDLC-7/decisions", "shop › build-10"],
    ["control-coverage", "/controls/SDLC-7/coverage", "Asked for in"],
    ["control-versions", "/controls/SDLC-7/versions", "Version 1"]
  ]

  it("of policies and controls are readable", async () => {
    const policies = await World.start()
    await PolicyWorld.seedPolicies(policies)
    await visit(policies, async (visitor) => {
      await visitor.signIn(policies.keys.admin)
      await visitor.open("/")
      assert.deepStrictEqual(await faultsOfAll(visitor, POLICY_PAGES), [])
    })
    await policies.stop()
  })

  it("of evidence and the trust policy are readable", async () => {
    const evidence = await World.start()
    const digest = await seedEvidence(evidence)
    await visit(evidence, async (visitor) => {
      await visitor.signIn(evidence.keys.admin)
      await visitor.open("/")
      assert.deepStrictEqual(
        await faultsOfAll(visitor, [
          ["evidence-list", "/evidence", "shop.json"],
          ["evidence-list-failed", "/evidence?state=failed", "wrong.json"],
          ["evidence-document", `/evidence/${digest}`, "Dependencies"],
          ["evidence-document-waiting", `/evidence/${digest}?position=2`, "waits for such"],
          ["trust-policy", "/trust-policy", "release-2026"]
        ]),
        []
      )
    })
    await evidence.stop()
  })

  it("are readable", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, go, settled, signIn } = visitor
        const show = async (path: string) => {
          await go(path)
          await settled()
        }
        await open("/")
        await page.getByLabel("API key").waitFor()
        await look(visitor, "sign-in")
        await page.getByLabel("API key").fill("wrong")
        await page.keyboard.press("Enter")
        await page.getByText("This key opens nothing.").waitFor()
        await look(visitor, "sign-in-wrong")
        await signIn(world.keys.admin)
        await page.getByRole("heading", { name: "prod-eu" }).waitFor()
        await look(visitor, "overview")
        await show("/acme/environments/prod-eu")
        await page.getByText("Why 2 rows fail").waitFor()
        await look(visitor, "environment")
        await page.getByRole("link", { name: /search:9/ }).click()
        await page.getByText("1 of 1 policy says no").waitFor()
        for (const part of await page.locator(".row-part summary").all()) await part.click()
        await look(visitor, "snapshot-row")
        await show("/acme/environments/integration-tests-of-the-payment-team")
        await page.getByText("No snapshot yet").waitFor()
        await look(visitor, "environment-empty")
        await show("/acme/environments/prod-eu/snapshots/nonsense")
        await page.getByText("is no snapshot expression").waitFor()
        await look(visitor, "snapshot-malformed")
        await show("/acme/environments/prod")
        await page.getByRole("columnheader", { name: "Member" }).waitFor()
        await look(visitor, "environment-logical")
        await show("/acme/diff?left=prod-eu&right=staging")
        await page.getByRole("table", { name: "Differences" }).waitFor()
        await look(visitor, "diff")
        await show("/acme/environments/prod-eu/events")
        await page.getByText("That is the beginning.").waitFor()
        await look(visitor, "events")
        await show("/acme?view=table")
        await page.getByRole("row", { name: /prod-eu/ }).waitFor()
        await look(visitor, "overview-table")
        await show("/acme/start")
        await page.getByText("of 5 done").waitFor()
        await look(visitor, "start")
        await show("/acme/environments/prod-eu/settings")
        await page.getByRole("heading", { name: "Policies" }).waitFor()
        await look(visitor, "environment-settings")
        await show("/acme/environments/prod/settings")
        await page.getByRole("button", { name: "Save members" }).waitFor()
        await look(visitor, "environment-settings-logical")
        await show("/_/preferences")
        await page.getByRole("heading", { name: "Preferences" }).waitFor()
        await look(visitor, "preferences")
        await show("/acme/nowhere")
        await page.getByRole("heading", { name: "Page not found" }).waitFor()
        await look(visitor, "not-found")
      },
      { statuses: [400, 404] }
    ))
})

/** The pages of flows and evidence in both themes and two widths. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf, themesAt, WIDTHS } from "./Look.js"

/** A path below the org, the text that says that it is ready, and the name of its shot. */
const PAGES: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
  ["flows", "/flows", "Builds of the shop"],
  ["flow", "/flows/shop", "Share complete"],
  ["flow-artifacts", "/flows/shop/artifacts", "Running in"],
  ["flow-deployments", "/flows/shop/deployments", "Lead time"],
  ["flow-settings", "/flows/shop/settings", "Archive this flow"],
  ["trail", `/flows/shop/trails/${TRAILS.shop11}`, "command to report it"],
  ["trail-failing", `/flows/shop/trails/${TRAILS.shop9}`, "120 tests, 2 failed, 1 skipped"],
  ["artifact", `/flows/shop/artifacts/${PRINTS.shop10}?environment=prod`, "1 reason"],
  ["artifact-flows", `/artifacts/${PRINTS.shop10}`, "second-look"],
  ["artifact-unknown", `/artifacts/${PRINTS.redis}`, "No provenance"],
  ["artifact-prefix", "/artifacts/24ade", "begin with this text"],
  ["artifact-none", `/artifacts/${"0".repeat(64)}`, "Nothing is known of this fingerprint"],
  ["artifacts", "/artifacts", "Running in"],
  ["attestations", "/attestations", "120 tests, 2 failed, 1 skipped"],
  ["attestation-types", "/attestation-types", "Answers under load"],
  ["attestation-type", "/attestation-types/load-test", "any JSON value"],
  ["deployments", "/deployments", "no provenance"],
  ["where-it-ran", "/where-it-ran?flow_name=shop", "Each time by itself"],
  ["where-it-ran-days", "/where-it-ran?flow_name=shop&from=2026-01-01&to=2100-01-01", "Each time"],
  ["where-it-ran-reversed", "/where-it-ran?flow_name=shop&from=2100-01-01&to=2026-01-01", "first day"],
  ["where-it-ran-none", "/where-it-ran?author=Kim", "ran anywhere"],
  ["graph", `/graph?root=fingerprint:${PRINTS.shop10}`, "Each connection"],
  ["graph-environment", "/graph?root=environment:prod&depth=4", "Each connection"],
  ["graph-none", "/graph", "connected with"],
  ["repos", "/repos", "team/shop"],
  ["repo", "/repos/team/shop", "Running now"]
]

inBrowser("pages of flows and evidence", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  for (const width of WIDTHS)
    it(`are readable at ${width} pixels`, () =>
      visit(
        world,
        async ({ page, open, go, settled, signIn }) => {
          const faults: Array<string> = []
          const see = async (name: string) => {
            for (const theme of themesAt(width)) {
              await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" })
              faults.push(...(await faultsOf(page, name, { theme, width })))
            }
          }
          await signIn(world.keys.admin)
          await open("/acme/flows")
          for (const [name, path, ready] of PAGES) {
            await go(`/acme${path}`)
            await settled()
            await page.getByText(ready).first().waitFor()
            await see(name)
          }
          await open(`/acme/flows/shop/trails/${TRAILS.shop9}`)
          await page.getByRole("link", { name: "unit-tests" }).click()
          await page.getByText("report.xml").waitFor()
          await see("attestation")
          await page.getByRole("button", { name: "Override…" }).click()
          await page.getByLabel("Reason").waitFor()
          await see("override")
          assert.deepStrictEqual(faults, [])
        },
        { width, statuses: [404] }
      ))
})

/** The pages of flows and evidence, in every look. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PURLS, seedComponents } from "../fixture/ComponentWorld.js"
import { PRINTS, TRAILS } from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf, faultsOfAll, type ShownPage } from "./Look.js"

const PAGES: ReadonlyArray<ShownPage> = [
  ["flows", "/flows", "Builds of the shop"],
  ["flow", "/flows/shop", "Share complete"],
  ["flow-artifacts", "/flows/shop/artifacts", "Running in"],
  ["flow-deployments", "/flows/shop/deployments", "Lead time"],
  ["flow-settings", "/flows/shop/settings", "Archive this flow"],
  ["trail", `/flows/shop/trails/${TRAILS.shop11}`, "replace what stands in angle brackets"],
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
  [
    "where-it-ran-reversed",
    "/where-it-ran?flow_name=shop&from=2100-01-01&to=2026-01-01",
    "first day"
  ],
  ["where-it-ran-none", "/where-it-ran?author=Kim", "ran anywhere"],
  ["where-it-ran-component", `/where-it-ran?purl=${encodeURIComponent("pkg:npm/lodash")}`, "Each"],
  ["where-it-ran-vulnerability", "/where-it-ran?vulnerability=CVE-2026-2", "mitigated by VEX"],
  ["components", "/components", "debian/libc6"],
  ["components-short", "/components?q=lo", "at least 3 characters"],
  ["component", `/components/${encodeURIComponent("pkg:npm/lodash")}`, "4.17.21"],
  ["component-version", `/components/${encodeURIComponent(PURLS.libc)}`, "All versions"],
  ["artifact-components", `/artifacts/${PRINTS.shop9}`, "@angular/core"],
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
    await seedComponents(world)
  })
  afterAll(() => world?.stop())

  it("are readable", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await signIn(world.keys.admin)
        await open("/acme/flows")
        const faults = [...(await faultsOfAll(visitor, PAGES))]
        await open(`/acme/flows/shop/trails/${TRAILS.shop9}`)
        await page.getByRole("link", { name: "unit-tests" }).click()
        await page.getByText("report.xml").waitFor()
        faults.push(...(await faultsOf(visitor, "attestation")))
        await page.getByRole("button", { name: "Override…" }).click()
        await page.getByLabel("Reason").waitFor()
        faults.push(...(await faultsOf(visitor, "override")))
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [404] }
    ))
})

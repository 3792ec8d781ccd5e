/** Pages of waivers and of decay, in every look. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { PRINTS, seedWaivers } from "../fixture/WaiverWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf, faultsOfAll, type ShownPage } from "./Look.js"

const row = (print: string, name: string) => encodeURIComponent(`${print}~${name}`)

const PAGES: ReadonlyArray<ShownPage> = [
  ["overview-decays", "", "Decays next"],
  ["overview-decays-table", "?view=table", "canary"],
  ["decaying", "/decaying", "rows that turn first"],
  ["waivers", "/waivers", "waiver 1"],
  ["waiver-inbox", "/waivers/inbox", "Waits for others"],
  ["waiver-debt", "/waivers/debt", "Nothing to waive"],
  ["waiver-settings", "/waivers/settings", "Save settings"],
  ["waiver", "/waivers/1", "Where it is in use"],
  ["waiver-orphan", "/waivers/8", "has nothing to waive"],
  ["waiver-new", "/waivers/_new?policy=prod-rules&environment=production", "Request the waiver"],
  ["waiver-extend", "/waivers/_new?extends=1", "Nothing of it is changed"],
  ["environment-decays", "/environments/canary", "expires in"],
  [
    "row-waived",
    `/environments/production?row=${row(PRINTS.redis, "docker.io/library/redis:7")}`,
    "waived by"
  ],
  [
    "row-failing",
    `/environments/production?row=${row(PRINTS.search, "registry.example.org/search:9")}`,
    "Request a waiver"
  ]
]

inBrowser("pages of waivers", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedWaivers(world)
  })
  afterAll(() => world?.stop())

  it("are readable", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/waivers")
      const faults = [...(await faultsOfAll(visitor, PAGES))]
      await open("/acme/waivers/inbox")
      await page.getByRole("button", { name: /^Approve… waiver/ }).click()
      await page.getByLabel("Comment").waitFor()
      faults.push(...(await faultsOf(visitor, "waiver-approve")))
      await open("/acme/waivers/debt")
      await page.getByText("As a table").click()
      faults.push(...(await faultsOf(visitor, "waiver-trend")))
      assert.deepStrictEqual(faults, [])
    }))

  it("of an org without waivers say how to request one", async () => {
    const empty = await World.start()
    await World.seedEnvironments(empty)
    await visit(empty, async (visitor) => {
      await visitor.signIn(empty.keys.reader)
      await visitor.open("/")
      assert.deepStrictEqual(
        await faultsOfAll(visitor, [
          ["waivers-none", "/waivers", "No failure is waived"],
          ["waiver-debt-none", "/waivers/debt", "No waiver is in force."],
          ["waiver-settings-read", "/waivers/settings", "Admins of the org change these settings"],
          ["decaying-none", "/decaying", "No verdict ends by time alone"]
        ]),
        []
      )
    })
    await empty.stop()
  })
})

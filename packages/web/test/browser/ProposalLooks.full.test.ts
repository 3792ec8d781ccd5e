/** Pages of proposals and protections, in every look. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { openBreakGlass, seedProposals } from "../fixture/ProposalWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf, faultsOfAll, type ShownPage } from "./Look.js"

const PAGES: ReadonlyArray<ShownPage> = [
  ["proposal-inbox", "/proposals", "Waits for others"],
  ["proposals", "/proposals?list=all", "proposal 1"],
  ["proposal", "/proposals/1", "What it changes"],
  ["proposal-own", "/proposals/3", "This is your own proposal"],
  ["protections", "/protections", "Save protections"],
  ["break-glass", "/break-glass", "The shop is down again."]
]

inBrowser("pages of proposals", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await openBreakGlass(world)
    await seedProposals(world)
  })
  afterAll(() => world?.stop())

  it("are readable", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await signIn(world.keys.admin)
        await open("/acme/proposals")
        const faults = [...(await faultsOfAll(visitor, PAGES))]
        const see = async (name: string) => void faults.push(...(await faultsOf(visitor, name)))
        await open("/acme/proposals/1")
        await page.getByRole("button", { name: "Approve…" }).click()
        await page.getByLabel("Comment").waitFor()
        await see("proposal-approve")
        await open("/acme/teams/risk")
        await page.getByRole("button", { name: "Add a member…" }).click()
        await page.getByLabel("Login of a member of the org").fill("max")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByRole("button", { name: "Propose it…" }).waitFor()
        await see("held")
        await page.getByRole("button", { name: "Propose it…" }).click()
        await page.getByLabel("Reason").waitFor()
        await see("propose")
        await open("/acme/break-glass")
        const dialogs = [
          ["Open break-glass…", "break-glass-open"],
          ["Close… break-glass 2", "break-glass-close"],
          ["Review… break-glass 1", "break-glass-review"]
        ] as const
        for (const [button, shot] of dialogs) {
          await page.getByRole("button", { name: button, exact: true }).click()
          await see(shot)
          await page.getByRole("button", { name: "Cancel" }).click()
        }
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [403] }
    ))
})

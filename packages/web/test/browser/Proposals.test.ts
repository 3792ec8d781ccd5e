/** Two people: a held change is proposed from its form, and another person decides after looking at the difference. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedProposals } from "../fixture/ProposalWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("proposals", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedProposals(world)
  })
  afterAll(() => world?.stop())

  it("are made from the form whose change was held", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/teams/risk")
        await page.getByRole("button", { name: "Add a member…" }).click()
        await page.getByLabel("Login of a member of the org").fill("max")
        await page.getByRole("button", { name: "Add", exact: true }).click()
        await page.getByText("this change needs the approval of 2 other people").waitFor()
        await page.getByRole("button", { name: "Propose it…" }).click()
        const dialog = page.getByRole("dialog", { name: "Propose this change" })
        await dialog.getByRole("button", { name: "Propose" }).click()
        await dialog.getByText("String should not be blank").waitFor()
        await dialog.getByLabel("Reason").fill("Max decides about policies.")
        await dialog.getByRole("button", { name: "Propose" }).click()
        await page.waitForURL("**/acme/proposals/*")
        await page.getByRole("heading", { name: /Proposal \d+ made/ }).waitFor()
        await page.getByText("member: max").waitFor()
        await page.getByText("This is your own proposal").waitFor()
        assert.strictEqual(await page.getByRole("button", { name: "Approve…" }).count(), 0)
        await page.getByRole("button", { name: "Withdraw…" }).click()
        await page.getByRole("button", { name: "Withdraw", exact: true }).click()
        await page.getByRole("heading", { name: /withdrawn/ }).waitFor()
      },
      { statuses: [403, 400] }
    ))

  it("are approved after the difference was looked at", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/proposals")
      await page.getByRole("heading", { name: "Waits for you" }).waitFor()
      await page.getByRole("link", { name: "Look at the difference of proposal 1" }).click()
      await page.getByRole("heading", { name: "policy prod-rules" }).waitFor()
      await page.getByText("required: true").waitFor()
      await page.getByRole("button", { name: "Approve…" }).click()
      await page.getByLabel("Comment").fill("Until the new year.")
      await page.getByRole("button", { name: "Approve", exact: true }).click()
      await page.getByRole("heading", { name: "Proposal 1 applied" }).waitFor()
      await page.getByText("Until the new year.").waitFor()
      await open("/acme/proposals")
      await page.getByText("Nothing waits for your decision.").waitFor()
      await page.getByRole("link", { name: "All proposals" }).click()
      await page.getByRole("row", { name: /proposal 2.*rejected/ }).waitFor()
      await page.getByLabel("State").selectOption("applied")
      await page.getByRole("row", { name: /proposal 1.*applied/ }).waitFor()
      await page.getByRole("row", { name: /proposal 2/ }).waitFor({ state: "detached" })
    }))

  it("of others are not shown to people who decide about none", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open("/acme/proposals?list=all")
        await page.getByText("No proposals yet").waitFor()
        assert.strictEqual(await page.getByRole("link", { name: "Protections" }).count(), 0)
        await open("/acme/proposals/1")
        await page.getByText("Proposal 1 does not exist").waitFor()
      },
      { statuses: [404] }
    ))

  it("are needed to weaken a protection, and not to add one", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/protections")
        const second = page.getByRole("region", { name: "Protection 2" })
        assert.isTrue(await second.getByLabel("sign-in and protections").isChecked())
        await second.getByRole("button", { name: "Remove protection 2" }).click()
        await page.getByRole("button", { name: "Save protections" }).click()
        await page.getByText("this change needs the approval of 2 other people").waitFor()
        await page.getByRole("button", { name: "Propose it…" }).click()
        const dialog = page.getByRole("dialog", { name: "Propose this change" })
        await dialog.getByLabel("Reason").fill("Nobody changes roles.")
        await dialog.getByRole("button", { name: "Propose" }).click()
        await page.waitForURL("**/acme/proposals/*")
        await page.getByRole("heading", { name: "protections acme" }).waitFor()
      },
      { statuses: [403] }
    ))

  it("protect a free org by a form of rows, whose problems stand beside their fields", async () => {
    const free = await World.start()
    try {
      await visit(
        free,
        async ({ page, open, signIn }) => {
          await signIn(free.keys.admin)
          await open("/acme/protections")
          await page.getByText("No change needs the approval of another person.").waitFor()
          await page.getByRole("button", { name: "Add a protection" }).click()
          const row = page.getByRole("region", { name: "Protection 1" })
          await row.getByLabel("policies", { exact: true }).check()
          await row.getByLabel("Team that may approve").fill("none")
          await page.getByRole("button", { name: "Save protections" }).click()
          await row.getByText("There is no team 'none'").waitFor()
          await row.getByLabel("Team that may approve").fill("")
          await row.getByLabel("Other people who must approve").fill("4")
          await page.getByRole("button", { name: "Save protections" }).click()
          await row.locator(".field-problem", { hasText: /\S/ }).waitFor()
          await row.getByLabel("Other people who must approve").fill("2")
          await page.getByRole("button", { name: "Save protections" }).click()
          await page.getByText("Saved.").waitFor()
          await page.reload()
          await row.getByLabel("policies", { exact: true }).waitFor()
          assert.isTrue(await row.getByLabel("policies", { exact: true }).isChecked())
          assert.strictEqual(
            await row.getByLabel("Other people who must approve").inputValue(),
            "2"
          )
        },
        { statuses: [400] }
      )
    } finally {
      await free.stop()
    }
  })
})

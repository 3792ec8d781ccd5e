/** Countdowns, the list of what decays next, and waivers from the failing row to their revocation. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { approve, PRINTS, REVIEW, request, seedDecay } from "../fixture/WaiverWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("waivers", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedDecay(world)
  })
  afterAll(() => world?.stop())

  it("are not needed for what decays: the overview and rows count down", () =>
    visit(world, async ({ page, open, signIn, settled }) => {
      await signIn(world.keys.reader)
      await open("/acme")
      await settled()
      const decays = page.getByRole("region", { name: "Decays next" })
      const lines = await decays.getByRole("listitem").allInnerTexts()
      assert.match(lines[0] ?? "", /canary[\s\S]*next change in 2 d 23 h/)
      assert.match(lines.at(-1) ?? "", /staging[\s\S]*next change in 29 d 23 h/)
      await decays.getByRole("link", { name: "rows that turn first in canary" }).click()
      await settled()
      assert.include(page.url(), "/environments/canary?sort=expires")
      await page.getByRole("row", { name: /shop:10.*expires in 2 d 23 h/ }).waitFor()
      await page.getByText(/^next change in 2 d/).waitFor()
      await page.getByRole("link", { name: /shop:10/ }).click()
      await page
        .getByRole("complementary", { name: "Row" })
        .getByText(/^expires in 2 d/)
        .waitFor()
      await open("/acme/decaying")
      const table = page.getByRole("table", { name: "Environments by their next change" })
      assert.match(
        (await table.locator("tbody tr").first().textContent()) ?? "",
        /canary|production/
      )
    }))

  it("are requested from a failing row, approved in the inbox, and revoked", async () => {
    await visit(world, async ({ page, open, signIn, settled }) => {
      await signIn(world.keys.member)
      await open("/acme/environments/production")
      await page.getByRole("link", { name: /search:9/ }).click()
      await page.getByRole("link", { name: "Request a waiver" }).click()
      await settled()
      assert.strictEqual(await page.getByLabel("Policy").inputValue(), "prod-rules")
      await page.getByText("rule 3: review (generic)").waitFor({ state: "attached" })
      assert.strictEqual(await page.getByLabel("Rule").inputValue(), '["generic","review"]')
      assert.strictEqual(await page.getByLabel("Environment").inputValue(), "production")
      assert.strictEqual(
        await page.getByLabel("Only the artifact with this fingerprint").inputValue(),
        PRINTS.search
      )
      await page.getByLabel("Reason").fill("the reviewer is away")
      await page.getByRole("button", { name: "Request the waiver" }).click()
      await page.getByRole("heading", { name: "Waiver 1 requested" }).waitFor()
      await page.getByText("Only admins of the org decide about it.").waitFor()
      await page.getByText("0 of 1 approval").waitFor()
    })
    await visit(
      world,
      async ({ page, open, signIn, settled }) => {
        await signIn(world.keys.admin)
        await open("/acme/waivers")
        await page.getByRole("link", { name: "Inbox 1 to decide" }).click()
        await page.getByRole("button", { name: "Approve… waiver 1" }).click()
        await page.getByLabel("Comment").fill("for a week")
        await page.getByRole("button", { name: "Approve", exact: true }).click()
        await page.getByText("Nothing waits for your decision.").waitFor()
        await open("/acme/environments/production")
        await page.getByText("1 waived").waitFor()
        await page.getByRole("link", { name: /search:9/ }).click()
        const card = page.getByRole("region", { name: "Waiver 1" })
        await card.getByText("review (generic) of prod-rules waived by").waitFor()
        await card.getByText("approved by ada").waitFor()
        await card.getByText(/^ends in 1/).waitFor()
        await card.getByRole("link", { name: "waiver 1" }).click()
        await page
          .getByRole("listitem")
          .filter({ hasText: /^production 1 row$/ })
          .waitFor()
        await page.getByText("for a week").waitFor()
        await page.getByRole("button", { name: "Revoke… waiver 1" }).click()
        await page.getByRole("button", { name: "Revoke", exact: true }).click()
        await page.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
        await page.getByLabel("Reason").fill("reviewed")
        await page.getByRole("button", { name: "Revoke", exact: true }).click()
        await page.getByRole("heading", { name: "Waiver 1 revoked" }).waitFor()
        await open("/acme/environments/production")
        await settled()
        assert.strictEqual(await page.getByText("1 waived").count(), 0)
      },
      { statuses: [400] }
    )
  })

  it("of the reader themselves wait for another person", () =>
    visit(world, async ({ page, open, signIn }) => {
      const now = Math.floor(Date.now() / 1_000)
      const { number } = (await world.call("POST /waivers/acme", {
        policy_name: "prod-rules",
        reason: "the scanner is down",
        owner: "ada",
        expires_at: now + 86_400
      })) as { readonly number: number }
      await signIn(world.keys.admin)
      await open("/acme/waivers/inbox")
      const card = page.getByRole("listitem").filter({ hasText: `waiver ${number}` })
      await card.getByText("This is your own request: another person must decide.").waitFor()
      assert.strictEqual(await card.getByRole("button").count(), 0)
      await world.call(`POST /waivers/acme/${number}/revoke`, { reason: "not needed" })
    }))

  it("are extended by another waiver with the same terms", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        const number = await request(world, { rule: REVIEW, environment: "canary" })
        await approve(world, number)
        await signIn(world.keys.member)
        await open(`/acme/waivers/${number}`)
        await page.getByRole("link", { name: "Extend…" }).click()
        await page.getByRole("heading", { name: "Extend a waiver" }).waitFor()
        assert.strictEqual(await page.getByLabel("Environment").inputValue(), "canary")
        await page.getByLabel("Last day (UTC)").fill("2020-01-01")
        await page.getByRole("button", { name: "Request the waiver" }).click()
        await page.getByText("it must be after the start and after now").waitFor()
        const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
        await page.getByLabel("Last day (UTC)").fill(later)
        await page.getByRole("button", { name: "Request the waiver" }).click()
        await page.getByRole("heading", { name: `Waiver ${number + 1} requested` }).waitFor()
        await page.getByRole("link", { name: `waiver ${number}`, exact: true }).waitFor()
        await open("/acme/waivers?state=active&environment=canary")
        const table = page.getByRole("table", { name: "Waivers" })
        await table.getByRole("link", { name: `waiver ${number}` }).waitFor()
        assert.strictEqual(await table.locator("tbody tr").count(), 1)
        await page.getByLabel("Policy").selectOption("scanned")
        await page.getByText("No waiver fits the filters").waitFor()
        await page.getByRole("button", { name: "Clear filters" }).click()
        await table.getByRole("link", { name: `waiver ${number + 1}` }).waitFor()
      },
      { statuses: [400] }
    ))

  it("have rules that admins set, and that others read", async () => {
    await visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/waivers/settings")
        await page.getByLabel("Days that a waiver lasts at most").fill("500")
        await page.getByRole("button", { name: "Save settings" }).click()
        await page.getByRole("alert").filter({ hasText: /365/ }).waitFor()
        await page.getByLabel("Days that a waiver lasts at most").fill("60")
        await page.getByLabel("Who approves").selectOption("member")
        await page.getByRole("button", { name: "Save settings" }).click()
        await page.getByText("Saved.").waitFor()
      },
      { statuses: [400] }
    )
    await visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/waivers/settings")
      await page.getByText("60 days").waitFor()
      await page.getByText("members and admins").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Save settings" }).count(), 0)
      assert.strictEqual(await page.getByRole("link", { name: "Inbox" }).count(), 0)
      assert.strictEqual(await page.getByRole("link", { name: "Request a waiver…" }).count(), 0)
    })
  })
})

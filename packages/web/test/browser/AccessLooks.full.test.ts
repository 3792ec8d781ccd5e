/** Notifications, access, the audit log, search and the palette, in every look; on paper too. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { faultsOf, faultsOfAll, type ShownPage } from "./Look.js"

const PAGES: ReadonlyArray<ShownPage> = [
  ["notifications", "/notifications", "prod alerts"],
  ["notification", "/notifications/1", "Where to"],
  ["failed-deliveries", "/notifications/failed", "it answered 500"],
  ["key-expiry", "/notifications/key-expiry", "Last notice"],
  ["signing-secret", "/notifications/signing-secret", "Show the secret"],
  ["members", "/members", "sue"],
  ["invitations", "/members?list=invitations", "Kim"],
  ["teams", "/teams", "who pays"],
  ["team", "/teams/payments", "max"],
  ["spaces", "/spaces?space=retail", "they keep the shop"],
  ["move-things", "/spaces/move?type=flow&name=shop", "Move to another space"],
  ["placement-rules", "/spaces/placement", "Go to"],
  [
    "access-who",
    "/access/who?permission=flow.write&at=flow&name=shop",
    "a grant for team payments"
  ],
  ["service-accounts", "/service-accounts", "Reports builds"],
  ["api-keys", "/api-keys", "old runner"],
  ["service-account", "/service-accounts/ci-builder", "old runner"],
  ["audit-log", "/audit-log", "flow created"],
  ["erasures-none", "/audit-log/erasures", "Nothing was erased"],
  ["allow-lists-none", "/allow-lists", "Nothing is allowed in spite of policies"],
  ["builds-none", "/builds", "No builds in the last 28 days"],
  ["membership-history", "/audit-log/memberships", "added as reader"],
  ["search", "/search?q=prod", "prod-us"]
]

inBrowser("pages of access", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  it("are readable", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/notifications")
      const faults = [...(await faultsOfAll(visitor, PAGES))]
      const see = async (name: string) => void faults.push(...(await faultsOf(visitor, name)))
      await open("/acme/service-accounts/ci-builder")
      await page.getByRole("button", { name: "Rotate pipelines" }).click()
      await see("rotate-key")
      await page.getByRole("button", { name: "Cancel" }).click()
      await page.getByRole("link", { name: "What may this key do: pipelines" }).click()
      await page.getByText("A key of").waitFor()
      await see("access-key")
      await open("/acme/service-accounts")
      await page.getByRole("button", { name: "New account…" }).click()
      await page.getByLabel("Space", { exact: true }).waitFor()
      await see("new-pipeline")
      await page.getByRole("button", { name: "Cancel" }).click()
      await open("/verify")
      await see("verify")
      await open("/acme/audit-log?kind=flow_created")
      await page.getByRole("link", { name: "flow created" }).click()
      await page.getByRole("button", { name: "Verify" }).click()
      await page.getByText("the content fits its digest").waitFor()
      await see("audit-entry")
      await open("/acme/members")
      await page.getByRole("button", { name: "Invite…" }).click()
      await see("invite")
      await page.getByLabel("Name (optional)").fill("Lee")
      await page.getByRole("button", { name: "Make the link" }).click()
      const link = (await page.getByRole("dialog").locator("code").textContent()) ?? ""
      await see("invitation-link")
      await page.getByRole("button", { name: "I have copied it" }).click()
      await page.getByRole("button", { name: "Suspend… sue" }).click()
      await see("suspend")
      await page.getByRole("button", { name: "Cancel" }).click()
      await open(`/_/invitation${new URL(link).hash}`)
      await page.getByRole("button", { name: "Join acme" }).waitFor()
      await see("invitation-join")
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Login").fill("lee")
      await see("invitation")
      await page.getByRole("button", { name: "Accept" }).click()
      await page.getByLabel("I have stored it").waitFor()
      await see("invitation-accepted")
      await page.getByLabel("I have stored it").check()
      await page.getByRole("button", { name: "Go to acme" }).click()
      await page.waitForURL("**/acme")
      await page.context().clearCookies()
      await open("/_/sign-in")
      await signIn(world.keys.admin)
      await open("/acme/notifications")
      await page.getByRole("button", { name: "New subscription…" }).click()
      await see("subscription-form")
      await page.keyboard.press("Escape")
      await page.keyboard.press("Control+K")
      await page.getByRole("combobox", { name: "Search or jump" }).fill("prod")
      await page.getByRole("option", { name: "prod-us" }).waitFor()
      await see("palette")
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Keys" }).click()
      await page.getByRole("dialog", { name: "Keys" }).waitFor()
      await see("keys")
      assert.deepStrictEqual(faults, [])
    }))

  it("have every row, no shell, the address and the time on paper", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/audit-log")
      await page.getByText("flow created").first().waitFor()
      await page.emulateMedia({ media: "print" })
      assert.isFalse(await page.getByRole("navigation", { name: "Places" }).isVisible())
      assert.isFalse(await page.getByRole("button", { name: "Download CSV" }).isVisible())
      await page.getByText(`${world.url}/acme/audit-log`).waitFor()
      const hidden = await page.evaluate(() => {
        const scroller = document.querySelector(".table-scroller")
        return scroller === null || scroller.scrollHeight > scroller.clientHeight + 1
      })
      assert.isFalse(hidden)
      await page.screenshot({ path: "dist/test/shots/audit-log-print.png", fullPage: true })
    }))
})

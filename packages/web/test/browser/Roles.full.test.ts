/** Scenario 18: each role sees its own actions and no others; a forced write is refused, and the page shows it. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

type Role = keyof World.World["keys"]

/** An action of a page, and the roles that see it. */
const OFFERS: ReadonlyArray<
  readonly [path: string, ready: string, offer: string, roles: ReadonlyArray<Role>]
> = [
  ["/notifications", "prod alerts", "New subscription…", ["admin", "member"]],
  ["/notifications/1", "Where to", "Delete…", ["admin", "member"]],
  ["/notifications/key-expiry", "Last notice", "Save targets", ["admin"]],
  ["/service-accounts", "Service accounts", "New account…", ["admin", "member", "snapshotter"]],
  ["/members", "Service accounts", "Invite…", ["admin"]],
  ["/teams", "Teams", "New team…", ["admin"]],
  ["/spaces", "The whole org", "New space…", ["admin"]],
  ["/spaces/placement", "Placement rules", "Save rules", ["admin"]],
  ["/waivers/settings", "Settings of waivers", "Save settings", ["admin"]],
  ["/protections", "Protections", "Save protections", ["admin"]],
  ["/evidence", "No evidence files yet", "Send a file…", ["admin", "member"]],
  ["/trust-policy", "attestry trust put trust.yaml", "Save version…", ["admin"]],
  ["/log", "Who can read it", "Make it public…", ["admin"]],
  ["/audit-log/erasures", "Erasures", "Search the log", ["admin"]],
  ["/audit-log", "Audit log", "Download CSV", ["admin"]]
]

/** The tabs and places that only some see. */
const PLACES: ReadonlyArray<readonly [link: string, roles: ReadonlyArray<Role>]> = [
  ["Failed deliveries", ["admin", "member"]],
  ["Signing secret", ["admin"]],
  ["Waivers", ["admin", "member", "snapshotter", "reader"]],
  ["Proposals", ["admin", "member", "snapshotter", "reader"]],
  ["Access", ["admin", "member", "snapshotter"]],
  ["Audit log", ["admin"]]
]

inBrowser("roles", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  for (const role of ["admin", "member", "snapshotter", "reader"] as const)
    it(`${role} sees exactly what the role may do`, () =>
      visit(world, async ({ page, open, go, settled, signIn }) => {
        await signIn(world.keys[role])
        await open("/acme/notifications")
        for (const [path, ready, offer, roles] of OFFERS) {
          await go(`/acme${path}`)
          await settled()
          await page.getByText(ready).first().waitFor()
          const count = await page.getByRole("button", { name: offer }).count()
          assert.strictEqual(count, roles.includes(role) ? 1 : 0, `${role} ${path} ${offer}`)
        }
        await go("/acme/artifacts")
        await page.getByRole("link", { name: "Components", exact: true }).click()
        await page.getByText("No components yet").waitFor()
        await go("/acme/notifications")
        await page.getByText("prod alerts").waitFor()
        for (const [link, roles] of PLACES) {
          const count = await page.getByRole("link", { name: link }).count()
          assert.strictEqual(count, roles.includes(role) ? 1 : 0, `${role} ${link}`)
        }
      }))

  it("others see why they may not read the audit log, and are led from people to accounts", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/audit-log")
      await page.getByText("The audit log is for administrators").waitFor()
      await open("/acme/members")
      await page.waitForURL("**/acme/service-accounts")
    }))

  it("a write that the role lost meanwhile is refused, and said so", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.member)
        await open("/acme/notifications")
        await page.route("**/environments_notifications", (route) =>
          route.fulfill({
            status: 403,
            contentType: "application/json",
            body: JSON.stringify({ message: "max may not do this in acme" })
          })
        )
        await page.getByRole("button", { name: "New subscription…" }).click()
        await page.getByLabel("Name").fill("x")
        await page.getByRole("button", { name: "Create subscription" }).click()
        await page.getByText("max may not do this in acme").waitFor()
        assert.strictEqual(await page.getByLabel("Name").inputValue(), "x")
      },
      { statuses: [403] }
    ))
})

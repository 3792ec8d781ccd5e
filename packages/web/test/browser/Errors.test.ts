/** Scenario 22: busy servers, no connection, a damaged record, and failures with their request id. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

/** Answers the first requests of an address in place of the server. */
const answerOnce = async (
  page: Page,
  pattern: string,
  answer: { readonly status: number; readonly headers?: { readonly [name: string]: string } }
): Promise<void> => {
  let isAnswered = false
  await page.route(pattern, (route) => {
    if (isAnswered) return route.fallback()
    isAnswered = true
    return route.fulfill({
      ...answer,
      contentType: "application/json",
      body: JSON.stringify({ message: "Something is wrong here" })
    })
  })
}

inBrowser("errors", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  for (const status of [429, 503])
    it(`${status} is said, and asked again after the time that the server names`, () =>
      visit(
        world,
        async ({ page, open, signIn }) => {
          await open("/acme/members")
          await signIn(world.keys.admin)
          await page.getByText("sue").first().waitFor()
          await answerOnce(page, "**/api/v2/memberships/**", {
            status,
            headers: { "retry-after": "1" }
          })
          await open("/acme/members")
          await page.getByText("The server is busy").waitFor()
          await page.getByText("Trying again in 1 s.").waitFor()
          await page.getByText("sue").first().waitFor()
          assert.strictEqual(await page.getByText("The server is busy").count(), 0)
        },
        { statuses: [429, 503] }
      ))

  it("500 has the request id, and the rest of the page stays", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await open("/acme/members")
        await signIn(world.keys.admin)
        await page.getByText("sue").first().waitFor()
        await answerOnce(page, "**/api/v2/memberships/**", {
          status: 500,
          headers: { "x-request-id": "request-77" }
        })
        await open("/acme/members")
        await page.getByText("The server failed").waitFor()
        await page.getByText("request-77").waitFor()
        await page.getByRole("link", { name: "Service accounts" }).waitFor()
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByText("sue").first().waitFor()
      },
      { statuses: [500] }
    ))

  it("a page without a connection says so, and goes on with one", () =>
    visit(
      world,
      async ({ page, open, signIn, context }) => {
        await open("/acme/service-accounts")
        await signIn(world.keys.admin)
        await page.getByRole("link", { name: "ci-builder" }).waitFor()
        await page.getByRole("button", { name: "New account…" }).click()
        await page.getByLabel("For", { exact: true }).selectOption("other")
        await page.getByLabel("Name", { exact: true }).fill("later")
        await page.route("**/api/v2/service-accounts/acme", (route) => route.abort())
        await page.getByRole("button", { name: "Create account" }).click()
        await page.getByText("The server cannot be reached").waitFor()
        await page.unroute("**/api/v2/service-accounts/acme")
        assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "later")
        await page.getByRole("button", { name: "Create account" }).click()
        await page.waitForURL("**/acme/service-accounts/later")
        await context.setOffline(true)
        await page.getByText("You are offline").waitFor()
        await context.setOffline(false)
        await page.getByText("You are offline").waitFor({ state: "detached" })
      },
      { offline: true }
    ))

  it("a page whose code cannot be loaded says so, and is loaded again", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/members")
        await page.getByText("sue").first().waitFor()
        await page.route("**/_/assets/PoliciesPage-*", (route) => route.abort())
        await page.getByRole("link", { name: "Policies" }).click()
        await page.getByText("The server cannot be reached").waitFor()
        await page.unroute("**/_/assets/PoliciesPage-*")
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByRole("heading", { name: "Policies", exact: true }).waitFor()
      },
      { offline: true }
    ))

  it("a damaged record of a list is counted, and the others are shown", () =>
    visit(world, async ({ page, open, signIn }) => {
      await open("/acme/members")
      await signIn(world.keys.admin)
      await page.getByText("sue").first().waitFor()
      await page.route("**/api/v2/memberships/**", async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { readonly members: ReadonlyArray<object> }
        const damaged = { damaged_record: true, message: "This record is damaged" }
        await route.fulfill({
          response,
          json: { ...body, members: [damaged, ...body.members.slice(1)] }
        })
      })
      await open("/acme/members")
      await page.getByText("One record of this list is damaged").waitFor()
      await page.getByText("sue").first().waitFor()
    }))
})

/** Signing in with a real provider: by its button, where one arrives, what fails, other tabs, and signing out. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as SignInWorld from "../fixture/SignInWorld.js"
import { type BrowserTests, inBrowser, type Visitor } from "./Browser.js"
import { faultsOf } from "./Look.js"
import { answer, press } from "./Provider.js"

/** A command line that waits for its code, on a free port. */
const startCommandLine = async (done: string) => {
  const arrived: Array<URLSearchParams> = []
  const server = createServer((request, response) => {
    arrived.push(new URL(request.url ?? "/", "http://127.0.0.1").searchParams)
    response.writeHead(302, { location: done }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { arrived, port, stop: () => server.close() }
}

inBrowser("signing in with a provider", ({ visit }) => {
  let world: SignInWorld.SignInWorld
  beforeAll(async () => {
    world = await SignInWorld.start()
    await world.call("PUT /flows/acme", { name: "shop", description: "Builds of the shop" })
  })
  afterAll(() => world?.stop())

  const goesTo = () => [world.provider]
  const inVisit = (
    run: (visitor: Visitor) => Promise<void>,
    looks: Parameters<BrowserTests["visit"]>[2] = {}
  ) => visit(world, run, { goesTo: goesTo(), ...looks })

  it("opens the page that was asked for, and shows the person among the members", () =>
    inVisit(async (visitor) => {
      const { page, open } = visitor
      await open("/acme/flows/shop?q=1")
      await page.waitForURL("**/_/sign-in?**")
      await page.getByRole("link", { name: "Sign in with Okta" }).waitFor()
      const faults = [...(await faultsOf(visitor, "sign-in-provider"))]
      await press(page)
      await answer(page, "Ann")
      await page.waitForURL("**/acme/flows/shop?q=1")
      await page.getByRole("heading", { name: "shop", level: 1 }).waitFor()
      await open("/acme/members")
      await page.getByRole("row", { name: /Ann.*admin/ }).waitFor()
      faults.push(...(await faultsOf(visitor, "members-provider")))
      await open("/acme/sign-in")
      await page
        .getByRole("row", { name: /okta:ann okta signed_in|ann.*okta/ })
        .first()
        .waitFor()
      faults.push(...(await faultsOf(visitor, "sign-in-settings")))
      assert.deepStrictEqual(faults, [])
    }))

  it("never returns to another site", () =>
    inVisit(async ({ page, open }) => {
      await open(`/_/sign-in?next=${encodeURIComponent("//evil.example.org/acme")}`)
      await press(page)
      await answer(page, "Ben")
      await page.waitForURL(`${world.origin}/acme`)
    }))

  it("says what failed, by class, and leads back", () =>
    inVisit(
      async (visitor) => {
        const { page, open } = visitor
        await open("/_/sign-in")
        await press(page)
        await answer(page, "Cancel")
        await page.getByRole("heading", { name: "You did not sign in" }).waitFor()
        const faults = [...(await faultsOf(visitor, "sign-in-cancelled"))]
        const failed = page.url()
        await page.getByRole("link", { name: "Back to the sign-in page" }).click()
        await page.waitForURL("**/_/sign-in")
        await press(page)
        await answer(page, "Zoe")
        await page.getByRole("heading", { name: "Nobody here is known by this identity" }).waitFor()
        await page.getByText("u-zoe").waitFor()
        await page.getByText(world.provider).waitFor()
        assert.notInclude(await page.content(), "zoe@example.com")
        faults.push(...(await faultsOf(visitor, "sign-in-refused")))
        await page.goto(failed)
        await page.getByRole("heading", { name: "This sign-in has ended" }).waitFor()
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [400, 403] }
    ))

  it("ends in every tab, and at the provider", () =>
    inVisit(async ({ page, open, context }) => {
      await open("/acme/flows")
      await press(page)
      await answer(page, "Ann")
      await page.waitForURL("**/acme/flows")
      const other = await context.newPage()
      await other.goto(`${world.url}/acme`)
      await other.getByRole("button", { name: "Sign out" }).waitFor()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.waitForURL(`${world.provider}/session/end?**`)
      await other.waitForURL("**/_/sign-in**")
      await page.getByRole("button", { name: "Sign me out" }).click()
      await page.waitForURL("**/_/sign-in")
      await press(page)
      await page.getByRole("heading", { name: "Who are you?" }).waitFor()
    }))

  it("opens the session of another tab too, where one has waited", () =>
    inVisit(async ({ page, open, context }) => {
      await open("/acme/flows")
      await page.waitForURL("**/_/sign-in?**")
      const other = await context.newPage()
      await other.goto(`${world.url}/acme/members`)
      await press(other)
      await answer(other, "Ann")
      await other.waitForURL("**/acme/members")
      await page.waitForURL("**/acme/flows")
      await page.getByRole("link", { name: "shop" }).first().waitFor()
    }))

  it("lets a command line in after a sign-in, by a click alone", async () => {
    const line = await startCommandLine(`${world.url}/_/command-line?done=yes`)
    const word = "a".repeat(43)
    await visit(
      world,
      async (visitor) => {
        const { page, open } = visitor
        await open(`/_/command-line?port=${line.port}&challenge=${word}&state=${word}`)
        await press(page)
        await answer(page, "Ben")
        await page.waitForURL("**/_/command-line?**")
        await page.getByText("wants to sign in as Ben").waitFor()
        const faults = [...(await faultsOf(visitor, "command-line"))]
        assert.deepStrictEqual(line.arrived, [])
        await page.getByRole("button", { name: "Allow" }).click()
        await page.getByText("The command line is signed in.").waitFor()
        faults.push(...(await faultsOf(visitor, "command-line-done")))
        const [query] = line.arrived
        assert.strictEqual(query?.get("state"), word)
        assert.match(query?.get("code") ?? "", /^[0-9a-f-]{32,36}\.[0-9a-f]{64}$/)
        assert.deepStrictEqual(faults, [])
      },
      { goesTo: [world.provider, `http://127.0.0.1:${line.port}/`] }
    )
    line.stop()
  })

  it("is set up by rows: rules in their order, teams, and the role of provisioned people", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await signIn(world.keys.admin)
        await open("/acme/sign-in")
        const rule = (at: number) => page.getByRole("region", { name: `Rule ${at}` })
        await rule(2).waitFor()
        await page.getByRole("button", { name: "Add a rule" }).click()
        await page.getByRole("button", { name: "Add a team" }).click()
        await page.getByRole("button", { name: "Save settings" }).click()
        await page.locator(".field-problem:not(:empty)").first().waitFor()
        await rule(3).getByLabel("People of a").selectOption("domain")
        await rule(3).getByLabel("Domain", { exact: true }).fill("example.com")
        await rule(3).getByLabel("Role", { exact: true }).selectOption("reader")
        const up = page.getByRole("button", { name: "Up rule 3" })
        await up.focus()
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Up rule 2" }).waitFor()
        assert.match((await page.locator(":focus").textContent()) ?? "", /^Up/)
        assert.strictEqual(
          await rule(2).getByLabel("Domain", { exact: true }).inputValue(),
          "example.com"
        )
        const team = page.getByRole("region", { name: "Team 1" })
        await team.getByLabel("Group", { exact: true }).fill("payments")
        await team.getByLabel("Team", { exact: true }).fill("payments")
        await page.getByLabel("Role of people whom SCIM makes").selectOption("reader")
        const faults = await faultsOf(visitor, "sign-in-rules")
        await page.getByRole("button", { name: "Save settings" }).click()
        await page.getByText("Saved.").waitFor()
        const saved = Object(await world.call("GET /sign-in/acme"))
        assert.deepStrictEqual(saved.join[1], {
          provider: "okta",
          domain: "example.com",
          role: "reader"
        })
        assert.strictEqual(saved.group_teams[0].team, "payments")
        assert.strictEqual(saved.provision_role, "reader")
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [400] }
    ))
})

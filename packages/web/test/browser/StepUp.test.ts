/** A change that needs a recent sign-in: the form stays while one signs in, and is sent once, for the same person. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { callAs } from "../fixture/ProposalWorld.js"
import * as SignInWorld from "../fixture/SignInWorld.js"
import { inBrowser, type Visitor } from "./Browser.js"
import { look } from "./Look.js"
import { answer, press } from "./Provider.js"

/** The sent requests of a page with a method and the end of a path, as the statuses of their answers. */
const watchAnswers = (page: Page, method: string, end: string): ReadonlyArray<number> => {
  const statuses: Array<number> = []
  page.on("response", (response) => {
    if (response.request().method() === method && new URL(response.url()).pathname.endsWith(end))
      statuses.push(response.status())
  })
  return statuses
}

/** Signs in as Ann, who signed in at the provider an hour ago. */
const enter = async ({ page, open }: Visitor, path: string): Promise<void> => {
  await open(path)
  await press(page)
  await answer(page, "Ann, an hour ago")
  await page.waitForURL(`**${path}`)
}

/** Fills the form of a grant, and sends it. */
const give = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Give a role…" }).click()
  await page.getByLabel("Login").fill("max")
  await page.getByLabel("Role", { exact: true }).selectOption("member")
  await page.getByLabel("Reason (optional)").fill("on call")
  await page.getByRole("button", { name: "Give", exact: true }).click()
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor()
}

/** The tab that the button of the dialog opens. */
const openProvider = async ({ page, context }: Visitor): Promise<Page> => {
  const [other] = await Promise.all([context.waitForEvent("page"), press(page)])
  return other
}

inBrowser("a change that needs a recent sign-in", ({ visit }) => {
  let world: SignInWorld.SignInWorld
  beforeAll(async () => {
    world = await SignInWorld.start()
    for (const path of ["retail", "cards", "shops"]) await world.call("POST /spaces/acme", { path })
    await world.call("PUT /policies/acme", {
      name: "rules",
      policy_yaml: "_schema: https://attestry.example.com/schemas/policy/v1\n"
    })
    await world.call("PUT /protections/acme", {
      protections: [{ kinds: ["policy"], approvals: 1 }]
    })
    await callAs(world, "member", [
      "POST /proposals/acme",
      {
        operation: "policy.put",
        params: { name: "rules" },
        body: {
          policy_yaml:
            "_schema: https://attestry.example.com/schemas/policy/v1\nartifacts:\n  provenance:\n    required: true\n"
        },
        reason: "Builds are known now."
      }
    ])
    await world.settings({ fresh_minutes: 15 })
  })
  afterAll(() => world?.stop())

  const inVisit = (
    run: (visitor: Visitor) => Promise<void>,
    statuses: ReadonlyArray<number> = []
  ) => visit(world, run, { goesTo: [world.provider], statuses })

  it("keeps the form, and is sent once after the sign-in", () =>
    inVisit(async (visitor) => {
      const { page } = visitor
      await enter(visitor, "/acme/spaces?space=retail")
      const answers = watchAnswers(page, "PUT", "/grants/acme")
      await give(page)
      await look(visitor, "step-up")
      assert.strictEqual(await page.evaluate(() => sessionStorage.length), 0)
      const other = await openProvider(visitor)
      await answer(other, "Ann")
      await other.getByText("Go back to the tab where you were").waitFor()
      await look({ ...visitor, page: other, settled: async () => {} }, "step-up-done")
      await page.getByRole("row", { name: /max.*member.*on call/ }).waitFor()
      assert.strictEqual(await page.getByRole("dialog").count(), 0)
      assert.deepStrictEqual(answers, [401, 201])
    }))

  it("approves a proposal with the comment that was typed", () =>
    inVisit(async (visitor) => {
      const { page } = visitor
      await enter(visitor, "/acme/proposals/1")
      await page.getByRole("button", { name: "Approve…" }).click()
      await page.getByLabel("Comment").fill("seen with the team")
      await page.getByRole("button", { name: "Approve", exact: true }).click()
      await page.getByRole("dialog", { name: "Sign in again" }).waitFor()
      await answer(await openProvider(visitor), "Ann")
      await page.getByText("seen with the team").waitFor()
    }))

  it("is not sent for another person, who sees nothing of the form", () =>
    inVisit(
      async (visitor) => {
        const { page } = visitor
        await enter(visitor, "/acme/spaces?space=cards")
        const answers = watchAnswers(page, "PUT", "/grants/acme")
        await give(page)
        await answer(await openProvider(visitor), "Ben")
        await page.getByTitle("Preferences").getByText("Ben").waitFor()
        await page.getByText("Its admins see who has a role here.").waitFor()
        assert.strictEqual(await page.getByRole("dialog").count(), 0)
        assert.deepStrictEqual(answers, [401])
      },
      [403]
    ))

  it("is given up by the person, who keeps what was typed", () =>
    inVisit(async (visitor) => {
      const { page } = visitor
      await enter(visitor, "/acme/spaces?space=shops")
      await give(page)
      const dialog = page.getByRole("dialog", { name: "Sign in again" })
      await dialog.getByRole("button", { name: "Cancel" }).click()
      await page.getByText("this needs a sign-in within the last 15 minutes").waitFor()
      assert.strictEqual(await page.getByLabel("Login").inputValue(), "max")
    }))

  it("says so to a person with an API key where no sign-in helps", async () => {
    const before = world.keys.admin
    await visit(world, async ({ page, open, signIn }) => {
      await signIn(before)
      await open("/acme/spaces?space=shops")
      await give(page)
      await page.getByRole("link", { name: "Sign in with Okta" }).waitFor()
      assert.strictEqual(await page.getByRole("dialog").getByLabel("API key").count(), 0)
    })
  })
})

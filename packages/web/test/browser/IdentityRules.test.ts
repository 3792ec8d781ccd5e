/** Identity rules of a service account: made from presets, shown with their claims, changed and removed. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

interface Rules {
  readonly rules: ReadonlyArray<{
    readonly issuer: string
    readonly subject: string
    readonly audience: string
    readonly claims: { readonly [name: string]: string }
    readonly lifetime: number
  }>
}

inBrowser("identity rules", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await world.call("POST /service-accounts/acme", { name: "ci", privilege: "member" })
  })
  afterAll(() => world?.stop())

  const rules = async (): Promise<Rules["rules"]> =>
    ((await world.call("GET /service-accounts/acme/ci/identity-rules")) as Rules).rules

  it("are added, changed and removed, and an account needs no key with one", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        await signIn(world.keys.admin)
        await open("/acme/service-accounts/ci")
        await page.getByText("No identity rules yet").waitFor()
        await page.getByText("No key works").waitFor()
        await page.getByRole("button", { name: "New identity rule…" }).click()
        const add = page.getByRole("dialog", { name: "New identity rule of ci" })
        await add.getByRole("button", { name: "Add rule" }).click()
        await add.getByText("The path of the repository, as owner/name.").waitFor()
        await add.getByLabel("Repository", { exact: true }).fill("acme/shop")
        await add.getByLabel("Repository ID").fill("4711")
        await add.getByText("repo:acme/shop:ref:refs/heads/main").waitFor()
        await look(visitor, "identity-rule-form")
        await add.getByRole("button", { name: "Add rule" }).dblclick()
        await add.waitFor({ state: "detached" })
        await page.getByText("GitHub Actions · acme/shop · branch main").waitFor()
        await page.getByText("No stored key: pipelines sign in by identity").waitFor()
        await page.getByText("A job that uses it").click()
        await page.getByText("id-token: write").waitFor()
        await look(visitor, "identity-rules")
        assert.deepStrictEqual(await rules(), [
          {
            issuer: "https://token.actions.githubusercontent.com",
            audience: world.url,
            subject: "repo:acme/shop:ref:refs/heads/main",
            claims: { repository_id: "4711" },
            lifetime: 900,
            single_use: false
          }
        ] as unknown as Rules["rules"])
        await page.getByRole("button", { name: /^Change the rule/ }).click()
        const change = page.getByRole("dialog", { name: "Change the rule" })
        await change.getByLabel("Claims").fill("repository_id=*")
        await change.getByRole("button", { name: "Save rule" }).click()
        await change.getByText("without a wildcard").waitFor()
        await change.getByLabel("Claims").fill("repository_id=4712")
        await change.getByRole("button", { name: "Save rule" }).click()
        await change.waitFor({ state: "detached" })
        await page.getByText("4712").waitFor()
        await page.getByRole("button", { name: /^Remove the rule/ }).click()
        await page.getByRole("button", { name: "Remove rule", exact: true }).click()
        await page.getByText("No identity rules yet").waitFor()
        assert.deepStrictEqual(await rules(), [])
      },
      { statuses: [400] }
    ))

  it("are for administrators, also of the account that a member has made", () =>
    visit(world, async ({ page, open, signIn }) => {
      await fetch(`${world.url}/api/v2/service-accounts/acme`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${world.keys.member}`,
          "content-type": "application/json"
        },
        body: JSON.stringify({ name: "own", privilege: "member" })
      })
      await signIn(world.keys.member)
      await open("/acme/service-accounts/own")
      await page.getByText("Only administrators see and change the rules").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "New identity rule…" }).count(), 0)
    }))

  it("are not replaced if another person has changed them meanwhile", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/service-accounts/ci")
      await page.getByRole("button", { name: "New identity rule…" }).click()
      const add = page.getByRole("dialog", { name: "New identity rule of ci" })
      await add.getByLabel("GitLab CI/CD").check()
      await add.getByLabel("Project", { exact: true }).fill("acme/shop")
      await add.getByLabel("Project ID").fill("12")
      await world.call("PUT /service-accounts/acme/ci/identity-rules", {
        rules: [{ issuer: "https://ci.example.org", subject: "pipeline:shop:main" }]
      })
      await add.getByRole("button", { name: "Add rule" }).click()
      await add.getByText("The rules were changed meanwhile.").waitFor()
      assert.lengthOf(await rules(), 1)
      await add.getByRole("button", { name: "Cancel" }).click()
      await page.getByText("ci.example.org").first().waitFor()
    }))
})

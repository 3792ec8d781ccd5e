/** The trust policy: its empty state, its editor with problems at their lines, and its versions. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { trustText } from "../fixture/TrustTexts.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

const PATH = "/acme/trust-policy"

/** Replaces the text in the editor. */
const write = async (page: Page, text: string) => {
  const editor = page.getByRole("textbox", { name: "Text of the trust policy" })
  await editor.click({ position: { x: 20, y: 20 } })
  await page.keyboard.press("Control+a")
  await page.keyboard.press("Delete")
  await page.keyboard.insertText(text)
}

const save = async (page: Page, comment: string) => {
  await page.getByRole("button", { name: "Save version…" }).click()
  await page.getByLabel("Comment").fill(comment)
  await page.getByRole("button", { name: /^Save version \d+$/ }).click()
}

inBrowser("the trust policy", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
  })
  afterAll(() => world?.stop())

  const saved = async () =>
    (await world.call("GET /trust-policy/acme/versions")) as ReadonlyArray<{
      readonly version: number
      readonly comment: string
      readonly trust_yaml: string
    }>

  it("says what it is while there is none", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(PATH)
      await page.getByText("No trust policy yet").waitFor()
      await page.getByText("attestry trust put trust.yaml").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Save version…" }).count(), 0)
      await look(visitor, "trust-policy-none")
    }))

  it("is written with problems at their lines, and saved", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open(PATH)
      await page.getByText("an example, not saved").waitFor()
      await write(page, trustText("release", "release").replace("[provenance, sbom]", "[nonsense]"))
      await page.getByText("2 problems").waitFor()
      await page.getByRole("button", { name: /^line 11, column/ }).waitFor()
      await page.getByRole("button", { name: /^line 13, column/ }).waitFor()
      assert.isTrue(await page.getByRole("button", { name: "Save version…" }).isDisabled())
      await look(visitor, "trust-policy-problems")
      await write(page, trustText("release"))
      await page.getByText("draft of version 1").waitFor()
      await save(page, "the first key")
      await page.getByText("version 1, unchanged").waitFor()
      await page.getByText("signed by key release-2026").waitFor()
      await page.getByRole("table", { name: "Keys" }).getByText("ed25519").waitFor()
      const [only, ...others] = await saved()
      assert.deepInclude(only, { version: 1, comment: "the first key" })
      assert.deepStrictEqual(others, [])
    }))

  it("shows remarks, and the difference between two versions", () =>
    visit(world, async (visitor) => {
      const { page, open, settled, signIn } = visitor
      await signIn(world.keys.admin)
      await open(PATH)
      await page.getByText("version 1, unchanged").waitFor()
      await write(page, trustText("release", "second"))
      await page.getByText("warning:").waitFor()
      await page.getByText("draft of version 2").waitFor()
      await page.reload()
      await page.getByText("draft of version 2").waitFor()
      await save(page, "one more rule")
      await page.getByText("version 2, unchanged").waitFor()
      await settled()
      await look(visitor, "trust-policy")
      await page.getByRole("link", { name: "compare 1 ↔ 2" }).click()
      await page.getByRole("heading", { name: "Version 1 ↔ Version 2" }).waitFor()
      await page.getByText("0 lines removed, 3 added").waitFor()
      await look(visitor, "trust-policy-difference")
      await page.getByLabel("compare with").selectOption("")
      await page.getByRole("heading", { name: "Text of version 2" }).waitFor()
      await page.getByRole("button", { name: "Close" }).click()
      await page.waitForURL(/trust-policy$/)
      await open(`${PATH}?version=9`)
      await page.getByText("The trust policy has versions 1 to 2.").waitFor()
    }))

  it("shows what the server refuses at its line", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open(PATH)
        await page.route("**/api/v2/trust-policy/acme", (route) =>
          route.fulfill({
            status: 400,
            contentType: "application/json",
            body: JSON.stringify({
              message: "1 validation errors for TrustPolicy",
              errors: { "rules.0.signer": "line 12, column 5: no root has this name" }
            })
          })
        )
        await page.getByText("version 2, unchanged").waitFor()
        await write(page, trustText("other"))
        await save(page, "")
        await page.getByRole("button", { name: "line 12, column 5" }).waitFor()
        await page.getByText("no root has this name").waitFor()
        await page.getByText("1 problem", { exact: true }).waitFor()
        await page.getByRole("button", { name: "Discard" }).click()
        await page.getByText("version 2, unchanged").waitFor()
      },
      { statuses: [400] }
    ))

  it("keeps the text when another version was saved meanwhile", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.admin)
      await open(PATH)
      await page.getByText("version 2, unchanged").waitFor()
      await write(page, trustText("mine"))
      await page.getByText("draft of version 3").waitFor()
      const theirs = { trust_yaml: trustText("theirs"), comment: "theirs" }
      await world.call("PUT /trust-policy/acme", theirs)
      await save(page, "mine")
      await page.getByText("Another version was saved meanwhile").waitFor()
      await page.getByRole("button", { name: "Back to the text" }).click()
      await page.getByText("Version 3 was saved by ada meanwhile").waitFor()
      await look(visitor, "trust-policy-overtaken")
      await page.getByRole("button", { name: "Go on with my text, as version 4" }).click()
      await save(page, "mine")
      await page.getByText("version 4, unchanged").waitFor()
      assert.deepInclude((await saved())[0], { version: 4, trust_yaml: trustText("mine") })
    }))

  it("is read-only for members", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.member)
      await open("/acme/policies")
      await page.getByRole("link", { name: "Trust policy" }).click()
      await page.getByRole("region", { name: "Text of the policy" }).waitFor()
      await page.getByText("signed by key release-2026").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Save version…" }).count(), 0)
      await look(visitor, "trust-policy-read")
    }))
})

/** Policies: their pages, and the editor with its playground. Scenarios 12 and 19. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

const TESTS = "type: generic, name: unit-tests"
const REVIEW = "type: decision, for_control: SDLC-7"
const SCAN = "type: generic, name: scan"

/** Replaces the text in the editor. */
const write = async (page: Page, text: string) => {
  const editor = page.getByRole("textbox", { name: "Text of the policy" })
  await editor.click({ position: { x: 20, y: 20 } })
  await page.keyboard.press("Control+a")
  await page.keyboard.press("Delete")
  await page.keyboard.insertText(text)
}

inBrowser("policies", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await PolicyWorld.seedPolicies(world)
  })
  afterAll(() => world?.stop())

  const edit = "/acme/policies/prod-requirements/edit"
  const latest = async () => {
    const policy = await world.call("GET /policies/acme/prod-requirements")
    return (
      policy as { versions: ReadonlyArray<{ version: number; comment: string }> }
    ).versions.at(-1)
  }

  it("show what a policy requires, which environments it evaluates and how it changed", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/policies")
      await page.getByRole("link", { name: "prod-requirements" }).click()
      await page.getByText("unit-tests (generic)").waitFor()
      assert.strictEqual(await page.getByRole("link", { name: "Edit" }).count(), 0)
      await page.getByRole("link", { name: "compare 1 ↔ 2" }).click()
      await page.getByRole("heading", { name: "Version 1 ↔ version 2" }).waitFor()
      await page.getByText("0 lines removed, 1 added").waitFor()
      const [added] = await page.locator(".diff-added .diff-text").allTextContents()
      assert.include(added ?? "", "SDLC-7")
      await page.goBack()
      await page.getByRole("link", { name: "SDLC-7" }).click()
      await page.getByRole("heading", { name: "SDLC-7" }).waitFor()
      await open("/acme/policies/prod-requirements/versions/9")
      await page.getByText("There is no version 9").waitFor()
    }))

  it("say what is wrong at its place, and complete words", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open(edit)
      await page.getByText("version 2, unchanged").waitFor()
      const playground = page.getByRole("region", { name: "Playground" })
      await playground.getByText("evaluated here in").waitFor()
      await playground.getByText("would be another one").waitFor()
      await write(page, PolicyWorld.policyText(TESTS).replace("true", "yes please"))
      await page.getByRole("button", { name: /^line 4, column/ }).waitFor()
      await page.getByText("1 problem").waitFor()
      await playground.getByText("The draft is evaluated as soon as it has no problems.").waitFor()
      assert.strictEqual(await playground.getByText("evaluated here in").count(), 0)
      assert.strictEqual(await playground.getByText("would be another one").count(), 0)
      assert.isTrue(await page.getByRole("button", { name: "Save version…" }).isDisabled())
      await write(page, PolicyWorld.policyText(TESTS))
      await page.getByText("draft of version 3").waitFor()
      await page.keyboard.press("Control+End")
      await page.keyboard.type("    - {type: sn")
      await page.getByRole("option", { name: "snyk" }).waitFor()
      await page.keyboard.press("Escape")
      await write(page, PolicyWorld.policyText(TESTS))
      await page.keyboard.press("Control+End")
      await page.keyboard.type("    - type: sny")
      await page.getByRole("option", { name: "snyk" }).waitFor()
      await page.keyboard.type("k")
      await page.getByRole("option", { name: "snyk" }).waitFor({ state: "detached" })
      await page.keyboard.press("Enter")
      const editor = page.getByRole("textbox", { name: "Text of the policy" })
      const lines = await editor.locator(".cm-line").allTextContents()
      assert.deepStrictEqual(lines.slice(-2), ["    - type: snyk", "      "])
      await page.getByRole("button", { name: "Discard" }).click()
      await page.getByText("version 2, unchanged").waitFor()
    }))

  it("remark on a valid text at its place, and compare it with the version before", () =>
    visit(world, async ({ page, open, signIn }) => {
      await open(edit)
      await signIn(world.keys.member)
      await page.getByText("version 2, unchanged").waitFor()
      await write(page, PolicyWorld.policyText(TESTS, TESTS))
      await page.getByText(/the rule on line \d+ says the same: remove one of them/).waitFor()
      assert.isTrue(await page.getByRole("button", { name: "Save version…" }).isEnabled())
      await page.getByText("Compared with version 2, this text is weaker").waitFor()
      await page.getByText("Newly accepted:").waitFor()
      await page.getByRole("button", { name: "Discard" }).click()
      await page.getByText("version 2, unchanged").waitFor()
    }))

  it("try a draft on what runs, show what it changes, and save it as the next version", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open(edit)
      await page.getByText("version 2, unchanged").waitFor()
      await page.getByLabel("environment").selectOption("prod-eu")
      await page.waitForURL(/try=prod-eu/)
      await write(page, PolicyWorld.policyText(TESTS))
      await page.getByRole("button", { name: "1 rows would stop failing" }).waitFor()
      await page.getByText("With today's evidence, 3 rows of snapshot 1").waitFor()
      await write(page, PolicyWorld.policyText(TESTS, REVIEW, SCAN, "type: generic, name: sbom"))
      await page.getByRole("button", { name: "1 rows would start failing" }).click()
      await page.waitForURL(/cell=starts-failing/)
      await page.getByRole("button", { name: "registry.example.org/shop:10" }).click()
      await page.getByText("there is no attestation `sbom`").first().waitFor()
      const remedies = page.getByRole("heading", { name: "To make it compliant, smallest first" })
      await remedies.waitFor()
      const steps = page.locator(".row-detail .remedies ul li")
      assert.match(
        (await steps.allTextContents()).join("\n"),
        /Report sbom of type generic in trail /
      )
      await page.getByRole("button", { name: "Save version…" }).click()
      await page.getByText(/1 start failing, 0 stop failing, of 3/).waitFor()
      await page.getByText("2 rows would start failing and 0 would stop failing").waitFor()
      await page.getByLabel("Comment").fill("ask for a bill of materials")
      await page.getByRole("button", { name: "Save version 3" }).click()
      await page.waitForURL(/policies\/prod-requirements$/)
      await page.getByRole("link", { name: "version 3" }).waitFor()
      assert.deepInclude(await latest(), { version: 3, comment: "ask for a bill of materials" })
      await open(edit)
      await page.getByText("version 3, unchanged").waitFor()
    }))

  it("ask the server about a draft on real facts, by the evidence of then and of now", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/policies/known-builds/edit?try=staging")
      await page.getByText("No verdict of 3 rows of snapshot 1 would be another one.").waitFor()
      await write(page, PolicyWorld.policyText("type: generic, name: late-scan"))
      const dryRun = page.getByRole("region", { name: "Dry run" })
      await dryRun.getByText("3 of 3 rows of snapshot 1 would have another verdict.").waitFor()
      await dryRun.getByText("there is no attestation `late-scan`").first().waitFor()
      await world.call("POST /attestations/acme/shop/trail/build-10/generic", {
        attestation_name: "late-scan",
        is_compliant: true
      })
      await dryRun.getByLabel("what is known now").check()
      await page.waitForURL(/evidence=now/)
      await dryRun.getByText("2 of 3 rows of snapshot 1 would have another verdict.").waitFor()
      await dryRun.getByLabel("evidence it was evaluated by").check()
      await dryRun.getByText("3 of 3 rows of snapshot 1 would have another verdict.").waitFor()
      await world.call("PUT /environments/acme", {
        name: "all-of-staging",
        type: "logical",
        included_environments: ["staging"]
      })
      await open("/acme/policies/known-builds/edit?try=all-of-staging")
      await dryRun.getByText("3 of 3 rows of snapshot 1 would have another verdict.").waitFor()
      await dryRun.getByText("in staging").first().waitFor()
      await open(`/acme/policies/known-builds/edit?try=${PolicyWorld.fingerprint(10)}`)
      await dryRun.getByText("The artifact passes.").waitFor()
      assert.strictEqual(
        ((await world.call("GET /snapshots/acme/staging")) as Array<unknown>).length,
        1
      )
      await page.getByRole("button", { name: "Discard" }).click()
    }))

  it("notice a version that was saved meanwhile, and keep the text", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.admin)
      await open(edit)
      await page.getByText("version 3, unchanged").waitFor()
      await write(page, PolicyWorld.policyText(TESTS))
      await page.getByText("draft of version 4").waitFor()
      await PolicyWorld.savePolicy(world, "prod-requirements", PolicyWorld.policyText(SCAN), "mine")
      await page.getByRole("button", { name: "Save version…" }).click()
      await page.getByRole("button", { name: "Save version 4" }).click()
      await page.getByText("Another version was saved meanwhile").waitFor()
      await page.getByRole("button", { name: "Back to the text" }).click()
      await page.getByText("Version 4 was saved by ada meanwhile").waitFor()
      await page.getByRole("button", { name: "Go on with my text, as version 5" }).click()
      await page.getByText("draft of version 5").waitFor()
      await page.reload()
      await page.getByText("draft of version 5").waitFor()
      assert.strictEqual((await latest())?.version, 4)
    }))

  it("keep the text when the session ends, and save after signing in again", () =>
    visit(world, async ({ page, context, open, signIn }) => {
      await signIn(world.keys.admin)
      await open(edit)
      await page.getByText("version 4, unchanged").waitFor()
      await write(page, PolicyWorld.policyText(TESTS, SCAN))
      await page.getByText("draft of version 5").waitFor()
      await page.getByRole("button", { name: "Save version…" }).click()
      await page
        .getByText(/environments, with today's evidence|would be evaluated otherwise/)
        .waitFor()
      await context.clearCookies()
      await page.getByLabel("Comment").fill("after a pause")
      await page.getByRole("button", { name: "Save version 5" }).click()
      await page.getByText("Your session has ended").waitFor()
      await page.getByLabel("API key").fill(world.keys.admin)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL(/policies\/prod-requirements$/)
      assert.deepInclude(await latest(), { version: 5, comment: "after a pause" })
    }))

  it("count rules as the text does, on every page", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await PolicyWorld.savePolicy(
        world,
        "prod-requirements",
        PolicyWorld.policyText(TESTS, REVIEW, "type: generic, name: sbom")
      )
      await open("/acme/policies/prod-requirements")
      await page.getByText("sbom (generic)").waitFor()
      const marks = page.locator(".rule-list .rule-mark")
      assert.deepStrictEqual(await marks.allTextContents(), [
        "rule 1",
        "rule 2",
        "rule 3",
        "rule 4"
      ])
      const inText = page.locator(".source .rule-mark").filter({ hasText: "rule 4" })
      await inText.filter({ hasText: "✕" }).waitFor()
      await page
        .getByRole("link", { name: /rule 4 ✕/ })
        .first()
        .click()
      await page.waitForURL(/rule=prod-requirements\.4/)
      await page.getByRole("link", { name: /sbom.*prod-requirements v6 rule 4/ }).waitFor()
      await page.getByRole("button", { name: /prod-requirements v6 rule 4/ }).waitFor()
    }))

  it("restore an earlier version as the next one", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.member)
      await open("/acme/policies/prod-requirements/versions/2")
      await page.getByRole("button", { name: "Restore version 2…" }).click()
      assert.strictEqual(await page.getByLabel("Comment").inputValue(), "version 2 again")
      await page.getByRole("button", { name: "Save version 7" }).click()
      await page.waitForURL(/policies\/prod-requirements$/)
      assert.deepInclude(await latest(), { version: 7, comment: "version 2 again" })
      await open("/acme/policies/prod-requirements/versions/2")
      await page.getByText("an earlier version").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /Restore/ }).count(), 0)
    }))

  it("make a new policy, and refuse what the server refuses", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/policies/_new")
        await page.getByText("draft of version 1").waitFor()
        await page.getByLabel("Name").fill("fresh")
        await page.reload()
        assert.strictEqual(await page.getByLabel("Name").inputValue(), "fresh")
        await write(page, PolicyWorld.policyText("type: decision, for_control: SDLC-99"))
        await page.getByRole("button", { name: "Save version…" }).click()
        await page.getByRole("button", { name: "Save version 1" }).click()
        await page
          .getByText(/SDLC-99/)
          .last()
          .waitFor()
        await page.getByRole("button", { name: "Back to the text" }).click()
        await write(page, PolicyWorld.policyText(REVIEW))
        await page.getByRole("button", { name: "Save version…" }).click()
        await page.getByRole("button", { name: "Save version 1" }).click()
        await page.waitForURL(/policies\/fresh$/)
      },
      { statuses: [400, 404] }
    ))
})

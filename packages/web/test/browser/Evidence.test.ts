/** Evidence files: their list with filters, and one document with its verification and what it reached. */
import { afterAll, assert, beforeAll, it } from "vitest"
import { fileOf, type PlainLine } from "../../../http/test/evidence/PlainReader.js"
import { PRINTS, seedFlows } from "../fixture/FlowWorld.js"
import { trustText } from "../fixture/TrustTexts.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

const LATER = "c".repeat(64)

inBrowser("evidence", ({ visit }) => {
  let world: World.World
  let digest = ""
  const submit = async (query: string, ...lines: ReadonlyArray<PlainLine>) => {
    const response = await fetch(`${world.url}/api/v2/evidence/acme?${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.keys.member}`, "content-type": "text/plain" },
      body: fileOf(...lines)
    })
    assert.strictEqual(response.status, 201, await response.clone().text())
    const body = (await response.json()) as {
      readonly documents: ReadonlyArray<{ readonly digest: string }>
    }
    return body.documents[0]?.digest ?? ""
  }
  const shop = { sha256: PRINTS.shop10 }

  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("is empty at first", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/artifacts")
      await page.getByRole("link", { name: "Evidence", exact: true }).click()
      await page.getByText("No evidence files yet").waitFor()
      await look(visitor, "evidence-none")
    }))

  it("is listed, and found by filters", () =>
    visit(world, async (visitor) => {
      const { page, open, settled, signIn } = visitor
      await world.call("PUT /trust-policy/acme", { trust_yaml: trustText("release") })
      digest = await submit(
        "filename=shop.provenance.json",
        { kind: "provenance", rule: "release", subjects: [shop] },
        { kind: "sbom", components: 7, subjects: [shop, { sha256: LATER }] }
      )
      await submit("filename=other.json", { rule: "nobody", subjects: [shop] })
      await submit("", { kind: "sbom", state: "failed", subjects: [shop], components: 2 })
      await signIn(world.keys.reader)
      await open("/acme/evidence")
      const rows = page.getByRole("table", { name: "Evidence" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 4)
      await look(visitor, "evidence")
      await page.getByLabel("Kind").selectOption("provenance")
      await page.waitForURL(/kind=provenance/)
      await settled()
      assert.strictEqual(await rows.count(), 1)
      await open("/acme/evidence?state=failed")
      await page.getByText("a signature does not hold over this content").waitFor()
      assert.strictEqual(await rows.count(), 1)
      await open(`/acme/evidence?waiting=true&fingerprint=${LATER}`)
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 1)
      await open("/acme/evidence?kind=vex")
      await page.getByText("No evidence fits the filters").waitFor()
    }))

  it("shows a verified document, its rule and its attestation, and gives the file back", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open("/acme/evidence?state=verified")
      await page.getByRole("link", { name: "provenance", exact: true }).click()
      await page.waitForURL(new RegExp(`evidence/${digest}$`))
      await page.getByText("key k").waitFor()
      await page.getByRole("link", { name: "release", exact: true }).waitFor()
      await page.getByText("Dependencies").waitFor()
      await look(visitor, "evidence-verified")
      const downloaded = page.waitForEvent("download")
      await page.getByRole("link", { name: "shop.provenance.json" }).click()
      assert.strictEqual((await downloaded).suggestedFilename(), "shop.provenance.json")
      await page.getByRole("link", { name: "provenance", exact: true }).first().click()
      const panel = page.getByRole("dialog")
      await panel.getByText("custom:attestry-provenance").waitFor()
      await panel.getByRole("link", { name: digest.slice(0, 6) }).click()
      await page.waitForURL(new RegExp(`evidence/${digest}$`))
    }))

  it("shows why a document is not verified, what to do, and what waits", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(world.keys.reader)
      await open(`/acme/evidence/${digest}?position=2`)
      await page.getByText("it has no signature").waitFor()
      await page.getByText("Sign the file where it is made").waitFor()
      await page.getByText("7: 7 with a package URL, 0 without").waitFor()
      await page.getByText("waits for such an artifact or trail").waitFor()
      await page.getByText("linked", { exact: true }).waitFor()
      await look(visitor, "evidence-waiting")
      await page.getByRole("link", { name: "sbom", exact: true }).first().click()
      const panel = page.getByRole("dialog")
      await panel.getByRole("link", { name: digest.slice(0, 6) }).click()
      await page.waitForURL(new RegExp(`evidence/${digest}\\?position=2$`))
    }))

  it("is sent from the page: checked first, and recorded then", () =>
    visit(
      world,
      async (visitor) => {
        const { page, open, signIn } = visitor
        const total = async () =>
          ((await world.call("GET /evidence/acme")) as { readonly total_count: number }).total_count
        const before = await total()
        await signIn(world.keys.member)
        await open("/acme/evidence?kind=sbom")
        await page.getByRole("button", { name: "Send a file…" }).click()
        const dialog = page.getByRole("dialog")
        await dialog.getByRole("button", { name: "Check" }).click()
        await dialog.getByText("Choose a file.").waitFor()
        const choose = (name: string, text: string) =>
          dialog
            .getByLabel("File", { exact: true })
            .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) })
        await choose("notes.txt", "not evidence")
        await dialog.getByRole("button", { name: "Check" }).click()
        await dialog.getByText("a member is not closed").waitFor()
        await choose("sent.json", fileOf({ kind: "sbom", subjects: [{ sha256: LATER }, shop] }))
        await dialog.getByLabel("Flow").fill("shop")
        await dialog.getByRole("button", { name: "Check" }).click()
        await dialog.getByText(/go together/).waitFor()
        await look(visitor, "evidence-send-refused")
        await dialog.getByLabel("Flow").fill("")
        await dialog.getByRole("button", { name: "Check" }).click()
        await dialog.getByText("What would be recorded").waitFor()
        await dialog.getByText("not signed").waitFor()
        await dialog.getByText("waits for the artifact").waitFor()
        await look(visitor, "evidence-send-checked")
        assert.strictEqual(await total(), before)
        await dialog.getByLabel("Fingerprint").fill("f")
        assert.strictEqual(await dialog.getByRole("button", { name: "Record" }).count(), 0)
        await dialog.getByLabel("Fingerprint").fill(`sha256:${PRINTS.shop10.toUpperCase()}`)
        await dialog.getByRole("button", { name: "Check" }).click()
        await dialog.getByRole("button", { name: "Record" }).click()
        await dialog.waitFor({ state: "detached" })
        await page.getByText("sent.json", { exact: true }).waitFor()
        assert.strictEqual(await total(), before + 1)
      },
      { statuses: [400] }
    ))

  it("is not sent by readers", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/evidence")
      await page.getByRole("table", { name: "Evidence" }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Send a file…" }).count(), 0)
    }))

  it("that does not exist is said so", () =>
    visit(
      world,
      async ({ page, open, signIn }) => {
        await signIn(world.keys.reader)
        await open(`/acme/evidence/${"d".repeat(64)}`)
        await page
          .getByText(/No evidence|does not exist/)
          .first()
          .waitFor()
      },
      { statuses: [404] }
    ))
})

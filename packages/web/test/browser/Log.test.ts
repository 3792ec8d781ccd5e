/** The log of an org, and proofs that the browser checks itself; answers that were changed are refused. */
import { afterAll, assert, beforeAll, it } from "vitest"
import * as FlowWorld from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

inBrowser("the log", ({ visit }) => {
  let world: World.World
  const seen = { attestation: "", fingerprint: "" }

  /** Waits until the checkpoint has everything that was seeded: a proof that is pending would be another page. */
  const isSigned = async (of: World.World) => {
    for (let tries = 0; tries < 100; tries++) {
      const log = (await of.call("GET /log/acme")) as {
        readonly size: number
        readonly checkpoint: { readonly size: number } | null
      }
      if (log.size > 0 && log.checkpoint?.size === log.size) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  beforeAll(async () => {
    world = await World.start()
    await FlowWorld.seedFlows(world)
    const listed = (await world.call("GET /attestations/acme")) as {
      readonly data: ReadonlyArray<{
        readonly attestation_id: string
        readonly flow_name: string
        readonly trail_name: string
      }>
    }
    seen.attestation = listed.data[0]?.attestation_id ?? ""
    const artifacts = (await world.call("GET /artifacts/acme")) as ReadonlyArray<{
      readonly fingerprint: string
    }>
    seen.fingerprint = artifacts[0]?.fingerprint ?? ""
    await isSigned(world)
  })
  afterAll(() => world?.stop())

  const pages = (): ReadonlyArray<readonly [path: string, proved: string]> => [
    [
      `/acme/attestations?attestation_id=${seen.attestation}`,
      "this attestation is in the signed log"
    ],
    [`/acme/artifacts/${seen.fingerprint}`, "this artifact is in the signed log"],
    ["/acme/environments/prod/snapshots/1", "this snapshot is in the signed log"]
  ]

  it("shows its state and is verified here, again after it has grown", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/log")
      await page.getByText("signed, and up to date").waitFor()
      await page.getByText(/the newest of .* entries is in the signed log/).waitFor()
      await page.getByText("for the first time").waitFor()
      const entries = page.getByRole("table", { name: "Entries" }).locator("tbody tr")
      await page.getByRole("link", { name: "Older ›" }).click()
      await page.getByRole("link", { name: "‹ Newest" }).waitFor()
      await entries.first().waitFor()
      assert.strictEqual(await entries.count(), 20)
      await page.getByRole("link", { name: "‹ Newest" }).click()
      await world.call("PUT /flows/acme", { name: "grown", description: "x" })
      await open("/acme/log")
      await page.getByText("Verified here before").waitFor()
    }))

  it("is made public and private again by an administrator, who reads who can read it then", () =>
    visit(world, async (visitor) => {
      const { page, open, signIn } = visitor
      const statusOf = async () => (await fetch(`${world.url}/api/v2/log/acme/checkpoint`)).status
      await signIn(world.keys.admin)
      await open("/acme/log")
      assert.strictEqual(await statusOf(), 401)
      await page.getByRole("button", { name: "Make it public…" }).click()
      await page.getByText("without signing in").first().waitFor()
      await look(visitor, "log-visibility")
      await page.getByRole("button", { name: "Make it public", exact: true }).click()
      await page.getByText("Public: anyone who reaches this server").waitFor()
      assert.strictEqual(await statusOf(), 200)
      await page.getByRole("button", { name: "Make it private…" }).click()
      await page.getByRole("button", { name: "Make it private", exact: true }).click()
      await page.getByText("Private: members of this org").waitFor()
      assert.strictEqual(await statusOf(), 401)
    }))

  it("shows what the last verification found, where the server tells it", () =>
    visit(world, async ({ page, open, signIn }) => {
      let scrub = { through: 12, finished_at: 1_790_000_000, findings: 0 }
      await page.route(/\/api\/v2\/log\/acme$/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), scrub } })
      })
      await signIn(world.keys.reader)
      await open("/acme/log")
      await page.getByText("12 entries, nothing found").waitFor()
      scrub = { ...scrub, findings: 2 }
      await open("/acme/log")
      await page.getByText("2 findings: the operator runs attestry-server verify").waitFor()
    }))

  it("refuses a log that does not continue what this browser saw", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/log")
      await page.getByText("for the first time").waitFor()
      await page.evaluate(() => {
        for (const name of Object.keys(localStorage).filter((key) =>
          key.startsWith("attestry.log.")
        ))
          localStorage.setItem(
            name,
            JSON.stringify({
              ...JSON.parse(localStorage.getItem(name) ?? ""),
              root: `${"A".repeat(43)}=`
            })
          )
      })
      await open("/acme/log")
      await page.getByText("does not continue what this browser saw before").waitFor()
    }))

  it("proves attestations, artifacts and snapshots", () =>
    visit(world, async ({ page, open, go, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/flows")
      await page.getByRole("heading", { level: 1 }).waitFor()
      for (const [path, proved] of pages()) {
        await go(path)
        await page
          .locator("summary", { hasText: /^Proof$/ })
          .first()
          .click()
        await page.getByText(proved).first().waitFor()
        assert.isAbove(await page.getByRole("link", { name: "tlog-proof" }).count(), 0)
      }
    }))

  it.each([
    ["entry", "the hashes do not lead"],
    ["hashes", "the hashes do not lead"],
    ["checkpoint", "is not signed by a key"],
    ["disclosures", "does not have the digests"]
  ])("refuses a receipt whose %s was changed on the way", (part, problem) =>
    visit(world, async ({ page, open, signIn }) => {
      await page.route(/\/api\/v2\/log\/acme\/entries\/[0-9a-f]{16}/, async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        const turn = (text: string) => `${text.startsWith("e") ? "f" : "e"}${text.slice(1)}`
        if (part === "entry") body.entry = turn(body.entry)
        if (part === "hashes") body.hashes = body.hashes.map(turn)
        if (part === "disclosures") body.disclosures = body.disclosures.map(turn)
        if (part === "checkpoint")
          // WHY not always the same letter: one signature in 64 has it there already.
          body.checkpoint = body.checkpoint.replace(
            /( [A-Za-z0-9+/]{20})(.)/,
            (_: string, before: string, letter: string) => before + (letter === "A" ? "B" : "A")
          )
        await route.fulfill({ response, json: body })
      })
      await signIn(world.keys.reader)
      await open(pages()[0]?.[0] ?? "")
      await page
        .locator("summary", { hasText: /^Proof$/ })
        .first()
        .click()
      await page.getByText("not proved:").waitFor()
      await page.getByText(problem).waitFor()
    })
  )

  it("shows the epochs before the current one, after a loss was accepted", async () => {
    const restored = await World.start()
    await World.seedEnvironments(restored)
    await isSigned(restored)
    await restored.loseEntries(7)
    await visit(restored, async (visitor) => {
      const { page, open, signIn } = visitor
      await signIn(restored.keys.reader)
      await open("/acme/log")
      const earlier = page.locator(".fact", { hasText: "Earlier epochs" })
      await earlier.getByText(/^[^ ]+\/log\/acme · [1-9][0-9]* entries, ended /).waitFor()
      await page.getByText(/\/log\/acme\/epochs\/2$/).waitFor()
      await page.getByText(/the newest of .* is in the signed log/).waitFor()
      await look(visitor, "log-epochs")
    })
    await restored.stop()
  })

  it("is readable", () =>
    visit(world, async (visitor) => {
      const { page, open, go, signIn } = visitor
      await signIn(world.keys.admin)
      await open("/acme/log")
      await page.getByText("for the first time").waitFor()
      await look(visitor, "log")
      for (const [position, [path, proved]] of pages().entries()) {
        await go(path)
        await page
          .locator("summary", { hasText: /^Proof$/ })
          .first()
          .click()
        await page.getByText(proved).first().waitFor()
        await look(visitor, `proof-${position}`)
      }
    }))
})

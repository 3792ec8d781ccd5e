/** The page that verifies capsules, in a real browser: with 10,000 attestations, and with a byte changed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as CapsuleWorld from "../fixture/CapsuleWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"
import { look } from "./Look.js"

const ATTESTATIONS = 10_000
const BYTES_MAX = 8_000_000

inBrowser("the page that verifies capsules", ({ visit }) => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-capsule-"))
  const file = join(folder, "audit.capsule.zip")
  let world: World.World
  let bytes: Uint8Array

  beforeAll(async () => {
    world = await World.start()
    await CapsuleWorld.seed(world, ATTESTATIONS)
    // The first one waits until the log has everything.
    await CapsuleWorld.capsuleOf(world)
    const began = performance.now()
    bytes = await CapsuleWorld.capsuleOf(world)
    const seconds = ((performance.now() - began) / 1_000).toFixed(2)
    process.stdout.write(
      `a capsule of ${ATTESTATIONS} attestations: ${bytes.length} bytes, ${seconds} s\n`
    )
    writeFileSync(file, bytes)
  }, 600_000)
  afterAll(async () => {
    await world?.stop()
    rmSync(folder, { recursive: true })
  })

  it("proves every snapshot and every chain of 10,000 attestations", async () => {
    assert.isAtMost(bytes.length, BYTES_MAX)
    await visit(world, async (visitor) => {
      const { open, page } = visitor
      await open("/verify")
      await page.locator("input").setInputFiles(file)
      await page.locator("h2").waitFor({ timeout: 60_000 })
      assert.strictEqual(await page.locator("h2").textContent(), "Proved")
      const took = (await page.locator(".took").textContent()) ?? ""
      process.stdout.write(`${took}\n`)
      assert.match(took, /^Verified in [\d.]+ s/)
      assert.include(await page.locator("#result").textContent(), "100 artifacts running")
      await look(visitor, "capsule")
    })
  }, 120_000)

  it("refuses a capsule with a byte changed", async () => {
    const changed = Uint8Array.from(bytes)
    changed[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(file, changed)
    await visit(world, async ({ open, page }) => {
      await open("/verify")
      await page.locator("input").setInputFiles(file)
      await page.locator("h2").waitFor({ timeout: 60_000 })
      assert.strictEqual(await page.locator("h2").textContent(), "Refused")
    })
  }, 120_000)
})

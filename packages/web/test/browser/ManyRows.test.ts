/** Scenario 8: 5,000 rows are few bytes, and are filtered, ordered and scrolled; so are 0 and 1. */
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, it } from "vitest"
import { ROWS, seedManyRows } from "../fixture/ManyRows.js"
import { report } from "../fixture/SnapshotWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

/** Limits of the design; the heap is that of the whole page, including uncollected garbage. */
const HEAP_BYTES = 120_000_000
const WIRE_BYTES = 300_000

inBrowser("many rows", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedManyRows(world)
    await world.call("PUT /environments/acme", { name: "tiny", type: "K8S", description: "" })
  }, 60_000)
  afterAll(() => world?.stop())

  it("are few bytes on the wire", async () => {
    const answer = await world.call("GET /snapshots/acme/huge/1/rows?per_page=5000")
    const { byteLength } = gzipSync(JSON.stringify(answer), { level: 1 })
    console.log(`5,000 rows: ${(byteLength / 1_000).toFixed(0)} kB gzipped`)
    assert.isAtMost(byteLength, WIRE_BYTES)
  })

  it("are filtered, ordered and scrolled, and few of them are in the document", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/huge/snapshots/1")
      const table = page.getByRole("table", { name: "Rows of the snapshot" })
      await table.waitFor()
      assert.strictEqual(await table.getAttribute("aria-rowcount"), String(ROWS + 1))
      assert.isBelow(await table.locator("tbody tr").count(), 200)
      await page.getByLabel(/Filter rows/).fill("service-4999")
      await page.getByText("1 of 5000").waitFor()
      assert.strictEqual(await table.locator("tbody tr").count(), 1)
      await page.getByLabel(/Filter rows/).fill("")
      await table.getByRole("button", { name: "Artifact" }).click()
      await page.waitForURL("**sort=name*")
      await table.getByRole("button", { name: "Artifact" }).click()
      await page.waitForURL("**sort=-name*")
      await table.locator("tbody tr").first().focus()
      await page.keyboard.press("End")
      await table.locator(`tr[aria-rowindex="${ROWS + 1}"]`).waitFor()
      const heap = await page.evaluate(
        () =>
          (performance as unknown as { memory?: { usedJSHeapSize: number } }).memory
            ?.usedJSHeapSize ?? 0
      )
      console.log(`heap ${(heap / 1_000_000).toFixed(0)} MB`)
      assert.isAtMost(heap, HEAP_BYTES)
    }))

  it("are as readable when there is one, or none", () =>
    visit(world, async ({ page, open, signIn }) => {
      await report(world, "tiny", { "shop:1": 1 })
      await signIn(world.keys.reader)
      await open("/acme/environments/tiny")
      await page.getByText("1 running").waitFor()
      // WHY by its name: the times of the timeline, which may be here first, are a table too.
      const rows = page.getByRole("table", { name: "Rows of the snapshot" }).locator("tbody tr")
      await rows.first().waitFor()
      assert.strictEqual(await rows.count(), 1)
      await report(world, "tiny", {})
      await open("/acme/environments/tiny")
      await page.getByText("0 running").waitFor()
    }))
})

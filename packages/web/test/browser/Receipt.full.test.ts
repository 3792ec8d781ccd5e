/** Receipts of verdicts as downloads, which are true for the keys of the log. */
import { readFileSync } from "node:fs"
import * as Receipt from "@attestry/core/Receipt"
import * as ReceiptKeySet from "@attestry/core/ReceiptKeySet"
import { Either, Option } from "effect"
import type { Locator } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as FlowWorld from "../fixture/FlowWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

inBrowser("receipts of verdicts", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await FlowWorld.seedFlows(world)
  })
  afterAll(() => world?.stop())

  it("are downloaded from a snapshot and from one of its rows", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/prod/snapshots/1")
      const saved = async (within: Locator) => {
        const link = within.getByRole("link", { name: "Download the receipt" })
        await link.waitFor()
        const [download] = await Promise.all([page.waitForEvent("download"), link.click()])
        const text = readFileSync(await download.path(), "utf8")
        return { name: download.suggestedFilename(), text }
      }
      const whole = await saved(page.getByRole("main"))
      assert.strictEqual(whole.name, "prod-1.vsa.json")
      const said = Option.getOrThrow(Receipt.read(whole.text))
      assert.deepInclude(said, { environment: "prod", snapshot: 1, org: "acme" })
      const keys = await world.call("GET /keys?org=acme")
      const trusted = Option.getOrThrow(ReceiptKeySet.parse(JSON.stringify(keys)))
      assert.isTrue(Either.isRight(Receipt.claim(whole.text, trusted)))
      const { artifacts } = (await world.call("GET /snapshots/acme/prod/1")) as {
        readonly artifacts: ReadonlyArray<{ readonly name: string; readonly fingerprint: string }>
      }
      const { name = "", fingerprint = "" } = artifacts[0] ?? {}
      const row = encodeURIComponent(`${fingerprint}~${name}`)
      await open(`/acme/environments/prod/snapshots/1?row=${row}`)
      const one = await saved(page.getByRole("complementary", { name: "Row" }))
      assert.strictEqual(one.name, `prod-1-${fingerprint.slice(0, 12)}.vsa.json`)
      const { subjects } = Option.getOrThrow(Receipt.read(one.text))
      assert.deepStrictEqual(subjects, [{ name, sha256: fingerprint }])
    }))
})

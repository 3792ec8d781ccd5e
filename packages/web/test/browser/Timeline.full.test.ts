/** Scenario 6: the timeline. Zooming by dragging, keys, moving the cursor, and a short failure that is seen. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { environment, FOREIGN, KNOWN, report, seedBoard } from "../fixture/BoardWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

type Places = { readonly [colour in "bad" | "link"]: ReadonlyArray<number> }

/** The places at which the canvas has colours of the page, in pixels from its left. WHY once: reading is slow. */
const placesOf = (page: Page): Promise<Places> =>
  page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".timeline-canvas")
    const context = canvas?.getContext("2d")
    if (!canvas || !context) return { bad: [], link: [] }
    const { data, width } = context.getImageData(0, 0, canvas.width, canvas.height)
    const find = (name: string) => {
      const swatch = document.querySelector(`.timeline-swatches .timeline-${name}`)
      const [red, green, blue] = (
        (swatch === null ? "" : getComputedStyle(swatch).color).match(/\d+/g) ?? []
      ).map(Number)
      const found = new Set<number>()
      for (let at = 0; at < data.length; at += 4)
        if (data[at] === red && data[at + 1] === green && data[at + 2] === blue)
          found.add((at / 4) % width)
      return [...found].sort((one, other) => one - other)
    }
    return { bad: find("bad"), link: find("link") }
  })

const verdicts = (page: Page) =>
  page.locator(".timeline-table tbody td:nth-child(3)").allTextContents()

inBrowser("the timeline", ({ visit }) => {
  let world: World.World
  /** 12 seconds, of which the first snapshot is at the second, and the failure at the fifth. */
  let shown: string
  beforeAll(async () => {
    world = await World.start()
    await seedBoard(world)
    await environment(world, "line", ["known-builds"])
    await report(world, "line", { "shop:10": KNOWN })
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await report(world, "line", { "shop:10": KNOWN, "redis:7": FOREIGN })
    await report(world, "line", { "shop:10": KNOWN })
    const [first] = (await world.call("GET /snapshots/acme/line?reverse=true")) as ReadonlyArray<{
      readonly from: number
    }>
    const from = (first?.from ?? 0) - 2
    shown = `/acme/environments/line?from=${from.toFixed(3)}&to=${(from + 12).toFixed(3)}`
  })
  afterAll(() => world?.stop())

  const dragTo = async (page: Page, from: number, to: number) => {
    // WHY: the page moves while its rows are read.
    await page.getByRole("table", { name: "Rows of the snapshot" }).waitFor()
    const box = await page.locator(".timeline-canvas").boundingBox()
    if (box === null) throw new Error("there is no canvas")
    await page.mouse.move(box.x + from, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + (from + to) / 2, box.y + 20, { steps: 4 })
    await page.mouse.move(box.x + to, box.y + 20, { steps: 4 })
    return { box, release: () => page.mouse.up() }
  }

  it("shows a failure of milliseconds, and says the same in a table", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/line")
      await page.getByRole("slider", { name: "Timeline of line" }).waitFor()
      assert.deepStrictEqual(await verdicts(page), ["compliant", "not compliant", "compliant"])
      assert.isAtLeast((await placesOf(page)).bad.length, 2)
    }))

  it("zooms by dragging, by buttons and by keys, and goes back", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(shown)
      const slider = page.getByRole("slider", { name: "Timeline of line" })
      await slider.waitFor()
      const length = () => {
        const query = new URL(page.url()).searchParams
        return Number(query.get("to")) - Number(query.get("from"))
      }
      assert.closeTo(length(), 12, 0.1)
      const [failure = 0] = (await placesOf(page)).bad
      const { box, release } = await dragTo(page, failure - 150, failure + 150)
      await release()
      await page.waitForURL(() => length() < 8)
      assert.include(await verdicts(page), "not compliant")
      await page.goBack()
      assert.closeTo(length(), 12, 0.1)
      await page.getByRole("button", { name: "Zoom in" }).click()
      assert.closeTo(length(), 6, 0.1)
      await page.getByRole("button", { name: "Earlier" }).click()
      await slider.focus()
      await page.keyboard.press("0")
      await page.waitForURL(/environments\/line$/)
      await page.getByLabel("Time shown").selectOption("24 h")
      await page.waitForURL(/from=/)
      await page.mouse.dblclick(box.x + 400, box.y + 20)
      await page.waitForURL(/environments\/line$/)
    }))

  it("moves by snapshot with the arrow keys", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open("/acme/environments/line")
      const slider = page.getByRole("slider", { name: "Timeline of line" })
      await slider.focus()
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "3")
      await page.keyboard.press("ArrowRight")
      assert.match(page.url(), /environments\/line$/)
      await page.keyboard.press("ArrowLeft")
      await page.waitForURL("**/acme/environments/line/snapshots/2")
      await page.goBack()
      await slider.focus()
      await page.keyboard.press("Home")
      await page.waitForURL("**/acme/environments/line/snapshots/1")
    }))

  it("tells what ran while the cursor is moved, and opens that moment when it is released", () =>
    visit(world, async ({ page, open, signIn }) => {
      await signIn(world.keys.reader)
      await open(shown)
      await page.getByRole("slider", { name: "Timeline of line" }).waitFor()
      const { bad, link } = await placesOf(page)
      const [cursor = 0, failure = 0] = [link[link.length >> 1], bad[0]]
      const { release } = await dragTo(page, cursor, failure * 0.7)
      await page.getByText(/as of .* → snapshot 1/).waitFor()
      await release()
      await page.waitForURL(
        /snapshots\/(@|%40)(\{|%7B)\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d(\}|%7D)/
      )
      await page.goBack()
      await page.waitForURL(/environments\/line\?/)
    }))
})

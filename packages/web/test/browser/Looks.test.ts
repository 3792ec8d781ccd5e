/** Each page in both themes and two widths: shots for people in `dist/test/shots`, and facts about the layout. */
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import * as PolicyWorld from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser, type Looks } from "./Browser.js"

const shots = join(import.meta.dirname, "../../dist/test/shots")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const LOOKS: ReadonlyArray<Required<Pick<Looks, "theme" | "width">>> = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "light", width: 320 },
  { theme: "dark", width: 320 }
]

/** What `axe-core` finds: rule and place. WHY by the protocol: the page's own policy runs no foreign script. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const session = await page.context().newCDPSession(page)
  const run = (expression: string) =>
    session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
  await run(axe)
  const { result } = await run(
    `axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`
  )
  await session.detach()
  return result.value
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

inBrowser("pages", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    mkdirSync(shots, { recursive: true })
    world = await World.start()
    await World.seedEnvironments(world)
  })
  afterAll(() => world?.stop())

  const look = async (page: Page, name: string, { theme, width }: (typeof LOOKS)[number]) => {
    await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) })
    assert.deepStrictEqual(await violations(page), [], `${name} ${theme} ${width}`)
    assert.isFalse(await isTooWide(page), `${name} is wider than ${width}`)
  }

  const POLICY_PAGES: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
    ["policies", "/policies", "known-builds"],
    ["policy", "/policies/prod-requirements", "unit-tests (generic)"],
    ["policy-version", "/policies/prod-requirements/versions/2?compare=1", "1 added"],
    ["policy-editor", "/policies/prod-requirements/edit?try=prod-eu", "judged here in"],
    ["policy-new", "/policies/_new", "draft of version 1"],
    ["controls", "/controls", "Peer review"],
    ["control", "/controls/SDLC-7", "Rule book"],
    ["control-decisions", "/controls/SDLC-7/decisions", "shop › build-10"],
    ["control-coverage", "/controls/SDLC-7/coverage", "Asked for in"],
    ["control-versions", "/controls/SDLC-7/versions", "Version 1"]
  ]

  it("of policies and controls are readable in every look", async () => {
    const policies = await World.start()
    await PolicyWorld.seedPolicies(policies)
    for (const looks of LOOKS)
      await visit(
        policies,
        async ({ page, open, signIn }) => {
          await open("/")
          await signIn(policies.keys.admin)
          for (const [name, path, ready] of POLICY_PAGES) {
            await open(`/acme${path}`)
            await page.getByText(ready).first().waitFor()
            await look(page, name, looks)
          }
        },
        looks
      )
    await policies.stop()
  })

  for (const looks of LOOKS) {
    it(`are readable in ${looks.theme} at ${looks.width} pixels`, () =>
      visit(
        world,
        async ({ page, open, signIn }) => {
          await open("/")
          await page.getByLabel("API key").waitFor()
          await look(page, "sign-in", looks)
          await page.getByLabel("API key").fill("wrong")
          await page.keyboard.press("Enter")
          await page.getByText("This key opens nothing.").waitFor()
          await look(page, "sign-in-wrong", looks)
          await signIn(world.keys.admin)
          await page.getByRole("link", { name: "prod-eu" }).waitFor()
          await look(page, "overview", looks)
          await open("/_/preferences")
          await page.getByRole("heading", { name: "Preferences" }).waitFor()
          await look(page, "preferences", looks)
          await open("/acme/nowhere")
          await page.getByRole("heading", { name: "Page not found" }).waitFor()
          await look(page, "not-found", looks)
        },
        { ...looks, statuses: [404] }
      ))
  }
})

/**
 * The looks of a page: the findings of `axe-core`, whether it is too wide, and in a deep run a shot for people in
 * `dist/test/shots`.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import type { Looks, Visitor } from "./Browser.js"

const shots = join(import.meta.dirname, "../../dist/test/shots")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** A theme and a width. */
interface Look {
  readonly theme: NonNullable<Looks["theme"]>
  readonly width: number
}

const isDeep = process.env.ATTESTRY_DEEP === "1"

const WIDE: Look = { theme: "light", width: 1280 }
const NARROW: Look = { theme: "dark", width: 320 }

const EVERY: ReadonlyArray<Look> = [
  WIDE,
  { theme: "dark", width: 1280 },
  { theme: "light", width: 320 },
  NARROW
]

/** The looks of a page in this run: both themes at two widths in a deep run, else one of two, by its name. */
const looksOf = (name: string): ReadonlyArray<Look> => {
  if (isDeep) return EVERY
  const sum = [...name].reduce((total, character) => total + character.charCodeAt(0), 0)
  return [sum % 2 === 0 ? WIDE : NARROW]
}

/** Gives a page a theme and a width. */
const dress = async (page: Page, { theme, width }: Look): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme })
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 })
}

/** The findings of `axe-core`: rule and place. WHY by the protocol: the page's own policy runs no foreign script. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const session = await page.context().newCDPSession(page)
  const run = (expression: string) =>
    session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
  const { result: known } = await run("'axe' in window")
  if (known.value !== true) await run(axe)
  // WHY `resultTypes`: passing rules, which are most, are not reported.
  const { result } = await run(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`
  )
  await session.detach()
  return result.value
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** WHY shots only in a deep run: people look at all of them, or at none. */
const shoot = async (page: Page, name: string, { theme, width }: Look): Promise<void> => {
  if (!isDeep) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) })
}

const faultsIn = async (page: Page, name: string, look: Look): Promise<ReadonlyArray<string>> => {
  await shoot(page, name, look)
  const place = `${name}, ${look.theme} at ${look.width}`
  return [
    ...(await violations(page)).map((violation) => `${place}: ${violation}`),
    ...((await isTooWide(page)) ? [`${place}: too wide`] : [])
  ]
}

/** Checks the page of a visitor, and returns the obstacles to reading it. */
export const faultsOf = async (
  { page, settled }: Pick<Visitor, "page" | "settled">,
  name: string
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const look of looksOf(name)) {
    const isResized = page.viewportSize()?.width !== look.width
    await dress(page, look)
    if (isResized) await settled()
    faults.push(...(await faultsIn(page, name, look)))
  }
  return faults
}

/** Checks the page of a visitor, and fails if some people cannot read it. */
export const look = async (visitor: Visitor, name: string): Promise<void> =>
  assert.deepStrictEqual(await faultsOf(visitor, name), [])

/** The name of the shots of a page, its path below the org, and the text that marks it as ready. */
export type ShownPage = readonly [name: string, path: string, ready: string]

/** Visits pages of the org `acme` one after another, and returns the obstacles to reading them. */
export const faultsOfAll = async (
  visitor: Visitor,
  pages: ReadonlyArray<ShownPage>
): Promise<ReadonlyArray<string>> => {
  const { page, go, settled } = visitor
  const faults: Array<string> = []
  for (const [name, path, ready] of pages) {
    await dress(page, looksOf(name)[0] ?? WIDE)
    await go(`/acme${path}`)
    await settled()
    await page.getByText(ready).first().waitFor()
    faults.push(...(await faultsOf(visitor, name)))
  }
  return faults
}

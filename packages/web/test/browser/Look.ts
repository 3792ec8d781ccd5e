/** How a page looks: a shot for people in `dist/test/shots`, what `axe-core` finds, and whether it is too wide. */
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import type { Looks } from "./Browser.js"

const shots = join(import.meta.dirname, "../../dist/test/shots")
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

type Theme = NonNullable<Looks["theme"]>

/** The widths of the looks. */
export const WIDTHS = [1280, 320] as const

/** The themes at a width: each is played at one width, and at both in a deep run. */
export const themesAt = (width: number): ReadonlyArray<Theme> =>
  process.env.ATTESTRY_DEEP === "1" ? ["light", "dark"] : width === 320 ? ["dark"] : ["light"]

/** The looks that pages are tested in. */
export const LOOKS: ReadonlyArray<{ readonly theme: Theme; readonly width: number }> =
  WIDTHS.flatMap((width) => themesAt(width).map((theme) => ({ theme, width })))

/** What `axe-core` finds: rule and place. WHY by the protocol: the page's own policy runs no foreign script. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const session = await page.context().newCDPSession(page)
  const run = (expression: string) =>
    session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
  const { result: known } = await run("'axe' in window")
  if (known.value !== true) await run(axe)
  // WHY `resultTypes`: nothing is told about what passes, which is most of the elements.
  const { result } = await run(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`
  )
  await session.detach()
  return result.value
}

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Takes a shot of a page, and says what keeps someone from reading it. */
export const faultsOf = async (
  page: Page,
  name: string,
  { theme, width }: (typeof LOOKS)[number]
): Promise<ReadonlyArray<string>> => {
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}-${theme}-${width}.png`) })
  return [
    ...(await violations(page)).map((violation) => `${name}: ${violation}`),
    ...((await isTooWide(page)) ? [`${name}: wider than ${width}`] : [])
  ]
}

/** Takes a shot of a page, and fails where it cannot be read by everyone. */
export const look = async (
  page: Page,
  name: string,
  looks: (typeof LOOKS)[number]
): Promise<void> => assert.deepStrictEqual(await faultsOf(page, name, looks), [])

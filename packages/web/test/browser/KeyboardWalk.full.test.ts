/** Scenario 23: every page by the keyboard alone. Each stop is in order, visible and uncovered; keys work on tables. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { seedAccess } from "../fixture/AccessWorld.js"
import { sendComponents } from "../fixture/ComponentWorld.js"
import { PRINTS, seedFlows, TRAILS } from "../fixture/FlowWorld.js"
import { seedPolicies } from "../fixture/PolicyWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

/** Pages below the org, and whether they have a table whose rows the keys `j`, `k` and `.` go through. */
const PAGES: ReadonlyArray<readonly [path: string, hasRows: boolean]> = [
  ["", false],
  ["?view=table", true],
  ["/environments/prod", true],
  ["/environments/prod/events", true],
  ["/environments/prod/settings", false],
  ["/diff?left=prod~1&right=prod", true],
  ["/flows", true],
  ["/flows/shop", true],
  ["/flows/shop/artifacts", true],
  ["/flows/shop/deployments", true],
  ["/flows/shop/settings", false],
  [`/flows/shop/trails/${TRAILS.shop9}`, false],
  [`/flows/shop/artifacts/${PRINTS.shop10}`, false],
  ["/artifacts", true],
  ["/attestations", true],
  ["/attestation-types", true],
  ["/components", true],
  ["/components/pkg%3Anpm/lodash", true],
  ["/components/pkg%3Anpm/lodash%404.17.21", false],
  ["/where-it-ran?purl=pkg%3Anpm%2Flodash&versions=%3C5", true],
  ["/policies", true],
  ["/policies/prod-requirements", false],
  ["/decaying", false],
  ["/waivers", false],
  ["/waivers/_new", false],
  ["/waivers/inbox", false],
  ["/waivers/debt", false],
  ["/waivers/settings", false],
  ["/proposals", false],
  ["/proposals?list=all", false],
  ["/protections", false],
  ["/controls", true],
  ["/controls/SDLC-7/decisions", true],
  ["/notifications", true],
  ["/members", true],
  ["/teams", true],
  ["/teams/payments", true],
  ["/spaces", true],
  ["/spaces/move", false],
  ["/spaces/placement", false],
  ["/break-glass", false],
  ["/access/who?permission=flow.write", false],
  ["/service-accounts", true],
  ["/service-accounts/ci-builder", true],
  ["/audit-log", true],
  ["/deployments", true],
  ["/repos", true],
  ["/search?q=shop", false]
]

/** Notes each element that takes the focus: its place in the document, and what keeps a person from seeing it. */
const noteStops = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const stops: Array<{ name: string; order: number; fault: string | undefined }> = []
    // WHY: on a page that was gone to, the title has the focus, and the walk begins at the top of the document.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute("tabindex")
    const { unnote } = window as unknown as { readonly unnote?: () => void }
    unnote?.()
    const nameOf = (element: Element) =>
      `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40)}`
    const faultOf = (element: Element): string | undefined => {
      // WHY: the editor draws its own ring, inside its shadow root.
      if (element.shadowRoot !== null) return undefined
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 1) return "without a ring"
      const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0)
      if (box === undefined) return "without a size"
      const top = document.elementFromPoint(
        box.x + Math.min(box.width / 2, 20),
        box.y + box.height / 2
      )
      if (top === null) return "not in sight"
      return element.contains(top) || top.contains(element)
        ? undefined
        : `covered by ${top.tagName} ${top.className}`
    }
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      const order = [...document.querySelectorAll("*")].indexOf(target)
      stops.push({ name: nameOf(target), order, fault: faultOf(target) })
    }
    document.addEventListener("focusin", note)
    Object.assign(window, {
      stops,
      unnote: () => document.removeEventListener("focusin", note)
    })
    return [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
      .length
  })

/** More stops than a walk needs to see; pages of many rows repeat themselves. */
const STOPS_MAX = 70

/** Presses Tab through the page; says what is wrong with its stops. */
const walk = async (page: Page): Promise<ReadonlyArray<string>> => {
  const count = Math.min(await noteStops(page), STOPS_MAX)
  const session = await page.context().newCDPSession(page)
  const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 }
  // WHY not one after the other: a round trip for each key would take most of the test.
  await Promise.all(
    Array.from({ length: count }, () => [
      session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tab }),
      session.send("Input.dispatchKeyEvent", { type: "keyUp", ...tab })
    ]).flat()
  )
  await session.detach()
  const stops = await page.evaluate(
    () =>
      (
        window as unknown as {
          stops: ReadonlyArray<{ name: string; order: number; fault: string | undefined }>
        }
      ).stops
  )
  const [first, ...others] = stops
  const end = others.findIndex(({ name }) => name === first?.name)
  const seen = first === undefined ? [] : [first, ...(end < 0 ? others : others.slice(0, end))]
  return [
    ...(first?.name.startsWith("A Skip to content") === true ? [] : ["no skip link first"]),
    ...seen.flatMap(({ name, order, fault }, at) => [
      ...(at > 0 && order < (seen[at - 1]?.order ?? 0) ? [`${name}: out of order`] : []),
      ...(fault === undefined ? [] : [`${name}: ${fault}`])
    ])
  ]
}

/** The row that has the focus or has it in it, as its place among the rows; -1 for none. WHY: ages in texts change. */
const rowOf = (page: Page): Promise<number> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main tbody tr")].findIndex((row) =>
      row.contains(document.activeElement)
    )
  )

/** WHY two: a long table moves the focus with the next frame, after it has scrolled. */
const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  )

/** The keys of tables: the first row, the next, back again, and an action in it. */
const useRows = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.keyboard.press("j")
  const first = await rowOf(page)
  if (first < 0) return ["j reaches no row"]
  await page.keyboard.press(".")
  const isAction = await page.evaluate(() => document.activeElement?.matches("a, button, summary"))
  const faults = isAction === true ? [] : [". reaches no action"]
  await page.keyboard.press("j")
  await nextFrames(page)
  const second = await rowOf(page)
  await page.keyboard.press("k")
  await nextFrames(page)
  if (second !== first && (await rowOf(page)) !== first) faults.push("k does not go back")
  return faults
}

inBrowser("the keyboard", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedFlows(world)
    await sendComponents(world)
    await seedPolicies(world)
    await seedAccess(world)
  })
  afterAll(() => world?.stop())

  it("reaches everything on every page, in order and in sight", () =>
    visit(
      world,
      async ({ page, open, go, settled, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/attestation-types")
        await settled()
        const faults: Array<string> = []
        for (const [path, hasRows] of PAGES) {
          await go(`/acme${path}`)
          await settled()
          const found = [...(await walk(page))]
          await page.evaluate(() => {
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
          })
          if (hasRows) found.push(...(await useRows(page)))
          faults.push(...found.map((fault) => `${path}: ${fault}`))
        }
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [404] }
    ))
})

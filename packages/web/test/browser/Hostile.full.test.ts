/** Scenario 20: in a world of hostile texts and addresses nothing runs, nothing is a link, every page is readable. */
import { createHash } from "node:crypto"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { fileOf } from "../../../http/test/evidence/PlainReader.js"
import {
  EVIDENCE,
  LONG_NAME,
  PRINT,
  PURL,
  REPO,
  seedHostile,
  TRAIL,
  VULNERABILITY
} from "../fixture/HostileWorld.js"
import * as World from "../fixture/World.js"
import { inBrowser } from "./Browser.js"

/** Hosts that the world names in addresses that are links. */
const HOSTS: ReadonlyArray<string> = ["rules.example.org"]

const ACCOUNT = "s".repeat(64)

const DIGEST = createHash("sha256")
  .update(fileOf(...EVIDENCE))
  .digest("hex")

/** Every page with a record of the world. */
const PAGES: ReadonlyArray<string> = [
  "",
  "?view=table",
  "/start",
  "/environments/prod",
  `/environments/${LONG_NAME}`,
  "/environments/prod/events",
  "/environments/prod/settings",
  `/diff?left=prod&right=${LONG_NAME}`,
  "/flows",
  "/flows/shop",
  `/flows/${LONG_NAME}`,
  "/flows/shop/artifacts",
  "/flows/shop/deployments",
  "/flows/shop/settings",
  `/flows/shop/trails/${TRAIL}`,
  `/flows/shop/artifacts/${PRINT}`,
  "/artifacts",
  `/artifacts/${PRINT}`,
  `/artifacts/${"beef".repeat(16)}`,
  "/attestations",
  "/attestation-types",
  "/attestation-types/load-test",
  "/components",
  `/components/${encodeURIComponent(PURL)}`,
  `/components/${encodeURIComponent(PURL.slice(0, PURL.lastIndexOf("@")))}`,
  `/where-it-ran?purl=${encodeURIComponent(PURL)}`,
  `/where-it-ran?vulnerability=${encodeURIComponent(VULNERABILITY)}`,
  "/components/%3Cimg%20src=x%20onerror=pwned=1%3E%E2%80%AE",
  "/where-it-ran?purl=%3Cimg%20src=x%20onerror=pwned=1%3E%E2%80%AE",
  "/evidence",
  `/evidence/${DIGEST}`,
  `/evidence/${DIGEST}?position=2`,
  "/policies",
  "/policies/strict",
  "/policies/strict/versions/1",
  "/policies/strict/edit?try=prod",
  "/controls",
  "/controls/SDLC-1",
  "/controls/SDLC-1/decisions",
  "/controls/SDLC-1/coverage",
  "/controls/SDLC-1/versions",
  "/notifications",
  "/notifications/1",
  "/notifications/failed",
  "/members",
  "/service-accounts",
  `/service-accounts/${ACCOUNT}`,
  "/audit-log",
  "/audit-log/memberships",
  "/deployments",
  "/repos",
  `/repos/${encodeURIComponent(REPO)}`,
  `/search?q=${encodeURIComponent("<img src=x onerror=pwned=1>")}`,
  "/nowhere/%3Cscript%3Epwned%3D1%3C%2Fscript%3E"
]

/** The effects of a hostile text on the shown page. */
const achieved = (page: Page, hosts: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  page.evaluate((allowed) => {
    // WHY without format characters as such: a soft hyphen would be one, and it hides nothing.
    const hidden = /[\u200B-\u200F\u202A-\u202E\u2066-\u2069]/
    const found: Array<string> = []
    const elements = [...document.querySelectorAll("*")]
    if ("pwned" in window) found.push("a script ran")
    if (document.querySelector("img, body script, iframe, [onclick], [onerror]") !== null)
      found.push("markup became an element")
    for (const link of document.querySelectorAll("a")) {
      const isOurs = link.origin === location.origin && !link.href.includes("@")
      if (!isOurs && !(link.protocol === "https:" && allowed.includes(link.host)))
        found.push(`a link: ${link.href.slice(0, 80)}`)
    }
    for (const element of elements)
      for (const { name, value } of element.attributes)
        if (hidden.test(value) && !(name === "value" || name === "datetime"))
          found.push(`hidden characters in ${name} of ${element.tagName}`)
    if (hidden.test(document.body.textContent ?? "")) found.push("hidden characters in the text")
    if (hidden.test(document.title)) found.push("hidden characters in the title")
    const { scrollWidth, clientWidth } = document.documentElement
    const isLoose = (element: Element): boolean =>
      element === document.body ||
      (getComputedStyle(element).overflowX === "visible" &&
        element.parentElement !== null &&
        isLoose(element.parentElement))
    if (scrollWidth > clientWidth)
      for (const element of elements)
        if (
          element.getBoundingClientRect().right > clientWidth &&
          element.parentElement !== null &&
          isLoose(element.parentElement)
        )
          found.push(`wider than the window: ${element.tagName} ${element.className}`)
    for (const note of document.querySelectorAll(".note-problem"))
      found.push(`a problem: ${note.textContent}`)
    return [...new Set(found)]
  }, hosts)

/** The addresses of links, each once. */
const hrefs = (links: ReadonlyArray<Element>): ReadonlyArray<string> => [
  ...new Set(links.map((link) => link.getAttribute("href") ?? ""))
]

/** Opens every part that is closed, until none is left: parts may have parts. */
const unfold = async (page: Page): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    await page.evaluate(() => {
      for (const part of document.querySelectorAll("details")) part.open = true
    })
    await page.waitForTimeout(20)
  }
}

inBrowser("a hostile world", ({ visit }) => {
  let world: World.World
  beforeAll(async () => {
    world = await World.start()
    await seedHostile(world)
  })
  afterAll(() => world?.stop())

  it("runs nothing, links nowhere, and can be read, on every page", () =>
    visit(
      world,
      async ({ page, open, go, settled, signIn }) => {
        await signIn(world.keys.admin)
        await open("/acme/flows")
        await settled()
        const faults: Array<string> = []
        const see = async (path: string) => {
          for (const fault of await achieved(page, HOSTS)) faults.push(`${path}: ${fault}`)
        }
        for (const path of PAGES) {
          await go(`/acme${path}`)
          await settled()
          await unfold(page)
          await see(path)
        }
        assert.deepStrictEqual(faults, [])
      },
      { statuses: [400, 404], width: 400 }
    ))

  it("keeps its panels closed to scripts and links, with everything in them open", () =>
    visit(world, async ({ page, open, go, settled, signIn }) => {
      await signIn(world.keys.admin)
      await open("/acme/environments/prod")
      await settled()
      const faults: Array<string> = []
      const see = async (what: string) => {
        await settled()
        await unfold(page)
        for (const fault of await achieved(page, HOSTS)) faults.push(`${what}: ${fault}`)
      }
      const rows = await page.locator("th a[href*='row=']").evaluateAll(hrefs)
      for (const address of rows) {
        await go(address)
        await page.getByText("All rules").waitFor()
        await see("row")
      }
      assert.lengthOf(rows, 3)
      await open(`/acme/flows/shop/trails/${TRAIL}`)
      await settled()
      const addresses = await page.locator("a[href*='attestation_id=']").evaluateAll(hrefs)
      for (const address of addresses) {
        await go(address)
        await page.locator("dialog.panel").waitFor()
        await see(address.slice(-36))
      }
      assert.isAtLeast(addresses.length, 5)
      await page.keyboard.press("Escape")
      await page.locator("dialog.panel").waitFor({ state: "detached" })
      await page.keyboard.press("Control+K")
      await page.getByRole("combobox", { name: "Search or jump" }).fill("bad0bad0")
      await page.getByRole("option").first().waitFor()
      await see("palette")
      assert.deepStrictEqual(faults, [])
    }))
})

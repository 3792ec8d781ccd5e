/** The page that verifies capsules, in the browser of this machine. */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"
import { median } from "./http.mjs"

const require = createRequire(new URL("../../packages/web/package.json", import.meta.url))

const TIMEOUT_MS = 60_000

/** The browser that `ATTESTRY_TEST_BROWSER` names, or one on the path. */
const find = () =>
  process.env.ATTESTRY_TEST_BROWSER ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => ["chromium", "chromium-browser"].map((name) => join(folder, name)))
    .find(existsSync)

/** Lets the page at an address verify a file some times; the seconds that it says. Undefined without a browser. */
export const verifyInBrowser = async (address, file, rounds) => {
  const executablePath = find()
  if (executablePath === undefined || !existsSync(executablePath)) return undefined
  const { chromium } = require("playwright-core")
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage()
    await page.goto(address)
    const verify = async () => {
      await page.locator("input").setInputFiles([])
      await page.locator("input").setInputFiles(file)
      await page.locator("progress").waitFor({ state: "attached" })
      const took = await page.locator(".took").textContent({ timeout: TIMEOUT_MS })
      const outcome = await page.locator("h2").textContent()
      if (outcome !== "Proved") throw new Error(`the page says ${outcome}`)
      return Number(/Verified in ([\d.]+) s/.exec(took)?.[1])
    }
    const first = await verify()
    const later = []
    for (let round = 0; round < rounds; round++) later.push(await verify())
    return { first, median: median(later) }
  } finally {
    await browser.close()
  }
}

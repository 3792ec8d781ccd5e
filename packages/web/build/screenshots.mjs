/**
 * `pnpm screenshots [--all FOLDER]`: pictures of the pages of the demo.
 *
 * Without a flag it makes the four pictures of the documents, into docs/images. With `--all` it makes every page in
 * both themes and two widths, for people to look at. The browser is `chromium` of the path, or ATTESTRY_TEST_BROWSER.
 */
import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"

const root = join(import.meta.dirname, "../../..")
const all = process.argv.indexOf("--all")
const folder = all < 0 ? join(root, "docs/images") : process.argv[all + 1]
if (folder === undefined) throw new Error("--all needs a folder")

/** The pages of the documents: name, path and the size of the picture. */
const DOCUMENTED = [
  ["overview", "", 860],
  ["snapshot", "/environments/production-eu", 884],
  ["trails", "/flows/checkout", 760],
  ["policy", "/policies/production-requirements", 900]
]

/** Every page, with `{…}` for what is looked up first. */
const EVERY = [
  ["overview", ""],
  ["overview-table", "?view=table"],
  ["start", "/start"],
  ["environment", "/environments/production-eu"],
  ["environment-row", "/environments/production-eu?row={row}"],
  ["environment-logical", "/environments/production"],
  ["environment-unknown", "/environments/sandbox"],
  ["snapshot", "/environments/production-us/snapshots/80"],
  ["events", "/environments/production-eu/events"],
  ["environment-settings", "/environments/production-eu/settings"],
  ["diff", "/diff?left=production-eu~1&right=production-eu"],
  ["flows", "/flows"],
  ["flow", "/flows/checkout"],
  ["flow-artifacts", "/flows/checkout/artifacts"],
  ["flow-deployments", "/flows/checkout/deployments"],
  ["flow-settings", "/flows/checkout/settings"],
  ["trail", "/flows/checkout/trails/{trail}"],
  ["attestation", "/flows/checkout/trails/{trail}?attestation_id={attestation}"],
  ["artifact", "/artifacts/{fingerprint}"],
  ["flow-artifact", "/flows/checkout/artifacts/{fingerprint}"],
  ["artifacts", "/artifacts"],
  ["attestations", "/attestations"],
  ["attestation-types", "/attestation-types"],
  ["policies", "/policies"],
  ["policy", "/policies/production-requirements"],
  ["policy-version", "/policies/production-requirements/versions/3?compare=2"],
  ["policy-editor", "/policies/production-requirements/edit?try=production-eu@-1"],
  ["policy-new", "/policies/_new"],
  ["decaying", "/decaying"],
  ["waivers", "/waivers"],
  ["waiver-new", "/waivers/_new"],
  ["waiver-inbox", "/waivers/inbox"],
  ["waiver-debt", "/waivers/debt"],
  ["waiver-settings", "/waivers/settings"],
  ["controls", "/controls"],
  ["control", "/controls/SDLC-1"],
  ["control-decisions", "/controls/SDLC-1/decisions"],
  ["control-coverage", "/controls/SDLC-1/coverage"],
  ["control-versions", "/controls/SDLC-1/versions"],
  ["notifications", "/notifications"],
  ["notification", "/notifications/1"],
  ["failed-deliveries", "/notifications/failed"],
  ["key-expiry", "/notifications/key-expiry"],
  ["members", "/members"],
  ["service-accounts", "/service-accounts"],
  ["service-account", "/service-accounts/ci-builder"],
  ["audit-log", "/audit-log"],
  ["membership-history", "/audit-log/memberships"],
  ["erasures", "/audit-log/erasures"],
  ["builds", "/builds"],
  ["allow-lists", "/allow-lists"],
  ["deployments", "/deployments"],
  ["repos", "/repos"],
  ["repo", "/repos/example/checkout"],
  ["search", "/search?q=checkout"],
  ["where-it-ran", "/where-it-ran?flow_name=checkout"],
  ["components", "/components"],
  ["graph", "/graph?root=fingerprint:{fingerprint}"],
  ["log", "/log"],
  ["knowledge", "/environments/production-us/snapshots/80?as_of=now"],
  ["backtest", "/policies/production-requirements/backtest?play=1"],
  ["backtest-logical", "/policies/production-requirements/backtest?play=1&environment=production"],
  ["dry-run-logical", "/policies/production-requirements/edit?try=production&evidence=now"],
  ["signing-secret", "/notifications/signing-secret"],
  ["not-found", "/no/such/page"]
]

/** Starts the demo, and answers its address and key once it is ready. */
const startDemo = () =>
  new Promise((resolve, reject) => {
    const program = join(root, "packages/server/dist/main.js")
    const server = spawn(process.execPath, [program, "demo", "--port", "0"], {
      env: { ...process.env, ATTESTRY_BOOTSTRAP_ORG: "acme", ATTESTRY_BOOTSTRAP_USER: "admin" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let shown = ""
    server.on("exit", (code) => reject(new Error(`the demo ended with ${code}`)))
    server.stdout.setEncoding("utf8").on("data", (text) => {
      shown += text
      const url = /ready at (\S+)/.exec(shown)?.[1]
      const key = /API key +(\S+)/.exec(shown)?.[1]
      if (url !== undefined && key !== undefined && shown.endsWith("\n\n")) {
        resolve({ url, key, stop: () => server.kill("SIGTERM") })
      }
    })
  })

/** What the pages of single records are about. */
const recordsOf = async (url, key) => {
  const get = async (path) => {
    const response = await fetch(`${url}/api/v2${path}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    return response.json()
  }
  const { data: trails } = await get("/trails/acme/checkout?per_page=1")
  const trail = trails[0].name
  const { data: attestations } = await get(
    `/attestations/acme?flow_name=checkout&trail_name=${trail}`
  )
  const { artifacts } = await get("/snapshots/acme/production-eu/-1")
  const failing = artifacts.find(({ compliant }) => compliant === false) ?? artifacts[0]
  return {
    trail,
    attestation: attestations[0].attestation_id,
    fingerprint: failing.fingerprint,
    row: encodeURIComponent(`${failing.fingerprint}~${failing.name}`)
  }
}

const fill = (path, records) => path.replace(/\{(\w+)\}/g, (_, name) => records[name])

/** Signs in, and opens a page when its data is there. */
const visitor = async (browser, demo, { theme, width, height }) => {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    timezoneId: "UTC",
    deviceScaleFactor: 1
  })
  const page = await context.newPage()
  await page.goto(`${demo.url}/_/sign-in`)
  await page.getByLabel("API key").fill(demo.key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL((url) => !url.pathname.endsWith("/_/sign-in"))
  return {
    open: async (path) => {
      await page.goto(`${demo.url}/acme${path}`)
      await page.waitForLoadState("networkidle")
      await page.waitForTimeout(400)
    },
    shoot: (name, options = {}) =>
      page.screenshot({ path: join(folder, `${name}.png`), ...options }),
    resize: (size) => page.setViewportSize({ width, height: size }),
    close: () => context.close()
  }
}

const documented = async (browser, demo) => {
  const person = await visitor(browser, demo, { theme: "light", width: 1280, height: 900 })
  for (const [name, path, height] of DOCUMENTED) {
    await person.resize(height)
    await person.open(path)
    await person.shoot(name)
  }
  await person.close()
}

const everyPage = async (browser, demo, records) => {
  const looks = ["light", "dark"].flatMap((theme) =>
    [1280, 320].map((width) => ({ theme, width, height: 900 }))
  )
  for (const look of looks) {
    const person = await visitor(browser, demo, look)
    for (const [name, path] of EVERY) {
      await person.open(fill(path, records))
      await person.shoot(`${name}-${look.theme}-${look.width}`, { fullPage: true })
    }
    await person.close()
  }
}

mkdirSync(folder, { recursive: true })
const demo = await startDemo()
const browser = await chromium.launch({
  executablePath: process.env.ATTESTRY_TEST_BROWSER ?? "/usr/bin/chromium",
  chromiumSandbox: process.getuid?.() !== 0
})
try {
  if (all < 0) await documented(browser, demo)
  else await everyPage(browser, demo, await recordsOf(demo.url, demo.key))
} finally {
  await browser.close()
  demo.stop()
}
process.exit(0)

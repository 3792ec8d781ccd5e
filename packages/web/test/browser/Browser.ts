/**
 * Pages in a real browser: one browser for the files that run after each other, one context for the tests of a file,
 * of which each finds it as new, but for the files of the site that the browser has.
 *
 * A test fails on any error in the console, any report of the content security policy, and any request outside of the
 * origin. Without a browser the tests are skipped and say how to get one; `ATTESTRY_TEST_BROWSER=required` makes that a
 * failure.
 */
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request
} from "playwright-core"
import { afterAll, assert, beforeAll, describe } from "vitest"
import type { World } from "../fixture/World.js"
import * as Chromium from "./Chromium.js"

/** What went wrong beside what a test asserts. */
interface Watch {
  readonly problems: Array<string>
  /** Answers of the API that the test expects; the browser writes them into its console. */
  readonly expected: Array<number>
  /** Whether requests without an answer are expected. */
  readonly isOffline: boolean
  /** Parts of messages in the console that the test provokes. */
  readonly messages: ReadonlyArray<string>
}

const OUTSIDE_OF_ORIGIN = "asked outside of the origin"

const watchPage = (page: Page, origin: string, watch: Watch): void => {
  const { problems, expected, isOffline, messages } = watch
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`))
  page.on("console", (message) => {
    const text = message.text()
    const status = /status of (\d{3})/.exec(text)?.[1]
    const isExpected =
      (status !== undefined && expected.includes(Number(status))) ||
      (isOffline && text.includes("net::ERR_")) ||
      messages.some((part) => text.includes(part))
    if ((message.type() === "error" || message.type() === "warning") && !isExpected)
      problems.push(`${message.type()}: ${text}`)
  })
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && url !== "about:blank")
      problems.push(`${OUTSIDE_OF_ORIGIN}: ${url}`)
  })
}

/** Nothing was asked for this long: effects of the last answer have asked what they need by then. */
const QUIET_MS = 40

/** A page has its data after this long. */
const SETTLE_MS_MAX = 20_000

/** Counts the requests of a page that have no answer yet; `settled` waits until there were none for a while. */
const watchRequests = (page: Page) => {
  const open = new Set<Request>()
  let changedAt = Date.now()
  const begin = (request: Request) => {
    open.add(request)
    changedAt = Date.now()
  }
  const end = (request: Request) => {
    open.delete(request)
    changedAt = Date.now()
  }
  page.on("request", begin)
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  // WHY: what a document asked is not answered to the next one.
  page.on("framenavigated", (frame) => {
    for (const request of open)
      if (request.frame() === frame && !request.isNavigationRequest()) open.delete(request)
  })
  const settled = async (): Promise<void> => {
    await page.locator("h1").first().waitFor()
    const until = Date.now() + SETTLE_MS_MAX
    while (open.size > 0 || Date.now() - changedAt < QUIET_MS) {
      if (Date.now() > until) throw new Error(`unanswered: ${[...open].map((each) => each.url())}`)
      await page.waitForTimeout(10)
    }
    await page.locator(".skeleton").first().waitFor({ state: "detached" })
  }
  const go = async (path: string): Promise<void> => {
    await page.evaluate(async (address) => {
      history.pushState(null, "", address)
      dispatchEvent(new PopStateEvent("popstate"))
      // WHY two: effects of the new page, which ask for its data, run after the first.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    }, path)
    changedAt = Date.now()
  }
  return { settled, go }
}

/** Opens a session without a page. WHY: signing in on the page took most of the time of many tests. */
const openSession = async (
  context: BrowserContext,
  { url }: World,
  api_key: string
): Promise<void> => {
  const response = await context.request.post(`${url}/api/v2/session`, { data: { api_key } })
  if (!response.ok()) throw new Error(`POST /session: ${response.status()}`)
}

/** A person at a browser. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a path below the public URL. */
  readonly open: (path: string) => Promise<void>
  /** Goes to a path below the public URL as a link does, without loading the document again. */
  readonly go: (path: string) => Promise<void>
  /** Waits until the page has its title and its data: nothing is asked, and nothing says that it loads. */
  readonly settled: () => Promise<void>
  /** Signs in: on the sign-in page, until it is left, or without a page where none is open yet. */
  readonly signIn: (key: string) => Promise<void>
}

/** How the browser looks. */
export interface Looks {
  readonly theme?: "light" | "dark"
  readonly width?: number
  /** Statuses of the API that are expected; 401 always is. */
  readonly statuses?: ReadonlyArray<number>
  /** Whether requests without an answer are expected. */
  readonly offline?: boolean
  /** Parts of messages in the console that a test provokes. */
  readonly messages?: ReadonlyArray<string>
}

/** What tests are given. */
export interface BrowserTests {
  /** Runs a visit in a context of its own, and fails if anything went wrong beside it. */
  readonly visit: (
    world: World,
    run: (visitor: Visitor) => Promise<void>,
    looks?: Looks
  ) => Promise<void>
}

const start = ({ executablePath, env }: Chromium.Chromium): Promise<Browser> =>
  chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    // WHY: the sandbox of Chromium does not start for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--disable-gpu"]
  })

/** The browser stays this long after a file, for the next one. */
const IDLE_MS = 5_000

const kept: { browser: Promise<Browser> | undefined; timer: NodeJS.Timeout | undefined } = {
  browser: undefined,
  timer: undefined
}

/** The browser of this process. */
const acquire = (found: Chromium.Chromium): Promise<Browser> => {
  clearTimeout(kept.timer)
  kept.browser ??= start(found)
  return kept.browser
}

/** Ends the browser, unless another file needs it soon. */
const release = (): void => {
  kept.timer = setTimeout(() => {
    const { browser } = kept
    kept.browser = undefined
    void browser?.then((running) => running.close())
  }, IDLE_MS)
  kept.timer.unref()
}

const HOW =
  "no browser for tests: install one (`apt-get install chromium`), or set ATTESTRY_TEST_BROWSER to its path"

/** The context of a file's tests, and what the present visit watches. */
interface Shared {
  readonly context: BrowserContext
  current: { readonly world: World; readonly watch: Watch } | undefined
}

/** WHY one for a file: a new one loads and compiles every file of the site again, which took most of a short test. */
const share = async (browser: Browser): Promise<Shared> => {
  const context = await browser.newContext({ timezoneId: "Europe/Berlin", locale: "en-GB" })
  const shared: Shared = { context, current: undefined }
  context.on("page", (page) => {
    if (shared.current !== undefined)
      watchPage(page, shared.current.world.origin, shared.current.watch)
  })
  return shared
}

/** Ends a visit: no page, session, route or stored value stays for the next. */
const leave = async ({ page, context }: Visitor, { origin }: World): Promise<void> => {
  const session = await context.newCDPSession(page)
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })
  for (const each of context.pages()) await each.close()
  await context.unrouteAll()
  await context.setOffline(false)
  await context.clearCookies()
}

/** A visitor on a new page. */
const enter = async (context: BrowserContext, world: World, looks: Looks): Promise<Visitor> => {
  const { theme = "light", width = 1280 } = looks
  const page = await context.newPage()
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme: theme })
  const { settled, go } = watchRequests(page)
  return {
    page,
    context,
    open: async (path) => {
      await page.goto(`${world.url}${path}`)
    },
    go: (path) => go(`${new URL(world.url).pathname.replace(/\/$/, "")}${path}`),
    settled,
    signIn: async (key) => {
      if (page.url() === "about:blank") return openSession(context, world, key)
      await page.getByLabel("API key").fill(key)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.waitForURL((url) => !url.pathname.endsWith("/_/sign-in"))
    }
  }
}

/** Runs tests in a browser. */
export const inBrowser = (title: string, tests: (browser: BrowserTests) => void): void => {
  const found = Chromium.find()
  if (found === undefined && process.env.ATTESTRY_TEST_BROWSER === "required") throw new Error(HOW)
  if (found === undefined) console.warn(HOW)
  describe.skipIf(found === undefined)(title, () => {
    let browser: Browser | undefined
    let shared: Shared | undefined
    beforeAll(async () => {
      if (found !== undefined) browser = await acquire(found)
    })
    afterAll(async () => {
      await shared?.context.close()
      release()
    })
    tests({
      visit: async (world, run, looks = {}) => {
        if (browser === undefined) throw new Error("the browser has not started")
        const { statuses = [], offline = false, messages = [] } = looks
        const expected = [401, ...statuses]
        const watch: Watch = { problems: [], expected, isOffline: offline, messages }
        shared ??= await share(browser)
        shared.current = { world, watch }
        const visitor = await enter(shared.context, world, looks)
        try {
          await run(visitor)
        } finally {
          await leave(visitor, world)
          shared.current = undefined
        }
        assert.deepStrictEqual(watch.problems, [])
      }
    })
  })
}

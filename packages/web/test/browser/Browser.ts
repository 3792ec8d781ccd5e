/**
 * Pages in a real browser: one browser and one tab of it for all files that run after each other. Each test finds the
 * tab as new, but for the files of the site that the browser has.
 *
 * A test fails on any error in the console, any report of the content security policy, and any request outside of the
 * origin. Without a browser the tests are skipped and say how to get one; `ATTESTRY_TEST_BROWSER=required` makes that a
 * failure.
 */
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Request
} from "playwright-core"
import { afterAll, assert, beforeAll, describe } from "vitest"
import type { World } from "../fixture/World.js"
import * as Chromium from "./Chromium.js"

/** Errors beside the assertions of a test. */
interface Watch {
  readonly problems: Array<string>
  /** Answers of the API that the test expects; the browser writes them into its console. */
  readonly expected: Array<number>
  /** Whether requests without an answer are expected. */
  readonly isOffline: boolean
  /** Parts of messages in the console that the test provokes. */
  readonly messages: ReadonlyArray<string>
  /** Where pages send the browser on purpose. */
  readonly goesTo: ReadonlyArray<string>
}

const OUTSIDE_OF_ORIGIN = "asked outside of the origin"

/** The visit that is watched; undefined between visits. */
type Watched = () => { readonly world: World; readonly watch: Watch } | undefined

const watchPage = (page: Page, watched: Watched): void => {
  page.on("pageerror", (error) => watched()?.watch.problems.push(`uncaught: ${error.message}`))
  page.on("console", (message) => {
    const now = watched()
    if (now === undefined) return
    const { problems, expected, isOffline, messages } = now.watch
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
    const now = watched()
    // The address of what a page has made itself, such as a worker, has the origin behind `blob:`.
    const url = request.url().replace(/^blob:/, "")
    if (now?.watch.goesTo.some((place) => url.startsWith(place)) === true) return
    if (now !== undefined && !url.startsWith(now.world.origin) && url !== "about:blank")
      now.watch.problems.push(`${OUTSIDE_OF_ORIGIN}: ${url}`)
  })
}

/** The time without a request after which the last answer has caused no further one. */
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
  // WHY: requests of a document are not answered to the next one.
  page.on("framenavigated", (frame) => {
    for (const request of open)
      if (request.frame() === frame && !request.isNavigationRequest()) open.delete(request)
  })
  const settled = async (): Promise<void> => {
    await page.locator("h1").first().waitFor()
    const until = Date.now() + SETTLE_MS_MAX
    while (open.size > 0 || Date.now() - changedAt < QUIET_MS) {
      if (Date.now() > until) throw new Error(`unanswered: ${[...open].map((each) => each.url())}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
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
  /** Waits until the page has its title and its data: no request is open, and no element shows that it loads. */
  readonly settled: () => Promise<void>
  /** Signs in: on the sign-in page, until it is left, or without a page if none is open yet. */
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
  /** The beginnings of addresses outside of the origin, to which pages send the browser on purpose. */
  readonly goesTo?: ReadonlyArray<string>
}

/** The fixtures of tests. */
export interface BrowserTests {
  /** Runs a visit in a tab that is as new, and fails if anything went wrong beside it. */
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

/** A browser with one tab, and the visit that is watched. */
interface Station {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly page: Page
  readonly session: CDPSession
  readonly requests: ReturnType<typeof watchRequests>
  current: ReturnType<Watched>
}

/**
 * Starts a browser and opens its tab. WHY one: a new tab took four times the processor time of loading a page in an
 * open one, and a new context loads and compiles every file of the site again.
 */
const startStation = async (found: Chromium.Chromium): Promise<Station> => {
  const browser = await start(found)
  const context = await browser.newContext({
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    // WHY: providers of identities have https addresses, with a certificate that no browser knows.
    ignoreHTTPSErrors: true
  })
  const kept: { current: ReturnType<Watched> } = { current: undefined }
  context.on("page", (opened) => watchPage(opened, () => kept.current))
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  return Object.assign(kept, { browser, context, page, session, requests: watchRequests(page) })
}

/** The browser stays this long after a file, for the next one. */
const IDLE_MS = 5_000

const kept: { station: Promise<Station> | undefined; timer: NodeJS.Timeout | undefined } = {
  station: undefined,
  timer: undefined
}

/** The browser of this process. */
const acquire = (found: Chromium.Chromium): Promise<Station> => {
  clearTimeout(kept.timer)
  kept.station ??= startStation(found)
  return kept.station
}

const end = (): void => {
  const { station } = kept
  kept.station = undefined
  void station?.then(({ browser }) => browser.close())
}

/** Ends the browser, unless another file needs it soon. */
const release = (): void => {
  kept.timer = setTimeout(end, IDLE_MS)
  kept.timer.unref()
}

const HOW =
  "no browser for tests: install one (`apt-get install chromium`), or set ATTESTRY_TEST_BROWSER to its path"

/** Ends a visit: no other page, session, route, document or stored value stays for the next. */
const leave = async (station: Station, { origin }: World): Promise<void> => {
  const { context, page, session } = station
  for (const each of context.pages()) if (each !== page) await each.close()
  await context.setOffline(false)
  if (page.url().startsWith(origin)) await page.evaluate(() => sessionStorage.clear())
  await page.goto("about:blank")
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await context.unrouteAll({ behavior: "ignoreErrors" })
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" })
  await context.clearCookies()
}

/** A visitor in the tab. */
const enter = async (station: Station, world: World, looks: Looks): Promise<Visitor> => {
  const { context, page, requests } = station
  const { theme = "light", width = 1280 } = looks
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 800 })
  // WHY: nothing is drawn for the sake of a fade.
  await page.emulateMedia({ media: null, colorScheme: theme, reducedMotion: "reduce" })
  return {
    page,
    context,
    open: async (path) => {
      await page.goto(`${world.url}${path}`)
    },
    go: (path) => requests.go(`${new URL(world.url).pathname.replace(/\/$/, "")}${path}`),
    settled: requests.settled,
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
    beforeAll(async () => {
      if (found !== undefined) await acquire(found)
    })
    afterAll(release)
    tests({
      visit: async (world, run, looks = {}) => {
        if (found === undefined) throw new Error("there is no browser")
        const { statuses = [], offline = false, messages = [], goesTo = [] } = looks
        const expected = [401, ...statuses]
        const watch: Watch = { problems: [], expected, isOffline: offline, messages, goesTo }
        const station = await acquire(found)
        station.current = { world, watch }
        try {
          await run(await enter(station, world, looks))
        } catch (cause) {
          // WHY: a failing test leaves an unknown state behind; the next one has another browser.
          end()
          throw cause
        }
        station.current = undefined
        await leave(station, world)
        assert.deepStrictEqual(watch.problems, [])
      }
    })
  })
}

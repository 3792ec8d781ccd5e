/**
 * Reads JSON from third-party services: forges, issue trackers and scanners.
 *
 * It respects rate limits, and repeats requests after network or server errors, within the time limit. Any other
 * error ends the command; a refusal names the missing permission.
 */
import { readFileSync } from "node:fs"
import * as NodeFetch from "@attestry/client/node/NodeFetch"
import type { CommandContext } from "../shared/CommandContext.js"
import { type CommandFailure, unreadable, usage } from "../shared/CommandFailure.js"
import * as RetryTime from "./RetryTime.js"

/** An answer of a service. */
export interface Page {
  readonly status: number
  readonly body: unknown
  readonly header: (name: string) => string | null
}

/** How to read the items of a page, and the URL of the next page. */
export interface Paging {
  readonly items: (page: Page) => ReadonlyArray<unknown> | undefined
  readonly next: (page: Page, url: string) => string | undefined
}

/** A client of a service. */
export interface ForeignApi {
  /** The JSON at a URL; undefined for 404. */
  readonly get: (url: string) => Promise<unknown>
  /** The JSON at a URL; fails for 404. */
  readonly need: (url: string, missing: string) => Promise<unknown>
  /** The JSON answer to a request with a body. */
  readonly ask: (url: string, body: unknown, missing: string) => Promise<unknown>
  /** The items of all pages of a list; fails for 404. */
  readonly all: (url: string, missing: string, paging?: Paging) => Promise<ReadonlyArray<unknown>>
}

/** The options of a client. */
export interface ForeignApiOptions {
  /** Headers of every request; the caller hides secrets in them. */
  readonly headers: { readonly [name: string]: string }
  /** The permissions that the credential needs, for the message of a refusal. */
  readonly lacking: string
}

/** The maximum number of pages of a list. */
export const PAGES_MAX = 100

const linkNext = (link: string | null): string | undefined => {
  for (const part of (link ?? "").split(",")) {
    const [, url = "", parameters = ""] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? []
    if (/;\s*rel="?next"?\s*(?:;|$)/.test(parameters)) return url
  }
  return undefined
}

/** Pages are arrays, and the header `Link` has the URL of the next one. */
export const LINKED: Paging = {
  items: ({ body }) => (Array.isArray(body) ? body : undefined),
  next: ({ header }, url) => {
    const next = linkNext(header("link"))
    return next === undefined || !URL.canParse(next, url) ? undefined : new URL(next, url).href
  }
}

const shownOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The URL of a service without a trailing slash; refuses a URL that would expose a token. */
export const baseOf = (text: string, source: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw usage(`${source}: \`${text}\` is no URL`, "write https://HOST/PATH")
  if (url.username !== "" || url.password !== "")
    throw usage(`${source}: the URL holds credentials`, "set the variable of the token instead")
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
    throw usage(`${source}: \`${url.origin}\` would send the token without encryption`, "use https")
  return text.replace(/\/+$/, "")
}

const certificatesOf = async ({ settings }: CommandContext): Promise<string | undefined> => {
  const { caFile } = await settings()
  if (caFile === undefined) return undefined
  try {
    return readFileSync(caFile.value, "utf8")
  } catch {
    throw usage(`${caFile.source}: ${caFile.value} cannot be read`)
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : `${cause}`)

const refusal = (url: string, page: Page, lacking: string): CommandFailure => {
  const scopes =
    page.header("x-accepted-github-permissions") ?? page.header("x-accepted-oauth-scopes")
  const asked = scopes === null || scopes === "" ? "" : ` (it asks for ${scopes.slice(0, 200)})`
  return unreadable(`${shownOf(url)} answered ${page.status}`, `${lacking}${asked}`)
}

interface Request {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly body?: string
}

/** One attempt at a request. */
type Attempt = (request: Request) => Promise<Page>

const attemptOf = async (
  context: CommandContext,
  headers: ForeignApiOptions["headers"]
): Promise<Attempt> => {
  const { timeoutMs } = await context.settings()
  const send = NodeFetch.make({
    env: context.host.env,
    certificates: await certificatesOf(context),
    onAttempt: ({ method, url, status, error }) =>
      context.output.trace(`${method} ${url.origin}${url.pathname} ${status ?? error}`)
  })
  return async ({ url, method, body }) => {
    const answer = await send(url, {
      method,
      headers: {
        accept: "application/json",
        "user-agent": "attestry",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      signal: AbortSignal.any([context.host.signal, AbortSignal.timeout(timeoutMs)]),
      ...(body === undefined ? {} : { body })
    })
    const text = new TextDecoder().decode(await answer.arrayBuffer())
    const header = (name: string) => answer.headers.get(name)
    if (answer.status !== 200) return { status: answer.status, body: undefined, header }
    try {
      return { status: 200, body: JSON.parse(text), header }
    } catch (cause) {
      throw unreadable(`${shownOf(url)} answered something that is no JSON`, undefined, cause)
    }
  }
}

/** Repeats an attempt while the time limit allows. */
const patient = async (context: CommandContext, attempt: Attempt): Promise<Attempt> => {
  const { timeoutMs, retries } = await context.settings()
  const { host, output } = context
  return async (request) => {
    let left = timeoutMs
    for (let count = 0; ; count++) {
      const page = await attempt(request).catch((cause: unknown) => {
        if (host.signal.aborted || (cause instanceof Error && cause.name === "CommandFailure"))
          throw cause
        if (count >= retries)
          throw unreadable(
            `${shownOf(request.url)} does not answer: ${reasonOf(cause)}`,
            undefined,
            cause
          )
        return undefined
      })
      const wait = RetryTime.of(page, { count, nowMs: host.now() })
      if (page !== undefined && (wait === undefined || (!wait.isGiven && count >= retries)))
        return page
      const millis = wait?.millis ?? 0
      if (page !== undefined && millis > left)
        throw unreadable(
          `${shownOf(request.url)} answers again in ${Math.ceil(millis / 1_000)} s, which is beyond the time limit`,
          "run it later, or give a longer --timeout"
        )
      left -= millis
      output.trace(`waiting ${millis} ms for ${shownOf(request.url)}`)
      await host.sleep(millis, host.signal)
    }
  }
}

/** A client with these headers. */
export const make = async (
  context: CommandContext,
  { headers, lacking }: ForeignApiOptions
): Promise<ForeignApi> => {
  const attempt = await patient(context, await attemptOf(context, headers))
  const page = async (request: Request): Promise<Page | undefined> => {
    const found = await attempt(request)
    if (found.status === 404) return undefined
    if (found.status !== 200) throw refusal(request.url, found, lacking)
    return found
  }
  const needed = async (request: Request, missing: string): Promise<Page> => {
    const found = await page(request)
    if (found !== undefined) return found
    throw unreadable(`${shownOf(request.url)} answered 404: ${missing}`, lacking)
  }
  return {
    get: async (url) => (await page({ url, method: "GET" }))?.body,
    need: async (url, missing) => (await needed({ url, method: "GET" }, missing)).body,
    ask: async (url, body, missing) =>
      (await needed({ url, method: "POST", body: JSON.stringify(body) }, missing)).body,
    all: async (url, missing, paging = LINKED) => {
      const items: Array<unknown> = []
      let next: string | undefined = url
      for (let count = 0; next !== undefined; count++) {
        // WHY: the token must not be sent to another service.
        if (count >= PAGES_MAX || new URL(next).origin !== new URL(url).origin)
          throw unreadable(`${shownOf(url)} has too many pages, or pages elsewhere`)
        const found: Page = await needed({ url: next, method: "GET" }, missing)
        const part = paging.items(found)
        if (part === undefined)
          throw unreadable(`${shownOf(url)} answered something that is no list`)
        items.push(...part)
        next = paging.next(found, next)
      }
      return items
    }
  }
}

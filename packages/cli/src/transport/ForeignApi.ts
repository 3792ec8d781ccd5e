/** Reads JSON from services that are not ours: forges and trackers. Only GET; a refusal says what was asked for. */

import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable } from "../shared/CommandFailure.js"
import * as NodeFetch from "./NodeFetch.js"

/** A service, and how it is asked. */
export interface ForeignApi {
  /** The JSON of an address; undefined for 404. */
  readonly get: (url: string) => Promise<unknown>
  /** The items of every page of a list. */
  readonly all: (url: string) => Promise<ReadonlyArray<unknown>>
}

const PAGES_MAX = 100

/** The address of the next page, from a `Link` header. */
const nextOf = (link: string | null): string | undefined =>
  /<([^>]+)>\s*;\s*rel="next"/.exec(link ?? "")?.[1]

interface Page {
  readonly body: unknown
  readonly next: string | undefined
}

/** A service that is asked with these headers; secrets in them are hidden from all output. */
export const make = async (
  context: CommandContext,
  headers: { readonly [name: string]: string },
  lacking: string
): Promise<ForeignApi> => {
  const { timeoutMs } = await context.settings()
  const send = NodeFetch.make({
    env: context.host.env,
    certificates: undefined,
    onAttempt: ({ method, url, status, error }) =>
      context.output.trace(`${method} ${url.origin}${url.pathname} ${status ?? error}`)
  })
  const page = async (url: string): Promise<Page | undefined> => {
    const shown = new URL(url).origin + new URL(url).pathname
    const answer = await send(url, {
      method: "GET",
      headers: { accept: "application/json", "user-agent": "attestry", ...headers },
      signal: AbortSignal.timeout(timeoutMs)
    }).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw unreadable(`${shown} does not answer: ${why}`, undefined, cause)
    })
    if (answer.status === 404) return undefined
    if (answer.status !== 200) throw unreadable(`${shown} answered ${answer.status}`, lacking)
    try {
      const body: unknown = JSON.parse(new TextDecoder().decode(await answer.arrayBuffer()))
      return { body, next: nextOf(answer.headers.get("link")) }
    } catch (cause) {
      throw unreadable(`${shown} answered something that is no JSON`, undefined, cause)
    }
  }
  const all = async (url: string): Promise<ReadonlyArray<unknown>> => {
    const items: Array<unknown> = []
    const { origin } = new URL(url)
    let next: string | undefined = url
    for (let count = 0; next !== undefined; count++) {
      // WHY: the token goes to the service that it was given for, and to no other.
      if (count >= PAGES_MAX || new URL(next).origin !== origin)
        throw unreadable(`${url} has too many pages, or pages elsewhere`)
      const found: Page | undefined = await page(next)
      if (found === undefined || !Array.isArray(found.body)) break
      items.push(...found.body)
      next = found.next
    }
    return items
  }
  return { get: async (url) => (await page(url))?.body, all }
}

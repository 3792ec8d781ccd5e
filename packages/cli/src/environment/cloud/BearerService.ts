/** Client of a cloud service with a bearer token: reads JSON page by page, all from one origin. */

import type { StreamedAnswer } from "@attestry/client/node/NodeFetch"
import { unreadable } from "../../shared/CommandFailure.js"
import * as Json from "../../shared/Json.js"
import { type CloudRequests, refusal } from "./CloudRequests.js"

/** A client of the service. */
export interface BearerService {
  readonly base: string
  /** The JSON at a path; fails for an error status. */
  readonly json: (path: string) => Promise<Json.Fields>
  /** The text of the answer to a POST. */
  readonly post: (path: string) => Promise<string>
  /** The objects of all pages; `next` returns the path of the following page. */
  readonly all: (
    path: string,
    member: string,
    next: (page: Json.Fields) => string | undefined
  ) => Promise<ReadonlyArray<Json.Fields>>
  readonly stream: (url: string) => Promise<StreamedAnswer>
}

const PAGES_MAX = 1_000

/** Makes the client for a URL. */
export const make = (requests: CloudRequests, address: string, token: string): BearerService => {
  const base = address.replace(/\/+$/, "")
  const { origin } = new URL(base)
  const headers = { accept: "application/json", authorization: `Bearer ${token}` }
  const text = async (path: string, method: "GET" | "POST"): Promise<string> => {
    const url = new URL(path.startsWith("/") ? `${base}${path}` : path)
    // WHY: the URL of a next page comes from an answer, and the request for it carries the token.
    if (url.origin !== origin) throw unreadable(`${origin} names a page of ${url.origin}`)
    const answer = await requests.send(() => ({
      method,
      url: url.href,
      headers: method === "POST" ? { ...headers, "content-length": "0" } : headers
    }))
    if (answer.status !== 200) throw refusal(url.href, answer)
    return answer.text
  }
  const json = async (path: string): Promise<Json.Fields> => {
    const body = await text(path, "GET")
    try {
      return Json.object(JSON.parse(body))
    } catch (cause) {
      throw unreadable(`${origin} answered something that is no JSON`, undefined, cause)
    }
  }
  return {
    base,
    json,
    post: (path) => text(path, "POST"),
    all: async (path, member, next) => {
      const found: Array<Json.Fields> = []
      let page: string | undefined = path
      for (let count = 0; page !== undefined; count++) {
        if (count === PAGES_MAX) throw unreadable(`${origin} has more than ${PAGES_MAX} pages`)
        const body: Json.Fields = await json(page)
        found.push(...Json.objects(body[member]))
        page = next(body)
      }
      return found
    },
    stream: (url) => requests.stream({ url, headers: { authorization: `Bearer ${token}` } })
  }
}

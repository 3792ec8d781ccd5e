/**
 * A forge on a real socket that answers as the public references of forges say: credentials are asked for, lists have
 * pages, a limit of requests refuses, and what is not there is 404. Handwritten from the references, not recorded.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A request that a forge was asked. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** An answer of a forge. */
export interface Answer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

/** What a forge answers for a path; a function sees the request and its own address. */
export type Route = ((asked: Asked, url: string) => Answer) | { readonly json: unknown }

/** A running forge. */
export interface FakeForge {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
  readonly stop: () => Promise<void>
}

/** How a forge behaves beside its answers. */
export interface ForgeBehaviour {
  /** Whether a request has the credential of the test. */
  readonly isAllowed: (asked: Asked) => boolean
  /** Answers that are given before any other, one each. */
  readonly first?: ReadonlyArray<Answer>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString("utf8")
}

/** Starts a forge. */
export const start = async (
  routes: { readonly [path: string]: Route },
  { isAllowed, first = [] }: ForgeBehaviour
): Promise<FakeForge> => {
  const asked: Array<Asked> = []
  const waiting = [...first]
  const known = new Map(Object.entries(routes))
  const place = { url: "" }
  const answerTo = (each: Asked): Answer => {
    const early = waiting.shift()
    if (early !== undefined) return early
    if (!isAllowed(each)) return { status: 401, body: { message: "Bad credentials" } }
    const route = known.get(`${each.method} ${each.path}`)
    if (route === undefined) return { status: 404, body: { message: "Not Found" } }
    return typeof route === "function" ? route(each, place.url) : { body: route.json }
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://forge")
    const each: Asked = {
      method: request.method ?? "",
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await bodyOf(request)
    }
    asked.push(each)
    const { status = 200, headers = {}, body } = answerTo(each)
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
    response.end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  place.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: place.url,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A list whose pages are named by the header `Link`. */
export const linked =
  (items: ReadonlyArray<unknown>, size: number): Route =>
  ({ path, query }, url) => {
    const page = Number(query.get("page") ?? "1")
    const next = new URLSearchParams(query)
    next.set("page", String(page + 1))
    const last = new URLSearchParams(query)
    last.set("page", String(Math.max(1, Math.ceil(items.length / size))))
    const links = `<${url}${path}?${next}>; rel="next", <${url}${path}?${last}>; rel="last"`
    return {
      body: items.slice((page - 1) * size, page * size),
      headers: page * size < items.length ? { link: links } : {}
    }
  }

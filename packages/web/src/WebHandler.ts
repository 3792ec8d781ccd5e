/**
 * Serves only the pages, as `Request → Response`: for edge hosts, and for hosts that serve the API separately on the
 * same origin.
 */
import * as Route from "./Route.js"
import * as StaticSite from "./StaticSite.js"

/** Answers one request. */
export type WebHandler = (request: Request) => Response

const bodyOf = (body: string | Uint8Array): BodyInit =>
  typeof body === "string" ? body : new Uint8Array(body)

/** The handler of a site. Requests include the path of the public URL. */
export const make = (options: StaticSite.StaticSiteOptions): WebHandler => {
  const site = StaticSite.make(options)
  const base = Route.baseOf(options.publicUrl)
  return (request) => {
    const { pathname, search } = new URL(request.url)
    const isBelow = pathname === base || pathname.startsWith(`${base}/`)
    const { status, headers, body } = site({
      method: request.method,
      url: isBelow ? `${pathname.slice(base.length) || "/"}${search}` : "/_/",
      headers: (name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [value]
      }
    })
    const isEmpty = request.method === "HEAD" || status === 304
    return new Response(isEmpty ? null : bodyOf(body), { status, headers })
  }
}

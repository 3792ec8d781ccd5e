/** Sends the requests of AWS's library through this program's transport, with its proxies, traces and limits. */
import type { CloudRequest, CloudRequests } from "./CloudRequests.js"

/** A request as the library makes it. */
interface LibraryRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number | undefined
  readonly path: string
  readonly query?: { readonly [name: string]: string | ReadonlyArray<string> | null } | undefined
  readonly headers: { readonly [name: string]: string }
  readonly body?: unknown
}

const METHODS = ["GET", "POST", "PUT"] as const

const urlOf = ({ protocol, hostname, port, path, query = {} }: LibraryRequest): string => {
  const url = new URL(path, `${protocol}//${hostname}`)
  if (port !== undefined) url.port = String(port)
  for (const [name, values] of Object.entries(query))
    for (const value of [values ?? ""].flat()) url.searchParams.append(name, value)
  return url.href
}

const bodyOf = (body: unknown): string | undefined => {
  if (body === undefined || typeof body === "string") return body
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
}

const requestOf = (request: LibraryRequest): CloudRequest => {
  const method = METHODS.find((each) => each === request.method) ?? "GET"
  const body = bodyOf(request.body)
  const sent = { method, url: urlOf(request), headers: request.headers }
  return method === "GET" || body === undefined ? sent : { ...sent, body }
}

/** The request handler for the library; it has no settings and nothing to close. */
export const handler = (requests: CloudRequests) => ({
  handle: async (request: LibraryRequest) => {
    const { status, headers, text } = await requests.send(() => requestOf(request))
    return {
      response: {
        statusCode: status,
        headers: { "content-type": headers.get("content-type") ?? "" },
        body: new TextEncoder().encode(text)
      }
    }
  },
  updateHttpClientConfig: () => {},
  httpHandlerConfigs: () => ({})
})

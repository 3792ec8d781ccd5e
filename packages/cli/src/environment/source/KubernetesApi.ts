/**
 * Reads paged lists and single objects of a cluster, and watches. The failure of a refused request names the
 * resource.
 */

import * as NodeFetch from "@attestry/client/node/NodeFetch"
import type { CommandContext } from "../../shared/CommandContext.js"
import { CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import * as Json from "../../shared/Json.js"
import * as BrokenSocket from "../../transport/BrokenSocket.js"
import type { Cluster } from "./KubernetesConfig.js"

/** The number of items per page. */
export const PAGE_SIZE = 500
const PAGES_MAX = 10_000
/** How often a list that expired between pages is started again. */
const RESTARTS_MAX = 3

/** A list. */
export interface Listing {
  readonly items: ReadonlyArray<Json.Fields>
  /** The resource version at which a watch starts. */
  readonly resourceVersion: string
}

/** A client of a cluster. */
export interface KubernetesApi {
  readonly shown: string
  readonly list: (path: string) => Promise<Listing>
  /** An object; undefined for 404. */
  readonly get: (path: string) => Promise<Json.Fields | undefined>
  /** Waits for the first change after a version. */
  readonly changed: (path: string, resourceVersion: string, signal: AbortSignal) => Promise<void>
}

/** The cluster refused the request; callers omit the refused part. */
export class Refused extends CommandFailure {
  constructor(message: string, hint: string) {
    super("unreadable", message, { hint })
  }
}

interface Answer {
  readonly status: number
  readonly body: Json.Fields
}

const messageOf = (body: Json.Fields): string => {
  const message = Json.text(body.message)
  return message === undefined || message === "" ? "" : `: ${message}`
}

const refusal = ({ status, body }: Answer, shown: string, path: string): CommandFailure => {
  const said = `${shown} answered ${status} for ${path}${messageOf(body)}`
  if (status === 401) return unreadable(said, "the credential is expired or of another cluster")
  if (status === 403)
    return new Refused(said, "the account needs get, list and watch on pods and namespaces")
  return unreadable(said)
}

const envOf = (env: CommandContext["host"]["env"], { proxyUrl }: Cluster) =>
  proxyUrl === undefined ? env : { HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl }

const parsed = (bytes: ArrayBuffer): Json.Fields => {
  try {
    return Json.object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    // WHY: an error page of a proxy has no message, and its status is enough.
    return {}
  }
}

const withQuery = (path: string, query: { readonly [name: string]: string }): string =>
  `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(query)}`

type Get = (path: string) => Promise<Answer>

/** Reads a whole list once; undefined if it expired between pages. */
const pagesOf = async (get: Get, shown: string, path: string): Promise<Listing | undefined> => {
  const items: Array<Json.Fields> = []
  let next = ""
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { limit: String(PAGE_SIZE), ...(next === "" ? {} : { continue: next }) }
    const answer = await get(withQuery(path, query))
    if (answer.status === 410) return undefined
    if (answer.status !== 200) throw refusal(answer, shown, path)
    const metadata = Json.object(answer.body.metadata)
    items.push(...Json.objects(answer.body.items))
    next = Json.text(metadata.continue) ?? ""
    if (next === "") return { items, resourceVersion: Json.text(metadata.resourceVersion) ?? "" }
  }
  throw unreadable(`${shown} has more than ${PAGES_MAX} pages of ${path}`)
}

const listOf = async (get: Get, shown: string, path: string): Promise<Listing> => {
  for (let attempt = 0; attempt <= RESTARTS_MAX; attempt++) {
    const listing = await pagesOf(get, shown, path)
    if (listing !== undefined) return listing
  }
  throw unreadable(`${shown}: the list ${path} expired ${RESTARTS_MAX + 1} times while it was read`)
}

/** The API of a cluster. */
export const make = async (context: CommandContext, cluster: Cluster): Promise<KubernetesApi> => {
  const { host, output } = context
  const { timeoutMs } = await context.settings()
  const { token, cert, key } = cluster.credential
  if (token !== undefined) output.hide(token)
  if (key !== undefined) output.hide(key)
  const options: NodeFetch.NodeFetchOptions = {
    env: envOf(host.env, cluster),
    certificates: undefined,
    tls: {
      ...cluster.tls,
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key })
    },
    onAttempt: ({ method, url, status, error }) =>
      output.trace(`${method} ${url.origin}${url.pathname} ${status ?? error}`)
  }
  const headers = {
    accept: "application/json",
    "user-agent": "attestry",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
  }
  const silent = (cause: unknown): CommandFailure => {
    const why = cause instanceof Error ? cause.message : String(cause)
    return unreadable(
      `${cluster.shown} (${cluster.server}) does not answer: ${why}`,
      undefined,
      cause
    )
  }
  const send = NodeFetch.make(options)
  const get: Get = async (path) => {
    const read = () =>
      send(`${cluster.server}${path}`, {
        method: "GET",
        headers,
        signal: AbortSignal.timeout(timeoutMs)
      })
    const answer = await BrokenSocket.repeatOnce(read).catch((cause: unknown) => {
      throw silent(cause)
    })
    return { status: answer.status, body: parsed(await answer.arrayBuffer()) }
  }
  const stream = NodeFetch.makeStreamed(options)
  return {
    shown: cluster.shown,
    list: (path) => listOf(get, cluster.shown, path),
    get: async (path) => {
      const answer = await get(path)
      if (answer.status === 404) return undefined
      if (answer.status !== 200) throw refusal(answer, cluster.shown, path)
      return answer.body
    },
    changed: async (path, resourceVersion, signal) => {
      const query = { watch: "true", resourceVersion, allowWatchBookmarks: "true" }
      const url = `${cluster.server}${withQuery(path, query)}`
      const answer = await stream(url, { method: "GET", headers, signal })
      try {
        if (answer.status !== 200)
          throw refusal({ status: answer.status, body: {} }, cluster.shown, path)
        await firstChange(answer.body)
      } finally {
        answer.close()
      }
    }
  }
}

/** Reads a stream of events up to the first that is not a bookmark; the end of the stream counts as a change. */
const firstChange = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (line !== "" && !/"type":\s*"BOOKMARK"/.test(line)) return
  }
}

/**
 * Requests on `node:http`: proxies, certificates, no redirects, limited answers. It is a `fetch` for `PlainCalls` and
 * `PromiseClient`, and `NodeHttpClient` is made of it.
 *
 * WHY not the global `fetch`: it costs the start of a program more time than everything else together.
 */
import { once } from "node:events"
import * as http from "node:http"
import type * as https from "node:https"
import { isIP } from "node:net"
import type { Duplex } from "node:stream"
import type { PlainFetch } from "@attestry/client/PlainCalls"
import { CertificateFault, faultOf, look } from "./CertificateFault.js"
import * as HttpProxy from "./HttpProxy.js"

/** The settings of requests. */
export interface NodeFetchOptions {
  readonly env: { readonly [name: string]: string | undefined }
  /** Certificates that are trusted beside the usual ones, as PEM. */
  readonly certificates: string | undefined
  /** The certificates for a service that has its own, instead of the usual ones. */
  readonly tls?: ServiceTls
  /** Sees each attempt: its status, or why it has none. */
  readonly onAttempt?: (attempt: Attempt) => void
}

/** The certificates of a service that has its own, and of this side. */
export interface ServiceTls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
}

/** An answer whose body is read as it comes. */
export interface StreamedAnswer {
  readonly status: number
  readonly headers: { readonly get: (name: string) => string | null }
  /** Every header, in the order of arrival. */
  readonly headerList: ReadonlyArray<readonly [string, string]>
  readonly body: AsyncIterable<Uint8Array>
  /** Aborts the rest of the body. */
  readonly close: () => void
}

/** One attempt of a request. */
export interface Attempt {
  readonly method: string
  readonly url: URL
  readonly proxy: HttpProxy.HttpProxy | undefined
  readonly status: number | undefined
  readonly error: unknown
}

/** The most bytes of an answer. */
export const ANSWER_BYTES_MAX = 268_435_456

type Answer = Awaited<ReturnType<PlainFetch>>

interface Outgoing {
  readonly url: URL
  readonly init: RequestInit
  readonly proxy: HttpProxy.HttpProxy | undefined
}

const headersOf = ({ headers }: RequestInit): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]))

/** A socket through a proxy, to a host that is then spoken to over TLS. */
const tunnel = async ({ url, init }: Outgoing, proxy: HttpProxy.HttpProxy): Promise<Duplex> => {
  const target = `${url.hostname}:${url.port || "443"}`
  const request = http.request({
    host: proxy.url.hostname,
    port: proxy.url.port || 80,
    method: "CONNECT",
    path: target,
    headers: {
      host: target,
      ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization })
    },
    ...(init.signal == null ? {} : { signal: init.signal })
  })
  request.end()
  const [response, socket]: ReadonlyArray<unknown> = await once(request, "connect")
  // WHY: the types of events do not have the arguments of `connect`.
  const answer = response as http.IncomingMessage
  if (answer.statusCode === 200) return socket as Duplex
  throw new Error(`the proxy ${proxy.shown} answered ${answer.statusCode}`)
}

const requestOptions = async (
  outgoing: Outgoing,
  { certificates, tls: own }: NodeFetchOptions
): Promise<https.RequestOptions> => {
  const { url, init, proxy } = outgoing
  const common = {
    method: init.method ?? "GET",
    headers: headersOf(init),
    ...(init.signal == null ? {} : { signal: init.signal })
  }
  const path = `${url.pathname}${url.search}`
  const host = url.hostname.replace(/^\[|\]$/g, "")
  if (url.protocol === "http:" && proxy === undefined)
    return { ...common, host, port: url.port || 80, path }
  if (url.protocol === "http:" && proxy !== undefined) {
    const headers = {
      ...common.headers,
      host: url.host,
      ...(proxy.authorization === undefined ? {} : { "proxy-authorization": proxy.authorization })
    }
    return {
      ...common,
      headers,
      host: proxy.url.hostname,
      port: proxy.url.port || 80,
      path: url.href
    }
  }
  const tls = await import("node:tls")
  const usual = certificates === undefined ? {} : { ca: [...tls.rootCertificates, certificates] }
  const trusted = { ...usual, ...own }
  // WHY empty for an address: names alone are sent, and the certificate is held against `host`.
  const servername = own?.servername ?? (isIP(host) === 0 ? host : "")
  const socket = proxy === undefined ? undefined : await tunnel(outgoing, proxy)
  return {
    ...common,
    ...trusted,
    host,
    port: url.port || 443,
    path,
    servername,
    ...(socket === undefined
      ? {}
      : { createConnection: () => tls.connect({ socket, host, servername, ...trusted }) })
  }
}

const writeBody = async (request: http.ClientRequest, body: RequestInit["body"]): Promise<void> => {
  if (body == null) request.end()
  else if (typeof body === "string") request.end(body)
  else if (body instanceof Blob) request.end(Buffer.from(await body.arrayBuffer()))
  else if (body instanceof ReadableStream) {
    for await (const piece of body) if (!request.write(piece)) await once(request, "drain")
    request.end()
  } else throw new Error("the body of a request has a form that is not sent")
}

const read = async (response: http.IncomingMessage): Promise<ArrayBuffer> => {
  const pieces: Array<Buffer> = []
  let size = 0
  for await (const piece of response) {
    size += piece.length
    if (size > ANSWER_BYTES_MAX)
      throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`)
    pieces.push(piece)
  }
  const whole = Buffer.concat(pieces)
  return whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.byteLength)
}

const headerOf =
  (response: http.IncomingMessage) =>
  (name: string): string | null => {
    const value = response.headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }

const answerOf = async (response: http.IncomingMessage): Promise<Answer> => {
  const bytes = await read(response)
  return {
    status: response.statusCode ?? 0,
    headers: { get: headerOf(response) },
    arrayBuffer: async () => bytes
  }
}

/** The error of a request, with the fault of the server's certificate where that is not accepted. */
const explained = async (outgoing: Outgoing, error: unknown): Promise<unknown> => {
  if (!(error instanceof Error) || faultOf(error) === undefined) return error
  const { url, proxy } = outgoing
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const socket = proxy === undefined ? undefined : await tunnel(outgoing, proxy)
  const servername = isIP(host) === 0 ? host : ""
  const found = await look({ host, port: Number(url.port || 443), servername, socket })
  return new CertificateFault(error, host, found)
}

const exchange = async (
  outgoing: Outgoing,
  options: NodeFetchOptions
): Promise<http.IncomingMessage> => {
  const settings = await requestOptions(outgoing, options)
  const isSecure = outgoing.url.protocol === "https:"
  const request = isSecure ? (await import("node:https")).request(settings) : http.request(settings)
  const responded = once(request, "response")
  // WHY: both are awaited below; one that fails first must not leave the other without a listener.
  responded.catch(() => {})
  const { body, headers } = outgoing.init
  const length = typeof body === "string" ? Buffer.byteLength(body) : undefined
  if (length !== undefined && headers !== undefined) request.setHeader("content-length", length)
  // WHY a race: a server may refuse before it has read the body, and then reads no more of it.
  const written = writeBody(request, body).then(() => responded)
  written.catch(() => {})
  const [response] = await Promise.race([responded, written])
  request.on("error", () => {})
  response.once("close", () => {
    if (!request.writableFinished) request.destroy(new Error("the server has answered already"))
  })
  return response
}

const respond = async (
  outgoing: Outgoing,
  options: NodeFetchOptions
): Promise<http.IncomingMessage> => {
  try {
    return await exchange(outgoing, options)
  } catch (error) {
    throw await explained(outgoing, error)
  }
}

/** Tells an attempt, whatever becomes of it. */
const observed = async <A extends { readonly status: number }>(
  { onAttempt }: NodeFetchOptions,
  { url, init, proxy }: Outgoing,
  answer: Promise<A>
): Promise<A> => {
  const attempt = { method: init.method ?? "GET", url, proxy }
  try {
    const { status } = await answer
    onAttempt?.({ ...attempt, status, error: undefined })
  } catch (error) {
    onAttempt?.({ ...attempt, status: undefined, error })
  }
  return answer
}

const outgoingOf = (text: string, init: RequestInit, { env }: NodeFetchOptions): Outgoing => {
  const url = new URL(text)
  return { url, init, proxy: HttpProxy.of(url, env) }
}

/** Sends a request. */
export type Send = PlainFetch

/** The part of `fetch` that the client needs. */
export const make =
  (options: NodeFetchOptions): Send =>
  async (text, init) => {
    const outgoing = outgoingOf(text, init, options)
    return observed(options, outgoing, respond(outgoing, options).then(answerOf))
  }

const streamedOf = (response: http.IncomingMessage): StreamedAnswer => ({
  status: response.statusCode ?? 0,
  headers: { get: headerOf(response) },
  headerList: response.rawHeaders.flatMap((name, at, all) =>
    at % 2 === 0 ? [[name, all[at + 1] ?? ""] as const] : []
  ),
  body: response,
  close: () => response.destroy()
})

/** The same, with a body that is read as it comes and has no limit. */
export const makeStreamed =
  (options: NodeFetchOptions) =>
  async (text: string, init: RequestInit): Promise<StreamedAnswer> => {
    const outgoing = outgoingOf(text, init, options)
    return observed(options, outgoing, respond(outgoing, options).then(streamedOf))
  }

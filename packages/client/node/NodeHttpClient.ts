/**
 * The `HttpClient` of Effects on `node:http`: proxies of the usual variables, certificates beside the usual ones, no
 * redirects, bodies that stream both ways, and requests that end when their fiber is interrupted.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import { RequestError } from "@effect/platform/HttpClientError"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as NodeFetch from "./NodeFetch.js"

/** Answers that have no body by their status; a `Response` refuses to have one. */
const WITHOUT_BODY = [204, 205, 304]

const failed = (request: HttpClientRequest.HttpClientRequest, cause: unknown): RequestError =>
  new RequestError({ request, reason: "Transport", cause })

interface Content {
  readonly body: BodyInit | null
  readonly contentType: string | undefined
}

/** The body of a request in a form that `NodeFetch` sends, with its type. */
const contentOf = ({ body }: HttpClientRequest.HttpClientRequest): Content => {
  switch (body._tag) {
    case "Empty":
      return { body: null, contentType: undefined }
    case "Raw":
      return { body: String(body.body), contentType: body.contentType }
    case "Uint8Array":
      return { body: new Blob([new Uint8Array(body.body)]), contentType: body.contentType }
    case "FormData": {
      // WHY a response: it writes a form, and knows the boundary of its parts.
      const form = new Response(body.formData)
      return { body: form.body, contentType: form.headers.get("content-type") ?? undefined }
    }
    case "Stream":
      return { body: Stream.toReadableStream(body.stream), contentType: body.contentType }
  }
}

const initOf = (request: HttpClientRequest.HttpClientRequest, signal: AbortSignal): RequestInit => {
  const { body, contentType } = contentOf(request)
  const type = contentType === undefined ? {} : { "content-type": contentType }
  return { method: request.method, headers: { ...request.headers, ...type }, body, signal }
}

const streamOf = (body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const pieces = body[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      const piece = await pieces.next()
      if (piece.done === true) controller.close()
      else controller.enqueue(piece.value)
    },
    cancel: async () => {
      await pieces.return?.()
    }
  })
}

const answerOf = (answer: NodeFetch.StreamedAnswer): Response => {
  const isEmpty = WITHOUT_BODY.includes(answer.status)
  if (isEmpty) answer.close()
  return new Response(isEmpty ? null : streamOf(answer.body), {
    status: answer.status,
    headers: answer.headerList.map(([name, value]) => [name, value])
  })
}

/** The client. */
export const make = (options: NodeFetch.NodeFetchOptions): HttpClient.HttpClient => {
  const send = NodeFetch.makeStreamed(options)
  return HttpClient.make((request, url, signal) =>
    Effect.tryPromise({
      try: () => send(url.href, initOf(request, signal)),
      catch: (cause) => failed(request, cause)
    }).pipe(Effect.map((answer) => HttpClientResponse.fromWeb(request, answerOf(answer))))
  )
}

/** The client as a layer. */
export const layer = (options: NodeFetch.NodeFetchOptions): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(HttpClient.HttpClient, make(options))

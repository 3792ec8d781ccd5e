/** One attempt of a call whose answer comes in lines of JSON; its limit of time is for each piece. */
import * as Duration from "effect/Duration"
import { type AttestryError, clientError } from "../AttestryError.js"
import * as PlainAnswer from "./PlainAnswer.js"
import type { PlainOperation } from "./PlainOperation.js"
import { failure, type PlainTransportOptions, type Sending } from "./PlainTransport.js"

/** A refusal with the delay that it asks for. */
export class Refused {
  constructor(
    readonly error: unknown,
    readonly status: number,
    readonly retryAfter: string | undefined
  ) {}
}

type Body = Awaited<ReturnType<PlainTransportOptions["fetch"]>>

async function* piecesOf(response: Body): AsyncGenerator<Uint8Array> {
  const { body } = response
  if (body === undefined || body === null) {
    yield new Uint8Array(await response.arrayBuffer())
    return
  }
  // WHY a reader: not every browser iterates a stream.
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const undecodable = (operation: string): AttestryError =>
  clientError(operation, { reason: "Decode", detail: "the answer has a line that is no JSON" })

const parsed = (operation: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // WHY: the reason would quote the body.
    throw undecodable(operation)
  }
}

async function* linesOf(
  operation: string,
  pieces: AsyncIterable<Uint8Array>
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const piece of pieces) {
    const parts = (rest + decoder.decode(piece, { stream: true })).split("\n")
    rest = parts.pop() ?? ""
    for (const part of parts) if (part.trim() !== "") yield parsed(operation, part)
  }
  if (rest.trim() !== "") yield parsed(operation, rest)
}

/** A signal that ends with another one, or when nothing has come for a time. */
const watched = (millis: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController()
  const end = () => controller.abort(signal?.reason)
  let isLate = false
  const late = () => {
    isLate = true
    controller.abort()
  }
  let timer = setTimeout(late, millis)
  signal?.addEventListener("abort", end, { once: true })
  return {
    signal: controller.signal,
    isLate: () => isLate,
    pause: () => clearTimeout(timer),
    again: () => {
      clearTimeout(timer)
      timer = setTimeout(late, millis)
    },
    done: () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      controller.abort()
    }
  }
}

/** The lines of one attempt; throws `Refused` for a refusal, and an error of the client for a broken connection. */
export async function* lines(
  { fetch, timeout }: Pick<PlainTransportOptions, "fetch" | "timeout">,
  operation: PlainOperation,
  sending: Sending
): AsyncGenerator<unknown> {
  sending.signal?.throwIfAborted()
  const watch = watched(Duration.toMillis(timeout), sending.signal)
  try {
    const { headers, ...body } = sending.body()
    const response = await fetch(sending.url, {
      method: sending.method,
      headers: { ...sending.headers, ...headers },
      signal: watch.signal,
      ...body
    })
    if (response.status !== 200) {
      const bytes = new Uint8Array(await response.arrayBuffer())
      const arrived = { status: response.status, headers: response.headers, bytes }
      throw new Refused(
        PlainAnswer.refusal(operation, arrived),
        response.status,
        response.headers.get("retry-after") ?? undefined
      )
    }
    for await (const line of linesOf(operation.name, piecesOf(response))) {
      // WHY: the time that a caller needs for a line is not silence of the server.
      watch.pause()
      yield line
      watch.again()
    }
  } catch (cause) {
    sending.signal?.throwIfAborted()
    if (cause instanceof Refused || PlainAnswer.isOwn(cause)) throw cause
    const late = watch.isLate() ? Duration.format(Duration.decode(timeout)) : undefined
    throw failure(sending, cause, late)
  } finally {
    watch.done()
  }
}

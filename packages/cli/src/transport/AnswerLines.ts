/** Reads an answer that streams lines of JSON. Silence and a broken connection are failures. */
import type * as NodeFetch from "@attestry/client/node/NodeFetch"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"

/** The media type of streamed lines. */
export const MEDIA_TYPE = "application/x-ndjson"

/** The maximum length of a line. */
export const LINE_LENGTH_MAX = 16_777_216

/** The request for a stream of lines. */
export interface LineRequest {
  readonly operation: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly payload: unknown
  readonly send: (url: string, init: RequestInit) => Promise<NodeFetch.StreamedAnswer>
  /** The time limit for the first chunk and between chunks. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The failure of an error answer, from its whole body. */
  readonly refused: (answer: NodeFetch.StreamedAnswer, text: string) => Promise<CommandFailure>
}

const broken = ({ operation }: LineRequest, why: string, cause?: unknown): CommandFailure =>
  new CommandFailure("unanswered", `the answer broke off: ${why}`, { operation, cause })

const parsed = (request: LineRequest, line: string): Json.Fields => {
  try {
    const value: unknown = JSON.parse(line)
    if (Json.isObject(value)) return value
  } catch (cause) {
    throw broken(request, "a line is no JSON", cause)
  }
  throw broken(request, "a line is no object")
}

/** A signal that aborts together with another one, or after a silence. */
const watchdog = ({ signal, timeoutMs }: LineRequest) => {
  const controller = new AbortController()
  const stop = () => controller.abort(signal.reason)
  signal.addEventListener("abort", stop, { once: true })
  const silence = new Error(`nothing came for ${timeoutMs} ms`)
  const start = () => setTimeout(() => controller.abort(silence), timeoutMs)
  const state = { timer: start() }
  return {
    signal: controller.signal,
    restart: () => {
      clearTimeout(state.timer)
      state.timer = start()
    },
    end: () => {
      clearTimeout(state.timer)
      signal.removeEventListener("abort", stop)
    }
  }
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString("utf8")
}

/** The complete lines of a text, and the incomplete rest. */
const split = (request: LineRequest, text: string): readonly [ReadonlyArray<string>, string] => {
  const lines = text.split("\n")
  const rest = lines.pop() ?? ""
  if (rest.length > LINE_LENGTH_MAX) throw broken(request, "a line is too long")
  return [lines.filter((line) => line !== ""), rest]
}

/** Yields the lines; drops an incomplete last line. */
export async function* read(request: LineRequest): AsyncGenerator<Json.Fields> {
  const dog = watchdog(request)
  try {
    const answer = await request.send(request.url, {
      method: "POST",
      headers: { ...request.headers, accept: MEDIA_TYPE, "content-type": "application/json" },
      body: JSON.stringify(request.payload),
      signal: dog.signal
    })
    if (answer.status !== 200) throw await request.refused(answer, await textOf(answer.body))
    const decoder = new TextDecoder()
    let rest = ""
    for await (const piece of answer.body) {
      dog.restart()
      const [lines, left] = split(request, rest + decoder.decode(piece, { stream: true }))
      rest = left
      for (const line of lines) yield parsed(request, line)
    }
    if (rest !== "") throw broken(request, "its last line has no end")
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    if (error instanceof CommandFailure) throw error
    const cause = dog.signal.aborted ? dog.signal.reason : error
    throw broken(request, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    dog.end()
  }
}

/** Reads the body of an answer as it arrives. Silence and a broken connection are failures. */
import type * as NodeFetch from "@attestry/client/node/NodeFetch"
import { CommandFailure } from "../shared/CommandFailure.js"

/** A request whose answer is streamed. */
export interface StreamRequest {
  readonly operation: string
  readonly url: string
  readonly init: RequestInit
  readonly send: (url: string, init: RequestInit) => Promise<NodeFetch.StreamedAnswer>
  /** The time limit for the first chunk and between chunks. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Is told of an answer before its body is read. */
  readonly answered: (answer: NodeFetch.StreamedAnswer) => Promise<void>
  /** The failure of an error answer, from its whole body. */
  readonly refused: (answer: NodeFetch.StreamedAnswer, text: string) => Promise<CommandFailure>
}

/** The failure of an answer that did not arrive whole. */
export const broken = (
  { operation }: Pick<StreamRequest, "operation">,
  why: string,
  cause?: unknown
): CommandFailure =>
  new CommandFailure("unanswered", `the answer broke off: ${why}`, { operation, cause })

/** A signal that aborts together with another one, or after a silence. */
const watchdog = ({ signal, timeoutMs }: StreamRequest) => {
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

/** Yields the chunks of the body. */
export async function* read(request: StreamRequest): AsyncGenerator<Uint8Array> {
  const dog = watchdog(request)
  try {
    const answer = await request.send(request.url, { ...request.init, signal: dog.signal })
    if (answer.status !== 200) throw await request.refused(answer, await textOf(answer.body))
    await request.answered(answer)
    dog.restart()
    for await (const piece of answer.body) {
      dog.restart()
      yield piece
    }
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    if (error instanceof CommandFailure) throw error
    const cause = dog.signal.aborted ? dog.signal.reason : error
    throw broken(request, cause instanceof Error ? cause.message : String(cause), cause)
  } finally {
    dog.end()
  }
}

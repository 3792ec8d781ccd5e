/** A server in front of the deployment, which counts requests and can be gone. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** The server in front. */
export interface Front {
  readonly url: string
  /** The paths that were asked for, without queries. */
  readonly paths: Array<string>
  readonly state: { isGone: boolean; waitMs: number; refused: number }
  /** How often a path with this text in it was asked for. */
  readonly count: (text: string) => number
  readonly stop: () => void
}

const bytesOf = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const pieces: Array<Buffer> = []
  for await (const piece of stream) if (Buffer.isBuffer(piece)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Starts the server. */
export const start = async (target: () => string): Promise<Front> => {
  const paths: Array<string> = []
  const state = { isGone: false, waitMs: 0, refused: 0 }
  const server = createServer(async (request, response) => {
    const { headers, method = "GET", url = "/" } = request
    if (state.isGone) {
      state.refused++
      return request.socket.destroy()
    }
    paths.push(url.split("?")[0] ?? "")
    const body = await bytesOf(request)
    const given = Object.entries(headers).filter(([name]) =>
      /^(?:authorization|content-type|idempotency-key|prefer|accept)$/.test(name)
    )
    const answer = await fetch(`${target()}${url}`, {
      method,
      headers: given.map(([name, value]): [string, string] => [name, String(value)]),
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) })
    })
    await new Promise((resolve) => setTimeout(resolve, state.waitMs))
    const type = answer.headers.get("content-type")
    response.writeHead(answer.status, type === null ? {} : { "content-type": type })
    return response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    paths,
    state,
    count: (text) => paths.filter((path) => path.includes(text)).length,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

/** A server that answers as a test says, on a real socket. */
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"

/** An answer. */
export interface StubAnswer {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
  /** Says nothing at all. */
  readonly hangs?: boolean
  /** Breaks the connection. */
  readonly breaks?: boolean
}

/** A server under a test's control. */
export interface StubServer {
  readonly url: string
  readonly requests: ReadonlyArray<IncomingMessage>
  readonly stop: () => Promise<void>
}

/** Starts a server. */
export const start = async (
  answer: (request: IncomingMessage) => StubAnswer
): Promise<StubServer> => {
  const requests: Array<IncomingMessage> = []
  const server: Server = createServer((request, response) => {
    requests.push(request)
    const { status = 200, headers = {}, body = "", hangs, breaks } = answer(request)
    if (breaks === true) request.socket.destroy()
    else if (hangs !== true) {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(body)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** Receives webhooks on loopback and records them; a function decides about the responses. */
import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../notifier/test/fixture/${name}`, import.meta.url))

/** The certificate of the receiver, for 127.0.0.1. */
export const certificateFile = fixture("receiver.cert.pem")

/** One request that reached the receiver. */
export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The status of a response, by the request and the number of earlier ones on its path; `undefined` means silence. */
export type Answer = (path: string, turn: number) => number | undefined

/** Starts a receiver. */
export const receive = async (answer: Answer = () => 204) => {
  const received: Array<Received> = []
  const turns = new Map<string, number>()
  const server = createServer(
    {
      cert: readFileSync(certificateFile),
      key: readFileSync(fixture("receiver.key.pem"))
    },
    (request, response) => {
      const { headers, url: path = "" } = request
      const chunks: Array<Buffer> = []
      request.on("error", () => {})
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8")
        received.push({ path, id: String(headers["webhook-id"]), headers, body })
        const turn = turns.get(path) ?? 0
        turns.set(path, turn + 1)
        const status = answer(path, turn)
        if (status !== undefined) response.writeHead(status).end()
      })
    }
  )
  server.keepAliveTimeout = 0
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready))
  const { port } = server.address() as AddressInfo
  return {
    received,
    url: (path: string) => `https://127.0.0.1:${port}/${path}`,
    /** The ids of the requests to a path, in order. */
    idsAt: (path: string) =>
      received.filter((each) => each.path === `/${path}`).map(({ id }) => id),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((closed) => server.close(() => closed()))
    }
  }
}

/** Waits until the condition holds, at most two minutes. */
export const until = async (condition: () => boolean | Promise<boolean>) => {
  for (let tries = 0; tries < 6_000; tries++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error("it did not come about in time")
}

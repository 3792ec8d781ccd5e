/** An HTTPS receiver of webhooks on loopback that records its requests. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

/** A file of the certificate of the notifier's tests. */
export const fixture = (name: string) =>
  join(import.meta.dirname, "../../../notifier/test/fixture", `receiver.${name}.pem`)

/** One recorded request. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [name: string]: unknown }
}

/** A listening receiver. */
export interface Receiver {
  readonly url: string
  /** The status of every response. */
  status: number
  readonly received: Array<Received>
  /** Waits until the condition holds for the recorded requests. */
  readonly until: (condition: (received: ReadonlyArray<Received>) => boolean) => Promise<void>
}

/** An HTTPS receiver on loopback. */
export const withReceiver = async <A>(use: (receiver: Receiver) => Promise<A>): Promise<A> => {
  const credentials = { cert: readFileSync(fixture("cert")), key: readFileSync(fixture("key")) }
  const server = createServer(credentials, async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    received.push({ headers: request.headers, body: JSON.parse(text) })
    response.writeHead(receiver.status).end()
    server.emit("received")
  })
  const received: Array<Received> = []
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `https://127.0.0.1:${port}/hook`,
    status: 200,
    received,
    until: async (condition) => {
      while (!condition(received)) await once(server, "received")
    }
  }
  try {
    return await use(receiver)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The ids of the deliveries, in order. */
export const idsOf = (received: ReadonlyArray<Received>) =>
  received.map(({ headers }) => headers["webhook-id"])

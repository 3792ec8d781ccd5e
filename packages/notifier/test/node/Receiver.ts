/** HTTPS and TCP receivers on loopback that record their requests. */
import { readFileSync } from "node:fs"
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import * as Net from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const fixture = (name: string) => fileURLToPath(new URL(`../fixture/${name}`, import.meta.url))

/** The file of the certificate of every receiver. */
export const certificateFile = fixture("receiver.cert.pem")

/** The certificate of every receiver: `hooks.attestry.example`, `127.0.0.1` and `::1`. */
export const certificate = readFileSync(certificateFile, "utf8")

const credentials = { cert: certificate, key: readFileSync(fixture("receiver.key.pem"), "utf8") }

/** One recorded request. */
export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly servername: unknown
}

/** A listening receiver. */
export interface Receiver {
  readonly host: string
  readonly port: number
  readonly received: Array<Received>
  /** Sockets that were opened, and those still open. */
  readonly connections: { opened: number; open: number }
  /** Waits until the condition holds; checks it after each change of a socket or a request. */
  readonly until: (condition: () => boolean) => Effect.Effect<void>
}

/** Answers one request; `turn` is the number of the request on its connection, from 1. */
export type Answer = (
  response: ServerResponse,
  context: { readonly request: IncomingMessage; readonly turn: number }
) => void

const until = (server: Net.Server) => (condition: () => boolean) =>
  Effect.async<void>((resume) => {
    const look = () => {
      if (!condition()) return
      server.off("change", look)
      resume(Effect.void)
    }
    server.on("change", look)
    look()
  })

const listen = (server: Net.Server, host: string, port: number) => {
  const sockets = new Set<Net.Socket>()
  const connections = { opened: 0, open: 0 }
  server.on("connection", (socket) => {
    sockets.add(socket)
    connections.opened += 1
    connections.open += 1
    server.emit("change")
    socket.on("error", () => {})
    socket.on("close", () => {
      sockets.delete(socket)
      connections.open -= 1
      server.emit("change")
    })
  })
  return Effect.acquireRelease(
    Effect.async<Omit<Receiver, "received">>((resume) => {
      server.listen(port, host, () => {
        const address = server.address()
        resume(
          Effect.succeed({
            host,
            port: typeof address === "object" && address !== null ? address.port : 0,
            connections,
            until: until(server)
          })
        )
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resume(Effect.void))
      })
  )
}

/** An HTTPS receiver; answers 204 by default. */
export const https = (
  answer: Answer = (response) => response.writeHead(204).end(),
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {}
) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const turns = new WeakMap<object, number>()
    const server = createServer(credentials, (request, response) => {
      const { headers, method, socket, url: path } = request
      const turn = (turns.get(socket) ?? 0) + 1
      turns.set(socket, turn)
      const chunks: Array<Buffer> = []
      request.on("error", () => {})
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const servername = "servername" in socket ? socket.servername : undefined
        const body = Buffer.concat(chunks).toString("utf8")
        received.push({ method, path, headers, body, servername })
        answer(response, { request, turn })
        server.emit("change")
      })
    })
    // WHY: the client, not the receiver, must close idle sockets in these tests.
    server.keepAliveTimeout = 0
    const listening = yield* listen(server, host, port)
    return { ...listening, received } satisfies Receiver
  })

/** A TLS receiver that answers every request with the given bytes. */
export const tls = (text: string) =>
  listen(
    createTlsServer(credentials, (socket) => {
      socket.on("error", () => {})
      socket.once("data", () => socket.write(text))
    }),
    "127.0.0.1",
    0
  )

/** A TCP receiver that never sends a byte. */
export const silent = (host = "127.0.0.1", port = 0) => listen(Net.createServer(), host, port)

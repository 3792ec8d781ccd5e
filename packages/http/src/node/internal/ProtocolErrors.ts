/**
 * Which answer does a request get that `node:http` cannot hand over: one that is malformed, too slow, or
 * that asks for something no HTTP server of ours does.
 *
 * Node's own answers have no body. These have the shape of every other refusal, and close the connection,
 * because what follows on it cannot be told apart from the rest of the malformed request.
 */
import * as Http from "node:http"
import type { Duplex } from "node:stream"

/** A refusal in the shape of all others, for the listener to send. */
export interface Refused {
  readonly status: number
  readonly message: string
}

const MALFORMED: Refused = { status: 400, message: "the request is not valid HTTP" }

const BY_CODE: ReadonlyMap<string, Refused> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    { status: 431, message: "the headers of the request have too many bytes" }
  ],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    { status: 413, message: "the chunk extensions of the body have too many bytes" }
  ],
  [
    "ERR_HTTP_REQUEST_TIMEOUT",
    { status: 408, message: "the request did not arrive within the time that is allowed" }
  ]
])

/** Writes a whole answer to a socket that has no response object, and closes it. */
const answer = (socket: Duplex, { status, message }: Refused): void => {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify({ message })
  socket.end(
    [
      `HTTP/1.1 ${status} ${Http.STATUS_CODES[status] ?? ""}`,
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body
    ].join("\r\n")
  )
}

/** A request that is refused for its `Host` header; nothing where it is not. RFC 9112 §3.2 */
export const hostRefusal = (
  httpVersion: string,
  hosts: ReadonlyArray<string>
): Refused | undefined => {
  if (hosts.length > 1) return { status: 400, message: "the request has more than one Host header" }
  return hosts.length === 0 && httpVersion === "1.1"
    ? { status: 400, message: "the request has no Host header" }
    : undefined
}

/** Answers what Node would refuse without a body, or not at all. */
export const attach = (server: Http.Server): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy()
    else answer(socket, BY_CODE.get(error.code ?? "") ?? MALFORMED)
  })
  server.on("checkExpectation", (_request, response: Http.ServerResponse) => {
    const body = JSON.stringify({ message: "the only expectation that is met is 100-continue" })
    response
      .writeHead(417, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        connection: "close"
      })
      .end(body)
  })
  server.on("connect", (_request, socket) =>
    answer(socket, { status: 405, message: "CONNECT is not allowed here: this is no proxy" })
  )
}

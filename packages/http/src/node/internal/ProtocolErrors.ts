/**
 * The responses to requests that `node:http` does not pass to a listener: malformed, too slow, or with a method or
 * expectation that is not supported.
 *
 * Node's own responses have no body. These have the body of every error response, and close the connection, because
 * the end of a malformed request is not known.
 */
import * as Http from "node:http"
import type { Duplex } from "node:stream"

/** The status and the message of an error response. */
export interface ProtocolError {
  readonly status: number
  readonly message: string
}

const MALFORMED: ProtocolError = { status: 400, message: "the request is not valid HTTP" }

const BY_CODE: ReadonlyMap<string, ProtocolError> = new Map([
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

/** Writes a whole response to a socket without a response object, and closes it. */
const respond = (socket: Duplex, { status, message }: ProtocolError): void => {
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

/** The error in the `Host` header of a request; undefined where there is none. RFC 9112 §3.2 */
export const hostError = (
  httpVersion: string,
  hosts: ReadonlyArray<string>
): ProtocolError | undefined => {
  if (hosts.length > 1) return { status: 400, message: "the request has more than one Host header" }
  return hosts.length === 0 && httpVersion === "1.1"
    ? { status: 400, message: "the request has no Host header" }
    : undefined
}

/** Adds these responses to a server. */
export const attach = (server: Http.Server): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET") socket.destroy()
    else respond(socket, BY_CODE.get(error.code ?? "") ?? MALFORMED)
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
    respond(socket, { status: 405, message: "CONNECT is not allowed here: this is no proxy" })
  )
}

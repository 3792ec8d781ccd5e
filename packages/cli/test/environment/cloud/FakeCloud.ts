/** A stand-in for a cloud's API on loopback: requests come with their bodies, and a test says the answers. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** A request to the cloud. */
export interface CloudRequest {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string | Array<string> | undefined }
  readonly body: string
}

/** An answer of the cloud. */
export interface CloudAnswer {
  readonly status?: number
  readonly body?: unknown
  readonly bytes?: Buffer
  readonly headers?: { readonly [name: string]: string }
}

/** A running cloud. */
export interface FakeCloud {
  readonly url: string
  readonly host: string
  readonly requests: Array<CloudRequest>
  answer: (request: CloudRequest) => CloudAnswer
  readonly stop: () => Promise<void>
}

const bytesOf = ({ bytes, body = {} }: CloudAnswer): Buffer | string =>
  bytes ?? (typeof body === "string" ? body : JSON.stringify(body))

/** Starts a cloud. */
export const start = async (): Promise<FakeCloud> => {
  const requests: Array<CloudRequest> = []
  const state: Pick<FakeCloud, "answer"> = { answer: () => ({ status: 404 }) }
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const asked: CloudRequest = {
        method: request.method ?? "",
        url: new URL(request.url ?? "", "http://cloud"),
        headers: request.headers,
        body: Buffer.concat(pieces).toString("utf8")
      }
      requests.push(asked)
      const answer = state.answer(asked)
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(bytesOf(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    url: `http://${host}`,
    host,
    requests,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  })
}

/**
 * Receives Attestry's webhooks: `ATTESTRY_WEBHOOK_SECRET=whsec_… node dist/main.js`.
 *
 * A receiver verifies the signature over the received bytes before it parses them. It remembers the id, because a
 * notification may arrive more than once. It responds before it processes, because the sender waits only seconds.
 */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import * as WebhookVerification from "@attestry/notifier/WebhookVerification"

const BYTES_MAX = 1_048_576
const IDS_MAX = 10_000

const secret = process.env.ATTESTRY_WEBHOOK_SECRET ?? ""

/** The body as text; `undefined` when it is longer than any notification. */
const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

/** Ids of earlier webhooks, up to a limit. A service with several processes stores them in its database. */
const seen = new Set<string>()

const isFirst = (id: string): boolean => {
  if (seen.has(id)) return false
  seen.add(id)
  const [oldest] = seen
  if (seen.size > IDS_MAX && oldest !== undefined) seen.delete(oldest)
  return true
}

const act = ({ id, payload }: WebhookVerification.Verified): void => {
  const place = "environment" in payload ? `${payload.org}/${payload.environment}` : payload.org
  console.log(`${payload.event_type} ${place}: ${payload.description} (${id})`)
}

const receive = async (request: IncomingMessage): Promise<number> => {
  const body = await read(request)
  if (body === undefined) return 413
  try {
    const verified = await WebhookVerification.verifyPromise({
      headers: request.headers,
      body,
      secret
    })
    if (isFirst(verified.id)) setImmediate(act, verified)
    return 204
  } catch (error) {
    if (!(error instanceof WebhookVerification.InvalidWebhook)) throw error
    console.error(`refused: ${error.message}`)
    return 401
  }
}

if (secret === "") {
  console.error("set ATTESTRY_WEBHOOK_SECRET to the org's signing secret")
  process.exitCode = 1
} else {
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      (error) => {
        console.error(error instanceof Error ? error.message : error)
        response.writeHead(500).end()
      }
    )
  })
  server.listen(Number(process.env.PORT ?? 8090), "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    console.log(`listening http://127.0.0.1:${port}`)
  })
}

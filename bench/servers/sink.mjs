/**
 * Receives webhooks over HTTPS and plain HTTP, and is the name server that leads to itself.
 *
 * A path that begins with `/dead` is never answered. Counts what it answered; a line on its input that
 * names a number is answered with `reached` as soon as so many have been answered since the last one.
 */
import { createSocket } from "node:dgram"
import { readFileSync } from "node:fs"
import { createServer as createPlainServer } from "node:http"
import { createServer } from "node:https"
import { createInterface } from "node:readline"

const fixture = (name) =>
  readFileSync(new URL(`../../packages/notifier/test/fixture/${name}`, import.meta.url))

let answered = 0
let wanted = Number.POSITIVE_INFINITY
const look = () => {
  if (answered < wanted) return
  answered -= wanted
  wanted = Number.POSITIVE_INFINITY
  process.stdout.write("reached\n")
}

const receive = (request, response) => {
  request.resume()
  request.on("end", () => {
    if (request.url.startsWith("/dead")) return
    response.writeHead(204).end()
    answered += 1
    look()
  })
}

const listen = (server) =>
  new Promise((ready) => {
    server.keepAliveTimeout = 0
    server.listen(0, "127.0.0.1", () => ready(server.address().port))
  })

/** Answers every A question with 127.0.0.1 and every other one with nothing. */
const answerQuestion = (message) => {
  const isA = message.readUInt16BE(message.indexOf(0, 12) + 1) === 1
  const question = message.subarray(12, message.indexOf(0, 12) + 5)
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(isA ? 1 : 0, 6)
  const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])
  return Buffer.concat(isA ? [head, question, answer] : [head, question])
}

const names = createSocket("udp4")
names.on("message", (message, { address, port }) =>
  names.send(answerQuestion(message), port, address)
)
await new Promise((ready) => names.bind(0, "127.0.0.1", ready))

const https = await listen(
  createServer({ cert: fixture("receiver.cert.pem"), key: fixture("receiver.key.pem") }, receive)
)
const http = await listen(createPlainServer(receive))

createInterface({ input: process.stdin }).on("line", (line) => {
  wanted = Number(line)
  look()
})
process.on("SIGTERM", () => process.exit(0))
process.stdout.write(`sink ${https} ${http} ${names.address().port}\n`)

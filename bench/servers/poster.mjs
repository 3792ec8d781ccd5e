/** The floor of a sender: `node:http` (or `node:https`), kept-alive, 32 in flight, and nothing else. */
import { readFileSync } from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import { createInterface } from "node:readline"

const [, , scheme, port, bytes] = process.argv
const { Agent, request } = scheme === "https" ? Https : Http
const IN_FLIGHT = 32
const agent = new Agent({
  keepAlive: true,
  maxSockets: IN_FLIGHT,
  ca: readFileSync(
    new URL("../../packages/notifier/test/fixture/receiver.cert.pem", import.meta.url)
  )
})
const body = "x".repeat(Number(bytes))
const headers = { "content-type": "application/json", "content-length": body.length }

const post = () =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      { agent, host: "127.0.0.1", port, method: "POST", path: "/hook", headers },
      (response) => {
        response.resume()
        response.once("end", resolve)
      }
    )
    outgoing.once("error", reject)
    outgoing.end(body)
  })

createInterface({ input: process.stdin }).on("line", async (line) => {
  let left = Number(line)
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left-- > 0) await post()
    })
  )
})
process.on("SIGTERM", () => process.exit(0))
process.stdout.write("ready\n")

/** A DNS server on loopback that answers A and AAAA queries from a function. */
import { createSocket } from "node:dgram"
import { Effect, Option } from "effect"
import * as AddressRange from "../../src/outbound/AddressRange.js"

/** A reply: addresses, a response code, or silence. */
export type Reply =
  | { readonly addresses: ReadonlyArray<string> }
  | { readonly code: "NXDOMAIN" | "SERVFAIL" }
  | "silence"

/** The reply to one query. */
export type Zone = (question: { readonly name: string; readonly type: "A" | "AAAA" }) => Reply

const codes = { NXDOMAIN: 3, SERVFAIL: 2 }

const readQuestion = (message: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString("latin1"))
    at += 1 + length
  }
  const type = message.readUInt16BE(at + 1) === 28 ? ("AAAA" as const) : ("A" as const)
  return { name: labels.join(".").toLowerCase(), type, bytes: message.subarray(12, at + 5) }
}

const record = (type: "A" | "AAAA", text: string): Buffer => {
  const address = Buffer.from(Option.getOrThrow(AddressRange.parse(text)))
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type === "A" ? 1 : 28, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(address.length, 10)
  return Buffer.concat([head, address])
}

const respond = (message: Buffer, zone: Zone): Buffer | undefined => {
  const { bytes, name, type } = readQuestion(message)
  const reply = zone({ name, type })
  if (reply === "silence") return undefined
  const addresses = "addresses" in reply ? reply.addresses : []
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | ("code" in reply ? codes[reply.code] : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(addresses.length, 6)
  return Buffer.concat([head, bytes, ...addresses.map((text) => record(type, text))])
}

/** Starts the server; the result is the value of the `resolver` option. */
export const make = (zone: Zone) =>
  Effect.acquireRelease(
    Effect.async<{ readonly resolver: string; readonly close: () => void }>((resume) => {
      const socket = createSocket("udp4")
      socket.on("message", (message, { address, port }) => {
        const answer = respond(message, zone)
        if (answer !== undefined) socket.send(answer, port, address)
      })
      socket.bind(0, "127.0.0.1", () => {
        const resolver = `127.0.0.1:${socket.address().port}`
        resume(Effect.succeed({ resolver, close: () => socket.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ resolver }) => resolver))

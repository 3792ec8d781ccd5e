/** V-15: no hostile evidence file makes an answer of 500 or more, or holds the event loop of the server. */
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import * as Files from "../../../evidence-intake/test/shared/EvidenceFiles.js"
import { blockedBy } from "../../../http/test/shared/BlockedTime.js"
import { BOM, PEM, signed, statementOf, trustOf, withHost } from "./EvidenceHost.js"

const PAUSE_MAX_MS = 50

/** How often a file is sent at most. WHY the shortest of several: the first ones also compile the code. */
const TRIES = 5

const fill = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))

const json = (value: unknown): string => JSON.stringify(value)

const component = (index: number) => ({ name: "a", purl: `pkg:npm/a@${index}` })

const bomOf = (components: ReadonlyArray<unknown>) => json({ ...BOM, components })

const nested = (levels: number): string =>
  `{"bomFormat":"CycloneDX","specVersion":"1.6","components":${'[{"name":"a","components":'.repeat(
    levels
  )}[]${"}]".repeat(levels)}}`

const sarif = (results: ReadonlyArray<object>) =>
  json({ version: "2.1.0", runs: [{ tool: { driver: { name: "x" } }, results }] })

const subject = (index: number) => ({ digest: { sha256: index.toString(16).padStart(64, "0") } })

const COBERTURA = '<coverage line-rate="1" lines-covered="1" lines-valid="1"/>'

const tar = new Uint8Array(512)
tar.set(Files.bytesOf("ustar"), 257)

const envelope = signed(json(statementOf("a".repeat(64))))

/** The files of the table of hostile files. */
const FILES: ReadonlyMap<string, string | Uint8Array> = new Map<string, string | Uint8Array>([
  ["a million levels of JSON", "[".repeat(1_000_000)],
  ["a hundred thousand levels of XML", "<a>".repeat(100_000)],
  ["a bomb of gzip", gzipSync(new Uint8Array(256 * 1_024 * 1_024))],
  ["gzip in gzip", gzipSync(gzipSync(json(BOM)))],
  ["gzip that ends early", gzipSync(json(BOM)).subarray(0, 40)],
  ["an entity", `<!DOCTYPE a [<!ENTITY a "&a;&a;">]>${COBERTURA}`],
  ["an internal subset", `<!DOCTYPE a [<!ELEMENT a ANY>]>${COBERTURA}`],
  ["an external DTD", `<!DOCTYPE coverage SYSTEM "http://127.0.0.1:9/a.dtd">${COBERTURA}`],
  ["a DTD that is a file", `<!DOCTYPE coverage SYSTEM "file:///etc/passwd">${COBERTURA}`],
  [
    "names of prototypes",
    `{"bomFormat":"CycloneDX","specVersion":"1.5","__proto__":{"components":[{}]},"components":[
      {"__proto__":{"purl":"pkg:npm/a@1"},"name":"__proto__","purl":"pkg:constructor/__proto__@1"}]}`
  ],
  ["subjects that repeat", json(Files.statement({ subject: fill(100_000, () => subject(1)) }))],
  ["too many subjects", json(Files.statement({ subject: fill(300_000, subject) }))],
  ["an envelope of another type", json({ ...envelope, payloadType: "application/json" })],
  ["a payload with more bytes", json({ ...envelope, payload: `${envelope.payload}AAAA` })],
  ["base64 with line breaks", json({ ...envelope, payload: `${envelope.payload}\n` })],
  ["many signatures", json({ ...envelope, signatures: fill(100_000, () => ({ sig: "AAAA" })) })],
  ["a bundle without proofs", json(Files.bundle())],
  ["a bundle of a file", json(Files.fileBundle())],
  ["a component a hundred thousand times", bomOf(fill(100_000, () => component(1)))],
  ["as many components as are read", bomOf(fill(200_000, component))],
  ["too many components", bomOf(fill(200_001, component))],
  ["components ten thousand deep", nested(10_000)],
  ["a million results", sarif(fill(1_000_000, () => ({ ruleId: "r" })))],
  ["fifty thousand results", sarif(fill(50_000, (index) => ({ ruleId: `r${index}` })))],
  [
    "addresses outside",
    sarif([
      {
        locations: [
          { physicalLocation: { artifactLocation: { uri: "../../etc/passwd", uriBaseId: "R" } } }
        ]
      }
    ])
  ],
  [
    "a purl of fifty thousand segments",
    bomOf([{ name: "a", purl: `pkg:npm/${"a/".repeat(5e4)}b` }])
  ],
  ["UTF-16", Buffer.from(`\ufeff${json(BOM)}`, "utf16le")],
  ["half of a surrogate pair", Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ["an escaped surrogate", json({ ...BOM, x: "?" }).replace("?", "\\ud800")],
  ["NUL", json({ ...BOM, x: "?" }).replace("?", "\\u0000")],
  ["two kinds", json({ ...BOM, spdxVersion: "SPDX-2.3", _type: "a" })],
  ["a tar", tar],
  ["a zip", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0)],
  ["nothing", ""]
])

describe("V-15", () => {
  it("no hostile file fails the server or holds its event loop", { timeout: 600_000 }, () =>
    withHost(async ({ send, submit }) => {
      const trust_yaml = trustOf(PEM)
      assert.strictEqual((await send("PUT", "/trust-policy/{org}", { trust_yaml })).status, 201)
      const long: Array<readonly [string, number]> = []
      for (const [what, content] of FILES) {
        let least = Number.POSITIVE_INFINITY
        for (let count = 0; count < TRIES && least > PAUSE_MAX_MS; count++) {
          // WHY other bytes at each try: a file that the org has is not read again.
          const text = typeof content === "string" ? content + " ".repeat(count) : content
          const file = Uint8Array.from(Buffer.from(text))
          const query = `?flow_name=hostile&trail_name=t${count}`
          const [{ status }, blocked] = await blockedBy(() => submit(file, query))
          assert.isBelow(status, 500, what)
          process.stdout.write(`${what}: ${status}, ${Math.round(blocked)} ms\n`)
          least = Math.min(least, blocked)
        }
        if (least > PAUSE_MAX_MS) long.push([what, Math.round(least)])
      }
      assert.deepStrictEqual(long, [])
    })
  )
})

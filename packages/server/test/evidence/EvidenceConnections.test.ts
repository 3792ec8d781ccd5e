/** V-15: no evidence file makes the server open a connection, whatever addresses it has. */
import { once } from "node:events"
import { mkdtempSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { assert, describe, it } from "vitest"
import * as Files from "../../../evidence-intake/test/shared/EvidenceFiles.js"
import { BOM, PEM, signed, statementOf, trustOf, withHost } from "./EvidenceHost.js"

const SECRET = "text-of-a-local-file"

/** Runs a test with a socket that counts its connections. */
const withListener = async (
  use: (listener: { readonly port: number; readonly count: () => number }) => Promise<void>
): Promise<void> => {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  try {
    // WHY: `listen` with a host gives an address with a port.
    const { port } = server.address() as AddressInfo
    await use({ port, count: () => count })
  } finally {
    server.close()
  }
}

const json = (value: unknown): string => JSON.stringify(value)

const coverage = (head: string, attributes = "", content = ""): string =>
  `<?xml version="1.0"?>${head}<coverage line-rate="1" lines-covered="1" lines-valid="1" ` +
  `${attributes}>${content}</coverage>`

/** Files with an address in every place that a reader of their format may follow. */
const filesWith = (address: string): ReadonlyMap<string, string> =>
  new Map([
    ["an external DTD", coverage(`<!DOCTYPE coverage SYSTEM "${address}">`)],
    ["a public DTD", coverage(`<!DOCTYPE coverage PUBLIC "-//a" "${address}">`)],
    ["an external entity", coverage(`<!DOCTYPE a [<!ENTITY a SYSTEM "${address}">]>`, "", "&a;")],
    ["a parameter entity", coverage(`<!DOCTYPE a [<!ENTITY % a SYSTEM "${address}"> %a;]>`)],
    ["a style sheet", coverage(`<?xml-stylesheet href="${address}" type="text/xsl"?>`)],
    [
      "a place of a schema",
      coverage(
        "",
        `xmlns:x="http://www.w3.org/2001/XMLSchema-instance" x:noNamespaceSchemaLocation="${address}"`
      )
    ],
    [
      "an inclusion",
      coverage(
        "",
        'xmlns:i="http://www.w3.org/2001/XInclude"',
        `<i:include href="${address}" parse="text"/>`
      )
    ],
    [
      "addresses of a bill of materials",
      json({
        ...BOM,
        $schema: address,
        externalReferences: [{ type: "bom", url: address }],
        components: [
          {
            type: "library",
            name: "a",
            purl: `pkg:npm/a@1?repository_url=${encodeURIComponent(address)}`,
            externalReferences: [{ type: "distribution", url: address }],
            licenses: [{ license: { name: "a", url: address } }]
          }
        ]
      })
    ],
    [
      "addresses of results",
      json({
        $schema: address,
        version: "2.1.0",
        runs: [
          {
            tool: { driver: { name: "x", informationUri: address } },
            originalUriBaseIds: { R: { uri: address } },
            externalPropertyFileReferences: { results: [{ location: { uri: address } }] },
            results: [{ locations: [{ physicalLocation: { artifactLocation: { uri: address } } }] }]
          }
        ]
      })
    ],
    [
      "addresses of a statement",
      json(
        Files.provenanceStatement({
          subject: [
            {
              name: address,
              uri: address,
              downloadLocation: address,
              digest: { sha256: Files.SHA256 }
            }
          ]
        })
      )
    ],
    [
      "a signed statement",
      json(signed(json({ ...statementOf(Files.SHA256), predicate: { ...BOM, $schema: address } })))
    ],
    [
      "addresses of VEX",
      json(Files.openVex({ "@context": "https://openvex.dev/ns/v0.2.0", "@id": address }))
    ],
    ["a context at an address", json(Files.openVex({ "@context": address }))],
    ["a log at an address", json(Files.bundle({ baseUrl: address, rekorUrl: address }))]
  ])

describe("V-15", () => {
  it(
    "no file makes the server open a connection, or read a file of its own",
    { timeout: 120_000 },
    () =>
      withListener(async ({ count, port }) => {
        await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
        const before = count()
        assert.isAbove(before, 0, "the listener counts")
        const folder = mkdtempSync(join(tmpdir(), "attestry-local-"))
        const local = join(folder, "local.dtd")
        writeFileSync(local, SECRET)
        const addresses = [
          `http://127.0.0.1:${port}/a.dtd`,
          `https://127.0.0.1:${port}/a.dtd`,
          `ftp://127.0.0.1:${port}/a`,
          `//127.0.0.1:${port}/a`,
          pathToFileURL(local).href
        ]
        await withHost(async ({ send, submit }) => {
          const trust_yaml = trustOf(PEM)
          assert.strictEqual((await send("PUT", "/trust-policy/{org}", { trust_yaml })).status, 201)
          let accepted = 0
          for (const [at, address] of addresses.entries())
            for (const [what, file] of filesWith(address)) {
              const { body, status } = await submit(file, `?flow_name=hostile&trail_name=t${at}`)
              assert.isBelow(status, 500, `${what} with ${address}`)
              assert.notInclude(json(body), SECRET, what)
              accepted += status === 201 ? 1 : 0
            }
          // WHY: a file that is refused at its first byte proves nothing.
          assert.isAbove(accepted, 5 * addresses.length)
          const kept = await send("GET", "/evidence/{org}?per_page=100")
          assert.notInclude(json(kept.body), SECRET)
        })
        assert.strictEqual(count(), before)
      })
  )
})

/** V-18: files of each format, packed or not, are kept byte for byte and once. */
import { createHash } from "node:crypto"
import { gzipSync } from "node:zlib"
import { FastCheck } from "effect"
import { assert, describe, it } from "vitest"
import * as EveryFormat from "../../../evidence-intake/test/shared/EveryFormat.js"
import * as Files from "../../../evidence-intake/test/shared/EvidenceFiles.js"
import { withHost } from "./EvidenceHost.js"

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

/** Two documents of one file, and a line between them that is passed over. */
const LINES = [Files.statement(), { unknown: true }, Files.provenanceStatement()]
  .map((line) => JSON.stringify(line))
  .join("\r\n")

const spellings = FastCheck.sample(EveryFormat.spellings, { numRuns: 20, seed: 18 })

const files: ReadonlyArray<Uint8Array> = [
  ...EveryFormat.ALL.map(({ content }) => Files.bytesOf(content)),
  ...EveryFormat.ALL.map(({ content }) => gzipSync(Files.bytesOf(content))),
  ...spellings.map(({ changed }) => changed),
  Files.bytesOf(LINES)
]

describe("V-18", () => {
  it(
    "an accepted file is read back as it was sent, and the same bytes are one file",
    () =>
      withHost(async ({ raw, send, submit }) => {
        const digests = new Set<string>()
        for (const file of files) {
          const digest = sha256(file)
          // Files that name their subjects wait for artifacts; the others are about the trail.
          const query = "?flow_name=bytes&trail_name=t"
          const [named, waiting] = [await submit(file, query), await submit(file)]
          const status = Math.min(named.status, waiting.status)
          assert.oneOf(status, [200, 201], JSON.stringify([named.body, waiting.body]).slice(0, 500))
          assert.strictEqual(sha256(await raw(digest)), digest)
          assert.isTrue(Buffer.from(file).equals(await raw(digest)))
          digests.add(digest)
        }
        const { body } = await send("GET", "/evidence/{org}?per_page=100")
        const { documents } = body as {
          readonly documents: ReadonlyArray<{ readonly digest: string; readonly position: number }>
        }
        const places = documents.map(({ digest, position }) => `${digest} ${position}`)
        assert.strictEqual(new Set(places).size, places.length)
        assert.isAbove(digests.size, 2 * EveryFormat.ALL.length)
        assert.deepStrictEqual(new Set(documents.map(({ digest }) => digest)), digests)
      }),
    120_000
  )
})

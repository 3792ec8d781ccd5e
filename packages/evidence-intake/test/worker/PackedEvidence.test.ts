/** What was read comes back from a thread as it was, and every part of it is small. */
import * as Timestamp from "@attestry/core/Timestamp"
import { NONE } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as PackedEvidence from "../../src/internal/worker/PackedEvidence.js"
import { readFile } from "../../src/internal/worker/ReadFile.js"
import * as Files from "../shared/EvidenceFiles.js"

const now = Timestamp.fromMillis(0)

/** The evidence of a file as a thread reads it; null for a file that is refused. */
const readOf = (content: unknown) => {
  const task = { bytes: Files.bytesOf(content), trust: NONE, now }
  const result = readFile(task, { fileBytes: 33_554_432, roots: new Map() })
  return result._tag === "Read" ? result.evidence : null
}

const bom = (count: number) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: Array.from({ length: count }, (_, at) => ({
    name: "__proto__",
    purl: `pkg:npm/a@${at}`
  }))
})

const itself = async (evidence: NonNullable<ReturnType<typeof readOf>>) =>
  PackedEvidence.unpack(PackedEvidence.pack(evidence))

describe("packed evidence", () => {
  it("is what was read, with lists of one part and of many", async () => {
    for (const count of [0, 1, 2, 500, 1_000, 2_500]) {
      const evidence = readOf(bom(count))
      assert.strictEqual(evidence?.documents[0]?.components.length, count)
      if (evidence !== null) assert.deepStrictEqual(await itself(evidence), evidence)
    }
  })

  it("is what was read of several documents and ignored lines", async () => {
    const lines = [
      Files.statement(),
      bom(2_500),
      Files.openVex(),
      { nothing: true },
      Files.provenanceStatement()
    ]
    const evidence = readOf(lines.map((line) => JSON.stringify(line)).join("\n"))
    assert.isAbove(evidence?.documents.length ?? 0, 3)
    if (evidence !== null) assert.deepStrictEqual(await itself(evidence), evidence)
  })

  it("is what was read of every file", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(Files.mutated, async (content) => {
        const evidence = readOf(content)
        if (evidence !== null) assert.deepStrictEqual(await itself(evidence), evidence)
      })
    )
  })

  it("has small parts, each in memory of its own", () => {
    const evidence = readOf(bom(20_000))
    const item = JSON.stringify(evidence?.documents[0]?.components[0]).length
    const parts = evidence === null ? [] : PackedEvidence.pack(evidence)
    const lists = parts.slice(1, -1)
    assert.isAbove(lists.length, 15)
    // The brackets and commas of a part, and its last item, come on top of its length.
    const bytesMax = PackedEvidence.PART_LENGTH * 1.1 + 2 * item
    for (const { byteLength } of lists) assert.isBelow(byteLength, bytesMax)
    for (const { byteLength } of lists.slice(0, -1))
      assert.isAtLeast(byteLength, PackedEvidence.PART_LENGTH)
    assert.isTrue(parts.every(({ buffer, byteLength }) => buffer.byteLength === byteLength))
    assert.strictEqual(new Set(parts.map(({ buffer }) => buffer)).size, parts.length)
  })
})

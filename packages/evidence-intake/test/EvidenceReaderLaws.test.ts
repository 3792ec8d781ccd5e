/** V-1 to V-3 over a file of each format: recognising, reading and facts depend on the bytes alone. */
import { gzipSync } from "node:zlib"
import { BYTES_MAX, EvidenceFacts } from "@attestry/core/EvidenceFacts"
import { EvidenceReader as ReaderPort } from "@attestry/core/EvidenceReader"
import { OrgId } from "@attestry/core/Identifier"
import { NONE } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck, Schema } from "effect"
import * as EvidenceReader from "../src/EvidenceReader.js"
import * as EvidenceReaderWorker from "../src/EvidenceReaderWorker.js"
import * as EveryFormat from "./shared/EveryFormat.js"
import * as Files from "./shared/EvidenceFiles.js"

const isFacts = Schema.is(EvidenceFacts)

const read = (bytes: Uint8Array) => EvidenceReader.read(bytes)

/** What is read, without the digest and size of the file. */
const contentOf = (bytes: Uint8Array) =>
  Either.getOrThrow(read(bytes)).documents.map(
    ({ facts: { digest: _, size: __, ...facts }, signed: ___, ...document }) => ({
      ...document,
      facts
    })
  )

const knownFormats = (): ReadonlyArray<string> => {
  const [, names = ""] = /are read: (.*)$/.exec(Files.messageOf("nothing")) ?? []
  return names.split(", ").sort()
}

describe("V-1", () => {
  it("has a sample of each format that is read", () => {
    const samples = new Set(EveryFormat.ALL.map(({ format }) => format))
    assert.deepStrictEqual([...samples].sort(), knownFormats())
    for (const { content, format } of EveryFormat.ALL)
      assert.isTrue(Either.isRight(read(Files.bytesOf(content))), format)
  })

  it.prop(
    "white space, the order of members, a byte order mark and packing change nothing that is read",
    { spelling: EveryFormat.spellings },
    ({ spelling: { changed, format, original } }) => {
      const expected = contentOf(original)
      assert.deepStrictEqual(contentOf(changed), expected, format)
      assert.deepStrictEqual(contentOf(gzipSync(changed)), expected, format)
    },
    { fastCheck: { numRuns: 500 } }
  )
})

describe("V-2", () => {
  it.prop(
    "each damaged file of each format gives facts within their limit, or one problem",
    { bytes: EveryFormat.damaged },
    ({ bytes }) => {
      for (const file of [bytes, gzipSync(bytes)]) {
        const result = read(file)
        if (Either.isLeft(result)) {
          assert.isNotEmpty(result.left.message)
          continue
        }
        assert.isNotEmpty(result.right.documents)
        for (const { facts } of result.right.documents) {
          assert.isTrue(isFacts(facts))
          assert.isAtMost(Buffer.byteLength(JSON.stringify(facts)), BYTES_MAX)
        }
      }
    },
    { fastCheck: { numRuns: 3_000 } }
  )
})

describe("V-3", () => {
  it.prop(
    "facts are those of the bytes, whatever was read before and wherever the bytes lie in memory",
    {
      file: EveryFormat.damaged,
      others: FastCheck.array(EveryFormat.damaged, { maxLength: 3 }),
      offset: FastCheck.nat(9)
    },
    ({ file, offset, others }) => {
      const first = read(file)
      for (const other of others) read(other)
      const memory = new Uint8Array(offset + file.length + 7).fill(0x7b)
      memory.set(file, offset)
      const again = read(memory.subarray(offset, offset + file.length))
      assert.deepStrictEqual(again, first)
      // Reading changes no byte of the file.
      assert.deepStrictEqual(read(file), first)
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "files with different bytes have different facts: their digest",
    { one: EveryFormat.damaged, other: EveryFormat.damaged },
    ({ one, other }) => {
      const [left, right] = [read(one), read(other)]
      if (Either.isLeft(left) || Either.isLeft(right)) return
      const isSame = Buffer.compare(one, other) === 0
      assert.strictEqual(left.right.digest === right.right.digest, isSame)
      if (isSame) assert.deepStrictEqual(left, right)
    }
  )

  it.live(
    "threads, which take turns, read the same from the same bytes, in any order",
    () =>
      Effect.gen(function* () {
        const reader = yield* ReaderPort
        const files = [
          ...EveryFormat.ALL.map(({ content }) => Files.bytesOf(content)),
          ...FastCheck.sample(EveryFormat.damaged, { numRuns: 40, seed: 3 })
        ]
        const readAs = (org: string) => (bytes: Uint8Array) =>
          Effect.either(reader.read({ org: OrgId.make(org), bytes, trust: NONE }))
        const first = yield* Effect.forEach(files, readAs("one"))
        const second = yield* Effect.forEach([...files].reverse(), readAs("two"), {
          concurrency: 4
        })
        assert.deepStrictEqual([...second].reverse(), first)
        assert.isAbove(first.filter(Either.isRight).length, EveryFormat.ALL.length - 1)
      }).pipe(Effect.provide(EvidenceReaderWorker.layer(new Map()))),
    60_000
  )
})

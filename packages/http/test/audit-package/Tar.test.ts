/** The tar format, as the program `tar` reads it, and the stream of an archive. */
import { Effect, Stream } from "effect"
import { assert, describe, it } from "vitest"
import * as PackageMembers from "../../src/audit-package/internal/PackageMembers.js"
import * as Tar from "../../src/audit-package/internal/Tar.js"
import { sha256, unpack } from "./Unpacked.js"

const text = (content: string) => new TextEncoder().encode(content)

const archiveOf = (files: ReadonlyArray<readonly [name: string, content: Uint8Array]>) =>
  new Uint8Array(
    Buffer.concat([
      ...files.flatMap(([name, content]) => [
        Tar.header({ name, size: content.byteLength, modifiedAt: 1_790_000_000.75 }),
        content,
        Tar.padding(content.byteLength)
      ]),
      Tar.END
    ])
  )

describe("Tar", () => {
  it("is read by `tar`, with names of any length and sizes around a block", async () => {
    const files = [
      ["empty", new Uint8Array()],
      ["dir/one", text("1")],
      ...[511, 512, 513].map((size) => [`size-${size}`, new Uint8Array(size).fill(65)] as const),
      ...[99, 100, 101, 200].map((length) => ["n".repeat(length), text(`${length}`)] as const),
      [`${"a/".repeat(300)}end`, text("deep")],
      ["grüße.txt", text("ü")]
    ] as ReadonlyArray<readonly [string, Uint8Array]>
    const unpacked = await unpack(archiveOf(files))
    assert.deepStrictEqual(
      unpacked.map(({ name, bytes }) => [name, bytes]),
      files.map(([name, bytes]) => [name, bytes])
    )
    for (const { mode, time } of unpacked) {
      assert.deepStrictEqual([mode, time], ["-rw-r--r--", "2026-09-21 14:13:20"])
    }
  })

  it("has the size of a file that is too large for the plain header in an extended one", () => {
    const largest = 0o77777777777
    const lengthOf = (size: number) => Tar.header({ name: "f", size, modifiedAt: 0 }).byteLength
    assert.deepStrictEqual([lengthOf(largest), lengthOf(largest + 1)], [512, 3 * 512])
    const header = Tar.header({ name: "f", size: largest + 1, modifiedAt: 0 })
    assert.include(new TextDecoder().decode(header), "19 size=8589934592\n")
  })

  it("counts the digits of a record's length where they add a digit", () => {
    for (const length of [101, 102, 103, 986, 987, 988, 989, 990, 991, 992]) {
      const header = Tar.header({ name: "n".repeat(length), size: 0, modifiedAt: 0 })
      const record = new TextDecoder().decode(header.subarray(512, -512))
      const size = Number(record.split(" ", 1)[0])
      assert.strictEqual(record[size - 1], "\n")
      assert.strictEqual(record.slice(0, size).split("=")[1], `${"n".repeat(length)}\n`)
    }
  })
})

describe("PackageMembers", () => {
  const PIECE = new Uint8Array(65_536)
  const end = (name: string): PackageMembers.Member<never> => ({
    name,
    size: 0,
    sha256: sha256(new Uint8Array()),
    content: Stream.empty
  })

  it("reads contents as fast as they are taken, and no further", async () => {
    const pieces = 100_000
    let read = 0
    const piece = Effect.sync(() => {
      read += 1
      return PIECE
    })
    const content = Stream.take(Stream.repeatEffect(piece), pieces)
    const large = { name: "large", size: pieces * PIECE.byteLength, sha256: "", content }
    const taken = await PackageMembers.pack(Stream.succeed(large), {
      modifiedAt: 0,
      page: () => Effect.succeed(end("index.html")),
      manifest: () => Effect.succeed(end("manifest.json"))
    }).pipe(Stream.take(10), Stream.runCount, Effect.runPromise)
    assert.strictEqual(taken, 10)
    assert.isAtMost(read, 10)
  })

  it("makes the page after all members, and the manifest after the page", async () => {
    const seen: Array<string> = []
    const member = (name: string) =>
      Effect.sync(() => {
        seen.push(name)
        return end(name)
      })
    await PackageMembers.pack(Stream.mapEffect(Stream.make("a", "b"), member), {
      modifiedAt: 0,
      page: () => member("page"),
      manifest: (listed) => {
        assert.deepStrictEqual(
          listed.map(({ name }) => name),
          ["a", "b", "page"]
        )
        return member("manifest")
      }
    }).pipe(Stream.runDrain, Effect.runPromise)
    assert.deepStrictEqual(seen, ["a", "b", "page", "manifest"])
  })
})

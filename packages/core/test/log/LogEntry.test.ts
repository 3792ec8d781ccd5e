/** Entries are a function of what was recorded and of their salt; disclosures fit their entry alone. */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, Either, FastCheck, Option } from "effect"
import * as Disclosure from "../../src/log/internal/Disclosure.js"
import * as EntryId from "../../src/log/internal/EntryId.js"
import * as LogEntry from "../../src/log/LogEntry.js"
import { jsonObject } from "../../testing/arbitrary/Text.js"

const text = (bytes: Uint8Array) => Option.getOrThrow(Base64.textOf(bytes))
const MASTER = new Uint8Array(32).fill(7)

/** The entry of the published vectors. */
const VECTOR: LogEntry.Recorded = {
  kind: "trail_attestation_reported",
  subject: { type: "trail", id: "0198" },
  actor: { kind: "service-account", id: "0197", name: "ci", credential: null },
  at: 1_790_000_000_123_456,
  prev: null,
  content: {
    name: "scan",
    type: "generic",
    isCompliant: true,
    body: {
      attestation_name: "scan",
      is_compliant: true,
      git_commit_info: {
        author: "Ada <ada@example.org>",
        sha1: "0000000000000000000000000000000000000000"
      }
    }
  }
}

const recorded = (content: LogEntry.Recorded["content"]): LogEntry.Recorded => ({
  ...VECTOR,
  content
})

const contents = FastCheck.tuple(
  jsonObject,
  FastCheck.dictionary(
    FastCheck.constantFrom(
      "body",
      "author",
      "reason",
      "details",
      "plain",
      "_sd",
      "~_sd",
      "...",
      "user_data"
    ),
    FastCheck.oneof(jsonObject, FastCheck.string(), FastCheck.constant(null))
  )
).map(([some, others]): LogEntry.Recorded["content"] =>
  JSON.parse(JSON.stringify({ ...some, ...others }))
)

describe("LogEntry", () => {
  it("LOG-10: has the bytes of the published vectors", () => {
    const entry = LogEntry.make(VECTOR, MASTER)
    assert.strictEqual(
      text(entry.bytes),
      [
        '{"_sd":["i3R1lqD054LAsVAjILVztr4qgR6rVlUQ6ca0O2zIvNc",',
        '"lx6xmfpetg0e-_pyZHJhXNF8pQMiv0cQJL3PSZwPwVc"],',
        '"_sd_alg":"sha-256","at":1790000000123456,"v":"attestry-leaf/1"}'
      ].join("")
    )
    assert.strictEqual(
      Base64.encodeHex(entry.hash),
      "2e94617386b4f936419631970433dec911313a9e0f041694371a645057d4980a"
    )
    const digests = new Map(entry.concealed.map(({ pointer, digest }) => [pointer, digest]))
    assert.strictEqual(
      digests.get("/facts/actor/name"),
      "IRs27PlPp3QstMG-MBgmRST-Mk9SvbqO5Ps9P3uhE7o"
    )
    assert.strictEqual(
      digests.get("/body/git_commit_info/author"),
      "eRu83WK0hzGtBm1S_Du2pBflfMdRA9NrWRQAxyhKbd0"
    )
    const facts = entry.concealed.find(({ pointer }) => pointer === "/facts")
    const disclosure = Option.getOrThrow(Disclosure.parse(facts?.disclosure ?? ""))
    assert.strictEqual(disclosure.salt, "xYQwS20Qc2ix7ra6xZU58g")
  })

  it.effect("has the checkpoint of the published vectors", () =>
    Effect.gen(function* () {
      const notes = yield* Notes
      const origin = "attestry.example.com/api/v2/log/acme"
      const note = `${Checkpoint.print({ origin, size: 1, root: LogEntry.make(VECTOR, MASTER).hash })}
— ${origin} xhBgIU5/SSD+qvQq3fAHmvCQvI0j4uJKo/aJHaUHdi7+lNKD4kD84na7AtCHS+DfXP5dbqZ5N5qHpWVpDcJk8BAMegA=
`
      const key = SignedNote.parseKey(
        `${origin}+c6106021+AWddehx3dfKPbt7RW1ncgj4hBhsaPxD0hvLKjAvFCea1`
      )
      assert.isTrue(Option.isSome(yield* notes.open(note, [Option.getOrThrow(key)])))
    }).pipe(Effect.provide(Notes.Default), Effect.provide(SignaturesWebCrypto.layer))
  )

  it.prop(
    "LOG-10: does not depend on the order of members",
    { content: contents },
    ({ content }) => {
      const turned =
        typeof content === "object" && content !== null
          ? Object.fromEntries(Object.entries(content).reverse())
          : content
      assert.deepStrictEqual(
        LogEntry.make(recorded(content), MASTER).hash,
        LogEntry.make(recorded(turned), MASTER).hash
      )
    }
  )

  it.prop(
    "LOG-11: is read back with all of its disclosures",
    { content: contents },
    ({ content }) => {
      const entry = LogEntry.make(recorded(content), MASTER)
      const read = Option.getOrThrow(
        LogEntry.read(
          entry.bytes,
          entry.concealed.map(({ disclosure }) => disclosure)
        )
      )
      const { facts, ...details } = read.shown
      assert.deepStrictEqual(read.withheld, [])
      assert.deepStrictEqual(
        { ...(facts as { content: object }).content, ...details },
        content as object
      )
    }
  )

  it.prop(
    "LOG-10: is another entry with another value or salt",
    { content: contents },
    ({ content }) => {
      const { hash } = LogEntry.make(recorded(content), MASTER)
      const others = [
        LogEntry.make(recorded({ ...(content as object), more: 1 }), MASTER),
        LogEntry.make(recorded(content), new Uint8Array(32).fill(8)),
        LogEntry.make({ ...recorded(content), prev: 4 }, MASTER)
      ]
      for (const other of others) assert.notDeepEqual(other.hash, hash)
    }
  )

  it("stays below 1 KiB with every detail", () => {
    const names = ["body", "report", "details", "trail", "targets", "user_data"]
    const content = Object.fromEntries(names.map((name) => [name, "x".repeat(70_000)]))
    assert.isBelow(LogEntry.make(recorded(content), MASTER).bytes.byteLength, 1_024)
  })

  it("withholds what is not disclosed, and keeps everything else", () => {
    const entry = LogEntry.make(VECTOR, MASTER)
    const author = "/body/git_commit_info/author"
    const shown = entry.concealed.filter(({ pointer }) => pointer !== author)
    const read = Option.getOrThrow(
      LogEntry.read(
        entry.bytes,
        shown.map(({ disclosure }) => disclosure)
      )
    )
    assert.deepStrictEqual(
      read.withheld,
      entry.concealed.filter(({ pointer }) => pointer === author).map(({ digest }) => digest)
    )
    assert.deepStrictEqual(read.shown.body, {
      attestation_name: "scan",
      is_compliant: true,
      git_commit_info: { sha1: "0000000000000000000000000000000000000000" }
    })
  })
})

describe("Disclosure", () => {
  it("LOG-11: has the digests of RFC 9901", () => {
    assert.strictEqual(
      Disclosure.digest("WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"),
      "X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0"
    )
    deepStrictEqual(
      Disclosure.parse("WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0"),
      Option.some({ salt: "_26bc4LT-ac6q2KI6cBW5es", name: "family_name", value: "Möbius" })
    )
  })

  it("LOG-11: refuses a disclosure that was altered or belongs elsewhere", () => {
    const given = { salt: "AAAAAAAAAAAAAAAAAAAAAA", name: "author", value: "Ada" }
    const printed = Disclosure.print(given)
    const value = { _sd: [Disclosure.digest(printed)], other: 1 }
    deepStrictEqual(
      Disclosure.reveal(value, [printed].map(Disclosure.digested)),
      Either.right({ value: { author: "Ada", other: 1 }, withheld: [] })
    )
    for (const altered of [
      { salt: "BAAAAAAAAAAAAAAAAAAAAA" },
      { name: "login" },
      { value: "Ben" }
    ]) {
      const other = Disclosure.print({ ...given, ...altered })
      deepStrictEqual(
        Disclosure.reveal(value, [other].map(Disclosure.digested)),
        Either.left("unreferenced")
      )
    }
    deepStrictEqual(
      Disclosure.reveal(value, [printed, printed].map(Disclosure.digested)),
      Either.left("repeated")
    )
    deepStrictEqual(
      Disclosure.reveal(value, ["%"].map(Disclosure.digested)),
      Either.left("malformed")
    )
    deepStrictEqual(
      Disclosure.reveal({ ...value, author: 1 }, [printed].map(Disclosure.digested)),
      Either.left("repeated")
    )
    deepStrictEqual(
      Disclosure.reveal([value, value], [printed].map(Disclosure.digested)),
      Either.left("repeated")
    )
    deepStrictEqual(Disclosure.reveal({ _sd: [1] }, []), Either.left("malformed"))
  })

  it("refuses names that RFC 9901 has for itself", () => {
    for (const name of ["_sd", "..."]) {
      assert.isTrue(Option.isNone(Disclosure.parse(Disclosure.print({ salt: "", name, value: 1 }))))
    }
  })

  it.prop("never throws", { given: FastCheck.string() }, ({ given }) => {
    Disclosure.parse(given)
    LogEntry.read(
      Uint8Array.from(given, (each) => each.charCodeAt(0) % 256),
      [given]
    )
  })
})

describe("EntryId", () => {
  const hex = (value: string) => Option.getOrThrow(Base64.decodeHex(value))
  const key = FastCheck.uint8Array({ minLength: EntryId.KEY_BYTES, maxLength: EntryId.KEY_BYTES })

  it.each([
    ["000102030405060708090a0b0c0d0e0f", "497df3d072612cb5", "4142434445464748"],
    ["000102030405060708090a0b0c0d0e0f", "e78f2d13744341d8", "4141414141414141"],
    ["00000000000000000000000000000000", "a0390589f8b8efa5", "4142434445464748"],
    ["00000000000000000000000000000000", "ed23375a821a8c2d", "4141414141414141"]
  ])("LOG-29: has the published vectors of the cipher (%s, %s)", (secret, id, plain) => {
    const blocks = EntryId.decrypt(hex(secret), id)
    deepStrictEqual(blocks, Option.some(BigInt(`0x${plain}`)))
  })

  it.prop(
    "LOG-29: is a bijection for each key",
    { secret: key, sequence: FastCheck.maxSafeNat() },
    ({ secret, sequence }) => {
      const id = EntryId.make(secret, sequence)
      assert.match(id, /^[0-9a-f]{16}$/)
      deepStrictEqual(EntryId.read(secret, id), Option.some(sequence))
    }
  )

  it.prop(
    "LOG-29: means nothing with another key",
    { secret: key, sequence: FastCheck.nat() },
    ({ secret, sequence }) => {
      const other = secret.map((byte) => byte ^ 1)
      assert.notStrictEqual(
        Option.getOrNull(EntryId.read(other, EntryId.make(secret, sequence))),
        sequence
      )
    }
  )

  it.each(["", "00", "0123456789ABCDEF", "0123456789abcdeg", "0123456789abcdef0"])(
    "refuses `%s`",
    (id) => assert.isTrue(Option.isNone(EntryId.read(new Uint8Array(16), id)))
  )
})

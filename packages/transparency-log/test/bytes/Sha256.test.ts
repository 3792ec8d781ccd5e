/** SHA-256 is that of the platform; Base64 has one spelling. */
import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import * as NodeDigests from "../../node/internal/Digests.js"
import * as Base64 from "../../src/bytes/Base64.js"
import * as PortableDigests from "../../src/bytes/internal/Digests.js"
import * as Sha256 from "../../src/bytes/Sha256.js"

const bytes = FastCheck.uint8Array({ maxLength: 300 })

describe("Sha256", () => {
  it.prop("is what the platform computes", { content: bytes }, ({ content }) =>
    assert.strictEqual(
      Base64.encodeHex(Sha256.digest(content)),
      createHash("sha256").update(content).digest("hex")
    )
  )

  it.prop("encodes texts as the platform does", { text: FastCheck.string() }, ({ text }) =>
    assert.deepStrictEqual([...Sha256.utf8(text)], [...Buffer.from(text)])
  )
})

describe("#digests", () => {
  const content = FastCheck.oneof(bytes, FastCheck.string({ unit: "binary", maxLength: 300 }))

  it.prop("computes the same on Node and elsewhere", { content }, ({ content }) => {
    deepStrictEqual(PortableDigests.sha256(content), NodeDigests.sha256(content))
    assert.strictEqual(PortableDigests.base64Url(content), NodeDigests.base64Url(content))
  })

  const text = FastCheck.string({ unit: "binary", maxLength: 300 })

  it.prop("reads texts as the same bytes on Node and elsewhere", { text }, ({ text }) => {
    deepStrictEqual(PortableDigests.utf8(text), NodeDigests.utf8(text))
    const digest = NodeDigests.base64Url(NodeDigests.sha256(text))
    assert.strictEqual(NodeDigests.sha256Url(text), digest)
    assert.strictEqual(PortableDigests.sha256Url(text), digest)
  })

  it.prop("writes the same texts on Node and elsewhere", { content: bytes }, ({ content }) => {
    assert.strictEqual(PortableDigests.base64(content), NodeDigests.base64(content))
    assert.strictEqual(PortableDigests.hex(content), NodeDigests.hex(content))
  })

  const spelling = FastCheck.oneof(
    FastCheck.string({ unit: FastCheck.constantFrom(..."AQgw-_+/=é"), maxLength: 8 }),
    bytes.map(NodeDigests.base64Url)
  )

  it.prop("reads the same texts on Node and elsewhere", { spelling }, ({ spelling }) =>
    deepStrictEqual(PortableDigests.fromBase64Url(spelling), NodeDigests.fromBase64Url(spelling))
  )

  it.prop("reads the same UTF-8 on Node and elsewhere", { content }, ({ content }) => {
    const given = typeof content === "string" ? NodeDigests.utf8(content) : content
    assert.strictEqual(PortableDigests.textOf(given), NodeDigests.textOf(given))
  })

  it.prop(
    "gives the beginning of the digest of bytes and a text",
    { before: bytes, text, length: FastCheck.nat(32) },
    ({ before, text, length }) => {
      const whole = createHash("sha256").update(before).update(Buffer.from(text)).digest()
      for (const digests of [NodeDigests, PortableDigests]) {
        assert.strictEqual(
          digests.sha256UrlStart(before, text, length),
          whole.subarray(0, length).toString("base64url")
        )
      }
    }
  )

  it("replaces lone surrogates the same way on Node and elsewhere", () => {
    for (const text of ["\ud800", "a\udfffb", "\ud800\ud800\udc00"]) {
      deepStrictEqual(PortableDigests.sha256(text), NodeDigests.sha256(text))
      assert.strictEqual(PortableDigests.base64Url(text), NodeDigests.base64Url(text))
      deepStrictEqual(PortableDigests.utf8(text), NodeDigests.utf8(text))
      assert.strictEqual(PortableDigests.sha256Url(text), NodeDigests.sha256Url(text))
    }
  })
})

describe("Base64", () => {
  it.prop("reads back what it wrote, in three forms", { content: bytes }, ({ content }) => {
    deepStrictEqual(Base64.decode(Base64.encode(content)), Option.some(content))
    deepStrictEqual(Base64.decodeUrl(Base64.encodeUrl(content)), Option.some(content))
    deepStrictEqual(Base64.decodeHex(Base64.encodeHex(content)), Option.some(content))
    assert.strictEqual(Base64.encode(content), Buffer.from(content).toString("base64"))
  })

  it.each(["A", "AA", "AB==", "AAAA\n", " AAAA", "AA=A", "AA-_", "AAA=="])(
    "refuses `%s`, which another reader may accept",
    (text) => assert.isTrue(Option.isNone(Base64.decode(text)))
  )

  it.each(["AA==", "AB", "A", "AA+A"])("refuses `%s` without padding", (text) =>
    assert.isTrue(Option.isNone(Base64.decodeUrl(text)))
  )

  it.prop(
    "reads exactly one spelling of bytes without padding",
    { content: bytes },
    ({ content }) => {
      const text = Base64.encodeUrl(content)
      assert.strictEqual(text, Buffer.from(content).toString("base64url"))
      for (const other of [`${text}=`, `${text} `, `${text.slice(0, -1)}+`, `${text}A`])
        for (const read of Option.toArray(Base64.decodeUrl(other)))
          assert.strictEqual(Base64.encodeUrl(read), other)
    }
  )

  it("gives the text of bytes, and none for bytes that are no UTF-8", () => {
    deepStrictEqual(Base64.textOf(Sha256.utf8("Möbius")), Option.some("Möbius"))
    assert.isTrue(Option.isNone(Base64.textOf(Uint8Array.of(0xff, 0xfe))))
    assert.isTrue(Option.isNone(Base64.textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))))
    deepStrictEqual(Base64.textOf(Uint8Array.of()), Option.some(""))
  })
})

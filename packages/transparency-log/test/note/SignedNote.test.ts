/** Notes, keys, checkpoints and proofs have the texts of C2SP. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, FastCheck, Layer, Option } from "effect"
import * as Base64 from "../../src/bytes/Base64.js"
import * as Sha256 from "../../src/bytes/Sha256.js"
import * as Checkpoint from "../../src/note/Checkpoint.js"
import { Notes } from "../../src/note/Notes.js"
import { Signatures } from "../../src/note/Signatures.js"
import * as SignedNote from "../../src/note/SignedNote.js"
import * as TlogProof from "../../src/note/TlogProof.js"
import * as SignaturesWebCrypto from "../../webcrypto/SignaturesWebCrypto.js"

const services = Layer.merge(
  SignaturesWebCrypto.layer,
  Layer.provide(Notes.Default, SignaturesWebCrypto.layer)
)

/** The example of C2SP signed-note. */
const EXAMPLE = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore ${[
  "NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9o",
  "JKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc="
].join("")}
`

const seed = (byte: number) => new Uint8Array(32).fill(byte)

const keyOf = (name: string, byte: number, type = SignedNote.ED25519) =>
  Effect.gen(function* () {
    const signatures = yield* Signatures
    return { name, type, publicKey: yield* signatures.publicKey(seed(byte)) }
  })

const lineBy = (text: string, name: string, byte: number) =>
  Effect.gen(function* () {
    const signatures = yield* Signatures
    const key = yield* keyOf(name, byte)
    const signature = yield* signatures.sign(seed(byte), Sha256.utf8(text))
    return { name, keyId: SignedNote.keyId(key), signature }
  })

describe("SignedNote", () => {
  it("reads and writes the example of C2SP", () => {
    const note = SignedNote.parse(EXAMPLE)
    assert.isTrue(Option.isSome(note))
    if (Option.isSome(note)) {
      assert.strictEqual(SignedNote.print(note.value), EXAMPLE)
      assert.strictEqual(note.value.text.split("\n").length, 5)
      assert.strictEqual(note.value.signatures[0]?.keyId, "367ba04b")
    }
  })

  it.each([
    ["no signature", "text\n\n"],
    ["no empty line", "text\n— name AAAAAAA=\n"],
    ["no newline at the end", EXAMPLE.slice(0, -1)],
    ["a control character", EXAMPLE.replace("sole", "so\tle")],
    ["a plus in a name", EXAMPLE.replace("quasimodo.", "quasi+modo.")],
    ["another dash", EXAMPLE.replace("—", "-")],
    ["a signature without bytes", "text\n\n— name AAAAAA==\n"]
  ])("LOG-7: refuses %s", (_, text) => assert.isTrue(Option.isNone(SignedNote.parse(text))))

  it.prop("never throws", { text: FastCheck.string() }, ({ text }) => {
    SignedNote.parse(text)
    SignedNote.parseKey(text)
    Checkpoint.parse(text)
    TlogProof.parse(text)
  })

  it.effect("LOG-7: ignores unknown keys and rejects a false line of a known key", () =>
    Effect.gen(function* () {
      const notes = yield* Notes
      const text = "one\ntwo\n"
      const [ada, ben] = [yield* keyOf("ada", 1), yield* keyOf("ben", 2)]
      const lines = [yield* lineBy(text, "ada", 1), yield* lineBy(text, "ben", 2)]
      const note = SignedNote.print({ text, signatures: lines })
      deepStrictEqual(yield* notes.open(note, [ada]), Option.some({ text, by: [ada] }))
      deepStrictEqual(yield* notes.open(note, [ben, ada]), Option.some({ text, by: [ben, ada] }))
      deepStrictEqual(yield* notes.open(note, []), Option.none())
      deepStrictEqual(yield* notes.open(note, [yield* keyOf("ada", 3)]), Option.none())
      const spoiled = note.replace("two", "too")
      deepStrictEqual(yield* notes.open(spoiled, [ada, ben]), Option.none())
      const [first] = lines
      const mixed = SignedNote.print({
        text,
        signatures: [
          ...lines,
          { name: "ada", keyId: first?.keyId ?? "", signature: new Uint8Array(64) }
        ]
      })
      deepStrictEqual(yield* notes.open(mixed, [ada, ben]), Option.none())
      deepStrictEqual(yield* notes.open(mixed, [ben]), Option.some({ text, by: [ben] }))
    }).pipe(Effect.provide(services))
  )

  it.effect("LOG-7: reads 16 lines and more", () =>
    Effect.gen(function* () {
      const notes = yield* Notes
      const text = "one\n"
      const line = yield* lineBy(text, "ada", 1)
      const unknown = Array.from({ length: SignedNote.LINES_MAX - 1 }, (_, index) => ({
        ...line,
        name: `w${index}`
      }))
      const note = (signatures: ReadonlyArray<SignedNote.SignatureLine>) =>
        SignedNote.print({ text, signatures })
      const keys = [yield* keyOf("ada", 1)]
      assert.isTrue(Option.isSome(yield* notes.open(note([...unknown, line]), keys)))
      assert.isTrue(Option.isNone(yield* notes.open(note([...unknown, line, line]), keys)))
    }).pipe(Effect.provide(services))
  )

  it.effect("verifies cosignatures with their time", () =>
    Effect.gen(function* () {
      const [signatures, notes] = [yield* Signatures, yield* Notes]
      const text = Checkpoint.print({ origin: "o", size: 0, root: Sha256.digestText("") })
      const key = yield* keyOf("w", 4, SignedNote.COSIGNATURE)
      const at = 1_790_000_000
      const signature = SignedNote.cosignature(
        at,
        yield* signatures.sign(seed(4), SignedNote.cosigned(text, at))
      )
      const line = { name: "w", keyId: SignedNote.keyId(key), signature }
      assert.strictEqual(SignedNote.cosignedAt(line), at)
      const open = (bytes: Uint8Array) =>
        notes.open(SignedNote.print({ text, signatures: [{ ...line, signature: bytes }] }), [key])
      assert.isTrue(Option.isSome(yield* open(signature)))
      const later = signature.map((byte, index) => (index === 7 ? byte + 1 : byte))
      assert.isTrue(Option.isNone(yield* open(later)))
    }).pipe(Effect.provide(services))
  )

  it.effect("verifies the vectors of RFC 8032", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const hex = (text: string) => Option.getOrThrow(Base64.decodeHex(text))
      const secret = hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
      const publicKey = hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
      const message = Uint8Array.of(0x72)
      const signature = hex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" +
          "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
      )
      assert.deepStrictEqual(yield* signatures.publicKey(secret), publicKey)
      assert.deepStrictEqual(yield* signatures.sign(secret, message), signature)
      assert.isTrue(yield* signatures.verify({ publicKey, message, signature }))
      assert.isFalse(
        yield* signatures.verify({ publicKey, message: Uint8Array.of(0x73), signature })
      )
      assert.isFalse(yield* signatures.verify({ publicKey: Uint8Array.of(1), message, signature }))
    }).pipe(Effect.provide(services))
  )
})

describe("Checkpoint", () => {
  const root = Sha256.digestText("root")

  it.prop("LOG-8: reads back what it wrote", { size: FastCheck.maxSafeNat() }, ({ size }) =>
    deepStrictEqual(
      Checkpoint.parse(Checkpoint.print({ origin: "example.com/log", size, root })),
      Option.some({ origin: "example.com/log", size, root })
    )
  )

  it.each(["01", "-1", "1.0", "+1", "", " 1", "9007199254740992", "1e3"])(
    "LOG-8: refuses the size `%s`",
    (size) => assert.isTrue(Option.isNone(Checkpoint.parse(`o\n${size}\n${Base64.encode(root)}\n`)))
  )

  it("ignores extension lines, and refuses empty ones and roots of another length", () => {
    const text = Checkpoint.print({ origin: "o", size: 1, root })
    assert.isTrue(Option.isSome(Checkpoint.parse(`${text}extension\n`)))
    assert.isTrue(Option.isNone(Checkpoint.parse(`${text}\n`)))
    assert.isTrue(Option.isNone(Checkpoint.parse(text.trimEnd())))
    assert.isTrue(Option.isNone(Checkpoint.parse("o\n1\nAAAA\n")))
  })
})

describe("TlogProof", () => {
  const checkpoint = SignedNote.print({
    text: Checkpoint.print({ origin: "o", size: 3, root: Sha256.digestText("root") }),
    signatures: [{ name: "o", keyId: "01020304", signature: new Uint8Array(64) }]
  })
  const hashes = [Sha256.digestText("a"), Sha256.digestText("b")]

  it("reads back what it wrote, with and without extra bytes", () => {
    for (const extra of [Option.none(), Option.some(Uint8Array.of(1, 2, 3))]) {
      const proof = { extra, index: 2, hashes, checkpoint }
      deepStrictEqual(TlogProof.parse(TlogProof.print(proof)), Option.some(proof))
    }
  })

  it("has the lines of C2SP", () => {
    const text = TlogProof.print({
      extra: Option.some(Uint8Array.of(0)),
      index: 0,
      hashes: [],
      checkpoint
    })
    assert.strictEqual(text, `c2sp.org/tlog-proof@v1\nextra AA==\nindex 0\n\n${checkpoint}`)
  })

  it.each([
    ["another header", (text: string) => text.replace("@v1", "@v2")],
    ["an index with a leading zero", (text: string) => text.replace("index 2", "index 02")],
    ["a hash that is cut", (text: string) => text.replace("=\n", "\n")],
    ["no checkpoint", (text: string) => text.slice(0, text.indexOf("\n\n") + 2)],
    ["extra bytes that are no Base64", (text: string) => text.replace("extra AA==", "extra A")]
  ])("refuses %s", (_, spoil) => {
    const text = TlogProof.print({
      extra: Option.some(Uint8Array.of(0)),
      index: 2,
      hashes,
      checkpoint
    })
    assert.isTrue(Option.isNone(TlogProof.parse(spoil(text))))
  })
})

/** Hostile files give documents or one problem, in bounded time. */
import { gzipSync } from "node:zlib"
import { BYTES_MAX, EvidenceFacts, SUBJECTS_MAX } from "@attestry/core/EvidenceFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as EvidenceReader from "../src/EvidenceReader.js"
import * as EveryFormat from "./shared/EveryFormat.js"
import * as Files from "./shared/EvidenceFiles.js"

const isFacts = Schema.is(EvidenceFacts)

/** The most milliseconds that a small hostile file may take; a quadratic reader would take minutes. */
const MILLIS_MAX = 10_000

const problemOfBytes = (bytes: Uint8Array) =>
  Either.getOrThrow(Either.flip(EvidenceReader.read(bytes)))

/** Asserts the law: facts of a known form within their limit, or a problem with a message. */
const isRead = (bytes: Uint8Array): void => {
  const began = performance.now()
  const file = EvidenceReader.read(bytes)
  assert.isBelow(performance.now() - began, MILLIS_MAX)
  if (Either.isLeft(file)) assert.isNotEmpty(file.left.message)
  else
    for (const { facts } of file.right.documents) {
      assert.isTrue(isFacts(facts))
      assert.isAtMost(Buffer.byteLength(JSON.stringify(facts)), BYTES_MAX)
    }
}

describe("V-2", () => {
  it.prop("every mutated file is read or refused", { file: Files.mutated }, ({ file }) =>
    isRead(Files.bytesOf(file))
  )

  it.prop(
    "every mutated payload is read or refused",
    {
      file: Files.mutated,
      payloadType: FastCheck.constantFrom("application/vnd.in-toto+json", "a")
    },
    ({ file, payloadType }) =>
      isRead(Files.bytesOf(Files.bundle({ dsseEnvelope: Files.envelope(file, { payloadType }) })))
  )

  it.prop(
    "every truncated file is read or refused",
    { form: Files.form, part: EveryFormat.part },
    ({ form, part }) => {
      const bytes = Files.bytesOf(form)
      isRead(bytes.slice(0, Math.floor(bytes.length * part)))
      const packed = gzipSync(bytes)
      isRead(packed.subarray(0, Math.floor(packed.length * part)))
    }
  )

  it.prop("every run of bytes is read or refused", { bytes: FastCheck.uint8Array() }, ({ bytes }) =>
    isRead(bytes)
  )
})

describe("depth", () => {
  it("is counted before anything recurses", () => {
    const problem = problemOfBytes(Files.bytesOf("[".repeat(1_000_000)))
    assert.strictEqual(problem.message, "JSON nests more than 64 levels deep")
  })

  it("is 64 at most, in payloads too", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
    const file = (levels: number) =>
      JSON.stringify(Files.statement({ predicate: { deep: 0 } })).replace(
        '"deep":0',
        `"deep":${nested(levels)}`
      )
    assert.match(file(62), /"deep":\[/)
    assert.isTrue(Either.isRight(Files.read(file(62))))
    assert.match(Files.messageOf(file(63)), /64 levels/)
    assert.isTrue(Either.isRight(Files.read(Files.envelope(file(62)))))
    assert.strictEqual(
      Files.messageOf(Files.envelope(file(63))),
      "payload: JSON nests more than 64 levels deep"
    )
  })
})

describe("gzip", () => {
  it("is stopped at the limit", () => {
    const bomb = gzipSync(new Uint8Array(64 * 1_024 * 1_024))
    const problem = problemOfBytes(bomb)
    assert.deepStrictEqual(
      [problem.kind, problem.message],
      ["too_large", `The file unpacks to more than ${bomb.length * 100} bytes`]
    )
    const bytes = Files.bytesOf(Files.statement())
    assert.isBelow(gzipSync(bytes).length, bytes.length - 1)
    const { kind } = Either.getOrThrow(
      Either.flip(EvidenceReader.read(gzipSync(bytes), { fileBytes: bytes.length - 1 }))
    )
    assert.strictEqual(kind, "too_large")
  })

  it("unpacks to at most 100 times its size", () => {
    const packed = (spaces: number) =>
      gzipSync(Files.bytesOf(`${JSON.stringify(Files.statement())}${" ".repeat(spaces)}`))
    assert.isTrue(Either.isRight(EvidenceReader.read(packed(10_000))))
    assert.strictEqual(problemOfBytes(packed(1_000_000)).kind, "too_large")
  })

  it("in gzip is not unpacked", () => {
    const inner = gzipSync(Files.bytesOf(Files.statement()))
    assert.isTrue(Either.isRight(EvidenceReader.read(inner)))
    assert.match(problemOfBytes(gzipSync(inner)).message, /gzip in gzip/)
  })

  it("that does not unpack is a problem", () => {
    const packed = gzipSync(Files.bytesOf(Files.statement()))
    assert.match(problemOfBytes(packed.subarray(0, 40)).message, /does not unpack/)
  })
})

describe("archives", () => {
  const tar = new Uint8Array(512)
  tar.set(Files.bytesOf("ustar"), 257)
  const zip = Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 20, 0)

  it("are refused, packed too", () => {
    for (const bytes of [tar, zip, gzipSync(tar), gzipSync(zip), Uint8Array.of(0x50, 0x4b, 5, 6)]) {
      const { kind, message } = problemOfBytes(bytes)
      assert.deepStrictEqual(
        [kind, message],
        ["archive", "Archives are not read; send the files one by one"]
      )
    }
  })
})

describe("texts", () => {
  it("in UTF-16, with NUL or lone surrogates are refused", () => {
    const utf16 = Buffer.from(`\ufeff${JSON.stringify(Files.statement())}`, "utf16le")
    const surrogate = Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)
    assert.match(problemOfBytes(utf16).message, /NUL/)
    assert.strictEqual(problemOfBytes(surrogate).message, "this is not UTF-8")
    assert.match(Files.messageOf('{"a": "\u0000"}'), /NUL/)
    for (const escaped of ["\\ud800", "\\udc00x", "\\u0000"])
      assert.match(
        Files.messageOf(`{"_type": "https://in-toto.io/Statement/v1", "a": "${escaped}"}`),
        /NUL or unpaired surrogates/
      )
  })

  it("that are empty are none of the formats", () => {
    for (const text of ["", "\ufeff", " \n"])
      assert.match(Files.messageOf(text), /^This is none of the evidence formats/)
  })
})

describe("members that occur twice", () => {
  const twice = (value: unknown, member: string) =>
    JSON.stringify(value).replace("{", `{${member},`)

  it("are refused in everything that is or may be signed", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      [twice(Files.statement(), '"predicateType": "a"'), "member 'predicateType' occurs twice"],
      [twice(Files.statement(), '"_t\\u0079pe": "a"'), "member '_type' occurs twice"],
      [twice(Files.envelope(), '"payload": ""'), "member 'payload' occurs twice"],
      [twice(Files.bundle(), '"dsseEnvelope": {}'), "member 'dsseEnvelope' occurs twice"],
      [
        twice(Files.answer(Files.bundle()), '"attestations": []'),
        "member 'attestations' occurs twice"
      ]
    ]
    for (const [file, message] of cases) assert.strictEqual(Files.messageOf(file), message)
  })

  it("are refused below the top, and in payloads of every format", () => {
    const subject = JSON.stringify(Files.statement()).replace(
      '"digest":{',
      `"digest":{"sha256":"${"0".repeat(64)}",`
    )
    assert.strictEqual(Files.messageOf(subject), "member 'subject[0].digest.sha256' occurs twice")
    const vex = twice(Files.openVex(), '"author": "a"')
    assert.strictEqual(
      Files.messageOf(Files.envelope(vex, { payloadType: "text/json" })),
      "payload: member 'author' occurs twice"
    )
    assert.strictEqual(Files.documentOf(vex).facts.kind, "vex")
  })
})

describe("names of prototypes", () => {
  it("are data", () => {
    const text = JSON.stringify(
      Files.statement({
        subject: [{ name: "__proto__", digest: { sha256: Files.SHA256, x: "1" } }]
      })
    ).replace('"x"', '"__proto__"')
    const { subjects, facts } = Files.documentOf(text)
    const [subject] = subjects
    assert.strictEqual(subject?.name, "__proto__")
    assert.deepStrictEqual(Object.keys(subject?.digest ?? {}), ["__proto__", "sha256"])
    assert.isNull(Object.getPrototypeOf(subject?.digest))
    assert.match(JSON.stringify(facts), /"__proto__":"1"/)
  })
})

describe("subjects", () => {
  const digestAt = (index: number) => index.toString(16).padStart(64, "0")
  const subjectsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ digest: { sha256: digestAt(index) } }))

  it("that repeat count once", () => {
    const subject = { name: "a", digest: { sha256: Files.SHA256 } }
    const upper = { name: "a", digest: { sha256: Files.SHA256.toUpperCase() } }
    const many = Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? subject : upper))
    const { facts, subjects } = Files.documentOf(Files.statement({ subject: many }))
    assert.deepStrictEqual([facts.subject_count, subjects.length], [1, 1])
  })

  it("are at most 1,024, of which facts list 100", () => {
    const { facts, subjects } = Files.documentOf(
      Files.statement({ subject: subjectsOf(SUBJECTS_MAX) })
    )
    assert.deepStrictEqual(
      [facts.subject_count, subjects.length, facts.subjects.length, facts.truncated],
      [SUBJECTS_MAX, SUBJECTS_MAX, 100, ["subjects"]]
    )
    const message = "the document has more than 1024 subjects"
    for (const count of [SUBJECTS_MAX + 1, 300_000])
      assert.strictEqual(Files.messageOf(Files.statement({ subject: subjectsOf(count) })), message)
  })

  it("have at most 32 digests", () => {
    const file = (count: number) =>
      Files.statement({
        subject: [
          {
            digest: Object.fromEntries(
              Array.from({ length: count }, (_, index) => [`a${index}`, "00"])
            )
          }
        ]
      })
    assert.strictEqual(Files.documentOf(file(32)).subjects.length, 1)
    for (const count of [33, 100_000])
      assert.strictEqual(Files.messageOf(file(count)), "subject[0].digest has more than 32 digests")
  })
})

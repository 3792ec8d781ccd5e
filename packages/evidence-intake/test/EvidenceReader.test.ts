/** Files are recognised by their content, and the first rule that fits decides. */
import { gzipSync } from "node:zlib"
import { EvidenceFacts } from "@attestry/core/EvidenceFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as EvidenceReader from "../src/EvidenceReader.js"
import * as Files from "./shared/EvidenceFiles.js"

const isFacts = Schema.is(EvidenceFacts)

/** The facts that a form makes, without the digest and size of the file. */
const factsOf = (bytes: Uint8Array) => {
  const file = Either.getOrThrow(EvidenceReader.read(bytes))
  return file.documents.map(({ facts: { digest, size, ...facts }, ...document }) => {
    assert.strictEqual(digest, file.digest)
    assert.strictEqual(size, bytes.length)
    return { ...document, facts }
  })
}

describe("recognition", () => {
  const rows: ReadonlyArray<readonly [what: string, file: unknown, kind: string, format: unknown]> =
    [
      [
        "1: a bundle by its media type",
        Files.bundle(),
        "statement",
        { name: "sigstore-bundle", version: "0.3" }
      ],
      [
        "1: a bundle of version 0.1",
        Files.bundle({ mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.1" }),
        "statement",
        { name: "sigstore-bundle", version: "0.1" }
      ],
      [
        "1: a bundle by its members",
        Files.bundle({ mediaType: undefined }),
        "statement",
        { name: "sigstore-bundle", version: null }
      ],
      [
        "1: a bundle of a bare file",
        Files.fileBundle(),
        "signature",
        { name: "sigstore-bundle", version: "0.2" }
      ],
      ["2: an envelope", Files.envelope(), "statement", { name: "dsse", version: null }],
      [
        "3: an answer of the attestations API",
        Files.answer(Files.bundle()),
        "statement",
        { name: "sigstore-bundle", version: "0.3" }
      ],
      [
        "4: a statement",
        Files.statement(),
        "statement",
        { name: "in-toto-statement", version: "1" }
      ],
      [
        "4: a statement of version 0.1",
        Files.statement({ _type: "https://in-toto.io/Statement/v0.1" }),
        "statement",
        { name: "in-toto-statement", version: "0.1" }
      ],
      ["7: OpenVEX", Files.openVex(), "vex", { name: "openvex", version: "0.2.0" }],
      ["13: VEX of CSAF", Files.csaf(), "vex", { name: "csaf-vex", version: "2.0" }],
      [
        "1 before 2, 4 and 7",
        { ...Files.openVex(), ...Files.statement(), ...Files.envelope(), ...Files.fileBundle() },
        "signature",
        { name: "sigstore-bundle", version: "0.2" }
      ],
      [
        "2 before 3 and 4",
        { ...Files.statement(), ...Files.answer(Files.bundle()), ...Files.envelope() },
        "statement",
        { name: "dsse", version: null }
      ],
      [
        "4 before 7 and 13",
        { ...Files.csaf(), ...Files.openVex(), ...Files.statement() },
        "statement",
        { name: "in-toto-statement", version: "1" }
      ],
      [
        "7 before 13",
        { ...Files.csaf(), ...Files.openVex() },
        "vex",
        { name: "openvex", version: "0.2.0" }
      ]
    ]
  for (const [what, file, kind, format] of rows)
    it(what, () => {
      const { facts, line } = Files.documentOf(file)
      assert.deepStrictEqual([facts.kind, facts.format, line], [kind, format, null])
      assert.isTrue(isFacts(facts))
    })

  it("passes over objects that only look like one", () => {
    for (const file of [
      {},
      [],
      { payloadType: "a", payload: "" },
      { verificationMaterial: {} },
      { mediaType: "application/vnd.dev.sigstore.bundle+json;version=0.4" },
      { attestations: [] },
      { attestations: [{ bundle: {} }, {}] },
      { _type: "https://example.org/Statement/v1" },
      { document: {} },
      [Files.statement()]
    ])
      assert.match(Files.messageOf(file), /^This is none of the evidence formats that are read: /)
  })

  it("does not find members that an object only inherits", () => {
    const file = '{"__proto__": {"_type": "https://in-toto.io/Statement/v1"}}'
    assert.match(Files.messageOf(file), /^This is none of the evidence formats/)
  })

  it("names what is read", () => {
    assert.match(
      Files.messageOf("plain text"),
      /sigstore-bundle, dsse, github-attestations, in-toto-statement, .*openvex.*csaf-vex/
    )
  })

  it("parses what begins like XML, and names its problems", () => {
    assert.match(Files.messageOf(" <unknown/>"), /^This is none of the evidence formats/)
    assert.notMatch(Files.messageOf("<unknown>"), /none of the evidence formats/)
  })

  it("reads every bundle of an answer", () => {
    const kinds = Files.documentsOf(Files.answer(Files.bundle(), Files.fileBundle()))
    assert.deepStrictEqual(
      kinds.map(({ facts }) => facts.kind),
      ["statement", "signature"]
    )
    assert.strictEqual(
      Files.messageOf(Files.answer(Files.bundle(), null)),
      "attestations[1].bundle: this is not a Sigstore bundle"
    )
  })
})

describe("V-1", () => {
  it.prop(
    "white space, the order of members and a byte order mark change nothing",
    { form: Files.form, space: FastCheck.constantFrom("", " ", "\t", "\n\n  ") },
    ({ form, space }) => {
      const expected = factsOf(Files.bytesOf(form))
      const changed = `\ufeff${space}${JSON.stringify(Files.reordered(form), null, 3)}${space}`
      assert.deepStrictEqual(factsOf(Files.bytesOf(changed)), expected)
      assert.deepStrictEqual(factsOf(gzipSync(Files.bytesOf(form))), expected)
    }
  )
})

describe("V-3", () => {
  it.prop("facts are a function of the bytes", { file: Files.mutated }, ({ file }) => {
    assert.deepStrictEqual(Files.read(file), Files.read(structuredClone(file)))
  })
})

describe("JSON lines", () => {
  const lines = (...values: ReadonlyArray<unknown>) =>
    values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\n")

  it("are as many documents, and lines of an unknown kind are listed", () => {
    const text = lines(
      Files.envelope(),
      "",
      { unknown: 1 },
      `${JSON.stringify(Files.bundle())}\r`,
      Files.csaf()
    )
    const file = Either.getOrThrow(Files.read(`${text}\n`))
    assert.deepStrictEqual(
      file.documents.map(({ line, facts }) => [line, facts.format.name]),
      [
        [1, "dsse"],
        [4, "sigstore-bundle"]
      ]
    )
    assert.deepStrictEqual(
      file.ignored.map(({ line }) => line),
      [3, 5]
    )
  })

  it("are refused if no line is known", () => {
    assert.match(Files.messageOf(lines({}, {})), /^This is none of the evidence formats/)
  })

  it("are refused as a whole if a known line is wrong or a line is not JSON", () => {
    const wrong = Files.problemOf(lines(Files.statement(), Files.envelope("", { signatures: [] })))
    assert.deepStrictEqual([wrong.line, wrong.message], [2, "signatures is empty"])
    const broken = Files.problemOf(lines(Files.statement(), "{"))
    assert.deepStrictEqual([broken.line, broken.message], [2, "this is not valid JSON"])
  })

  it("are at most so many, of at most so many bytes", () => {
    const two = lines(Files.statement(), Files.statement())
    assert.isTrue(Either.isRight(Files.read(two, { lines: 2 })))
    assert.strictEqual(Files.problemOf(two, { lines: 1 }).message, "the file has more than 1 lines")
    const bytes = Files.bytesOf(Files.statement()).length
    assert.isTrue(Either.isRight(Files.read(two, { lineBytes: bytes })))
    const { kind, line } = Files.problemOf(two, { lineBytes: bytes - 1 })
    assert.deepStrictEqual([kind, line], ["too_large", 1])
    assert.strictEqual(EvidenceReader.LIMITS.lines, 1_000)
    assert.strictEqual(EvidenceReader.LIMITS.lineBytes, 8 * 1_024 * 1_024)
  })

  it("have at most so many documents together", () => {
    const line = Files.answer(...Array.from({ length: 250 }, () => Files.fileBundle()))
    const four = [line, line, line, line]
    assert.strictEqual(Files.documentsOf(lines(...four)).length, EvidenceReader.DOCUMENTS_MAX)
    assert.strictEqual(
      Files.messageOf(lines(...four, Files.statement())),
      "the file has more than 1000 documents"
    )
  })
})

describe("limits of a file", () => {
  it("hold on both sides", () => {
    const { length } = Files.bytesOf(Files.statement())
    assert.isTrue(Either.isRight(Files.read(Files.statement(), { fileBytes: length })))
    const problem = Files.problemOf(Files.statement(), { fileBytes: length - 1 })
    assert.deepStrictEqual(
      [problem.kind, problem.message],
      ["too_large", `The file is larger than ${length - 1} bytes`]
    )
  })

  it("are 32 MiB, and never more than 256 MiB", () => {
    assert.strictEqual(EvidenceReader.LIMITS.fileBytes, 32 * 1_024 * 1_024)
    const bytes = new Uint8Array(EvidenceReader.FILE_BYTES_CEILING + 1)
    const problem = Either.getOrThrow(
      Either.flip(EvidenceReader.read(bytes, { fileBytes: Number.POSITIVE_INFINITY }))
    )
    assert.strictEqual(problem.kind, "too_large")
  })
})

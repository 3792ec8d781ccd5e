/** Envelopes and bundles: their members, their payloads, and the bytes that verification gets. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as DsseEnvelope from "../../src/internal/envelope/DsseEnvelope.js"
import * as Payload from "../../src/internal/envelope/Payload.js"
import * as SigstoreBundle from "../../src/internal/envelope/SigstoreBundle.js"
import * as Formats from "../../src/internal/Formats.js"
import * as Files from "../shared/EvidenceFiles.js"

const signature = (changes: { readonly [member: string]: unknown } = {}) => ({
  keyid: "release",
  sig: Files.base64("signature"),
  ...changes
})

const withSignatures = (signatures: unknown) => Files.envelope(Files.statement(), { signatures })

describe("DSSE", () => {
  it("keeps the signed bytes", () => {
    const { signed, predicateType } = Files.documentOf(Files.envelope())
    assert.strictEqual(signed.kind, "dsse")
    if (signed.kind !== "dsse") return
    const { payload, payloadType, signatures } = signed.envelope
    assert.strictEqual(new TextDecoder().decode(payload), JSON.stringify(Files.statement()))
    assert.strictEqual(payloadType, "application/vnd.in-toto+json")
    assert.deepStrictEqual(
      signatures.map(({ keyId, bytes }) => [keyId, new TextDecoder().decode(bytes)]),
      [["release", "signature"]]
    )
    assert.strictEqual(predicateType, "https://example.org/review/v1")
  })

  it("has key ids that may be missing", () => {
    for (const keyid of [undefined, null, ""]) {
      const { signed } = Files.documentOf(withSignatures([signature({ keyid })]))
      assert.isNull(signed.kind === "dsse" ? signed.envelope.signatures[0]?.keyId : undefined)
    }
  })

  it("has from 1 to 16 signatures", () => {
    const many = (count: number) => withSignatures(Array.from({ length: count }, () => signature()))
    for (const count of [1, DsseEnvelope.SIGNATURES_MAX])
      assert.strictEqual(Files.documentOf(many(count)).signed.kind, "dsse")
    assert.strictEqual(Files.messageOf(many(0)), "signatures is empty")
    assert.strictEqual(Files.messageOf(many(17)), "signatures has more than 16 items")
  })

  it("is refused with members that are not what they must be", () => {
    const cases: ReadonlyArray<readonly [unknown, string]> = [
      [withSignatures({}), "signatures is not a list"],
      [withSignatures([signature(), 1]), "signatures[1] is not an object"],
      [withSignatures([signature({ sig: "a b" })]), "signatures[0].sig is not base64"],
      [withSignatures([signature({ sig: 1 })]), "signatures[0].sig is not base64"],
      [withSignatures([signature({ keyid: 1 })]), "signatures[0].keyid is not a text"],
      [Files.envelope("", { payloadType: null }), "payloadType is not a text"],
      [Files.envelope("", { payload: "Zm9v\nYmFy" }), "payload is not base64"],
      [Files.envelope(""), "payload: this is not valid JSON"],
      [
        Files.envelope("null"),
        "payload: payloadType says in-toto, and this is no statement of in-toto"
      ],
      [Files.envelope(`${JSON.stringify(Files.statement())}x`), "payload: this is not valid JSON"],
      [Files.envelope(Files.statement({ subject: [] })), "payload: subject is empty"]
    ]
    for (const [file, message] of cases) assert.strictEqual(Files.messageOf(file), message)
  })

  it("reads payloads in the URL alphabet, and refuses bytes that are not UTF-8", () => {
    const payload = JSON.stringify(Files.statement({ predicate: { text: "ÿ?>ÿ?>ÿ?>" } }))
    const standard = Files.base64(payload)
    const url = standard.replaceAll("+", "-").replaceAll("/", "_")
    assert.notStrictEqual(url, standard)
    assert.strictEqual(
      Files.documentOf(Files.envelope("", { payload: url })).facts.kind,
      "statement"
    )
    assert.strictEqual(
      Files.messageOf(Files.envelope("", { payload: "_w==" })),
      "payload: this is not UTF-8"
    )
  })
})

describe("payload types", () => {
  const vex = (payloadType: string) => Files.envelope(Files.openVex(), { payloadType })
  const other =
    "payload: payloadType is not one of in-toto, and the content is none that may be signed bare"

  it("of in-toto have a statement", () => {
    for (const payloadType of [
      "application/vnd.in-toto+json",
      "application/vnd.in-toto.vsa+json"
    ]) {
      const file = Files.envelope(Files.statement(), { payloadType })
      assert.strictEqual(Files.documentOf(file).facts.kind, "statement")
      assert.match(Files.messageOf(vex(payloadType)), /no statement of in-toto$/)
    }
  })

  it("of others have a format that may be signed bare, and never a statement or an envelope", () => {
    for (const payloadType of [
      "text/json",
      "application/vnd.in-toto",
      "application/vnd.in-totox+json",
      "Application/vnd.in-toto+json",
      "application/vnd.in-toto.a b+json"
    ]) {
      const { facts, predicateType } = Files.documentOf(vex(payloadType))
      assert.deepStrictEqual([facts.kind, facts.format.name, predicateType], ["vex", "dsse", null])
      for (const payload of [Files.statement(), Files.envelope(), Files.bundle(), {}, [], 1])
        assert.strictEqual(Files.messageOf(Files.envelope(payload, { payloadType })), other)
    }
  })
})

describe("formats that may be signed bare", () => {
  it("are those of rules 5 to 13", () => {
    const { signed } = Files.documentOf(Files.envelope(Files.openVex(), { payloadType: "a" }))
    if (signed.kind !== "dsse") throw new Error(signed.kind)
    const isRead = (rule: number) =>
      Either.isRight(
        Payload.read(
          { ...Formats.ALL, json: Formats.ALL.json.map((format) => ({ ...format, rule })) },
          signed.envelope
        )
      )
    assert.deepStrictEqual([4, 5, 13, 14].map(isRead), [false, true, true, false])
  })
})

describe("Sigstore bundles", () => {
  it("keep the bundle and its envelope", () => {
    const { signed, facts } = Files.documentOf(Files.bundle())
    assert.strictEqual(signed.kind, "sigstore")
    if (signed.kind !== "sigstore") return
    assert.deepStrictEqual(signed.bundle, Files.bundle())
    assert.strictEqual(signed.envelope?.payloadType, "application/vnd.in-toto+json")
    assert.strictEqual(facts.kind, "statement")
  })

  it("of an answer keep their own bundle", () => {
    const documents = Files.documentsOf(Files.answer(Files.bundle(), Files.fileBundle()))
    assert.deepStrictEqual(
      documents.map(({ signed }) => (signed.kind === "sigstore" ? signed.bundle : null)),
      [Files.bundle(), Files.fileBundle()]
    )
  })

  it("of a bare file are about its digest", () => {
    const { facts, signed, subjects, predicateType } = Files.documentOf(Files.fileBundle())
    assert.deepStrictEqual(JSON.parse(JSON.stringify(subjects)), [
      { name: null, digest: { sha256: Files.SHA256 } }
    ])
    assert.deepStrictEqual([facts.kind, facts.subject_count, predicateType], ["signature", 1, null])
    assert.isNull(signed.kind === "sigstore" ? signed.envelope : undefined)
  })

  it("of a bare file need a digest of the length of its algorithm", () => {
    const file = (messageDigest: unknown) => Files.fileBundle({ messageDigest })
    const at = "messageSignature.messageDigest"
    assert.strictEqual(Files.messageOf(file(undefined)), `${at}.algorithm is not one of SHA-2`)
    assert.strictEqual(
      Files.messageOf(file({ algorithm: "SHA2_256", digest: Files.base64("short") })),
      `${at}.digest is not 32 bytes`
    )
    assert.strictEqual(
      Files.messageOf(file({ algorithm: "SHA2_256", digest: "?" })),
      `${at}.digest is not base64`
    )
  })

  it("have exactly one content", () => {
    const message = "the bundle has not one of dsseEnvelope, messageSignature"
    assert.strictEqual(Files.messageOf(Files.bundle({ dsseEnvelope: undefined })), message)
    assert.strictEqual(Files.messageOf({ ...Files.fileBundle(), ...Files.bundle() }), message)
    assert.strictEqual(
      Files.messageOf(Files.bundle({ dsseEnvelope: 1 })),
      "dsseEnvelope: payloadType is not a text"
    )
    assert.strictEqual(
      Files.messageOf(Files.bundle({ dsseEnvelope: Files.envelope("x") })),
      "dsseEnvelope: payload: this is not valid JSON"
    )
  })

  it("have at most 16 certificates, log entries and timestamps each", () => {
    const items = (count: number) => Array.from({ length: count }, () => ({}))
    const material = (count: number): ReadonlyArray<readonly [string, unknown]> => [
      ["tlogEntries", { tlogEntries: items(count) }],
      ["certificates", { x509CertificateChain: { certificates: items(count) } }],
      ["rfc3161Timestamps", { timestampVerificationData: { rfc3161Timestamps: items(count) } }]
    ]
    for (const [, verificationMaterial] of material(SigstoreBundle.MATERIAL_MAX))
      assert.strictEqual(Files.documentOf(Files.bundle({ verificationMaterial })).line, null)
    for (const [name, verificationMaterial] of material(SigstoreBundle.MATERIAL_MAX + 1))
      assert.strictEqual(
        Files.messageOf(Files.bundle({ verificationMaterial })),
        `${name} has more than 16 items`
      )
  })
})

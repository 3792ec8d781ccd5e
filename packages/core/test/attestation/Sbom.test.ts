/** What a list of the contents of an artifact must say, and when it is compliant. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as AttestationReport from "../../src/attestation/AttestationReport.js"
import * as EvidenceType from "../../src/attestation/EvidenceType.js"
import * as AttestationTypePattern from "../../src/flow/AttestationTypePattern.js"

const decode = Schema.decodeUnknownEither(AttestationReport.SystemReport, {
  onExcessProperty: "error"
})

const digest = FastCheck.constantFrom("a".repeat(64), "A".repeat(64), "b".repeat(64))

const subject = FastCheck.record(
  {
    name: FastCheck.constantFrom("shop", null),
    version: FastCheck.constantFrom("1.4", null),
    purl: FastCheck.constantFrom("pkg:oci/shop@1.4", null),
    sha256: FastCheck.oneof(digest, FastCheck.constantFrom("", null)),
    more: FastCheck.constant(1)
  },
  { requiredKeys: [] }
)

const sent = FastCheck.record(
  {
    attestation_name: FastCheck.constant("contents"),
    type_name: FastCheck.constantFrom("sbom", "system:sbom"),
    artifact_fingerprint: FastCheck.constantFrom("a".repeat(64), "b".repeat(64), null),
    attestation_data: FastCheck.record({
      format: FastCheck.constantFrom("spdx-json", "cyclonedx-json"),
      document: FastCheck.record(
        {
          created_at: FastCheck.constantFrom("2026-11-01T00:00:00Z", 1_790_000_000, null),
          tools: FastCheck.constantFrom(["scanner 1.2"], [{ name: "scanner" }], [], null),
          subject: FastCheck.option(subject),
          package_count: FastCheck.constantFrom(0, 317, null)
        },
        { requiredKeys: [] }
      )
    })
  },
  { requiredKeys: ["attestation_name", "type_name", "attestation_data"] }
)

const read = (body: unknown): AttestationReport.AttestationReport => {
  const decoded = Either.getOrThrow(decode(body))
  if (AttestationReport.isDecision(decoded)) throw new Error("read as a decision")
  return AttestationReport.described(decoded)
}

describe("an sbom", () => {
  it.prop(
    "is compliant unless its subject has another digest than the artifact",
    { sent },
    (given) => {
      const { artifact_fingerprint: artifact, attestation_data } = given.sent
      const told = attestation_data.document.subject?.sha256
      const contradicts =
        typeof artifact === "string" &&
        typeof told === "string" &&
        told !== "" &&
        told.toLowerCase() !== artifact
      const report = read(given.sent)
      assert.deepInclude(report, { type: "sbom", isOverride: false, isCompliant: !contradicts })
      assert.deepStrictEqual(report.body.attestation_data, attestation_data)
    }
  )

  it.prop("is the same as a text of its data", { sent }, ({ sent: body }) => {
    const text = { ...body, attestation_data: JSON.stringify(body.attestation_data) }
    assert.deepStrictEqual(read(text), read(body))
  })

  it.each([
    [{ format: "" }],
    [{ format: null }],
    [{ original_fingerprint: "a".repeat(63) }],
    [{ document: null }],
    [{ document: [] }],
    [{ document: { package_count: -1 } }],
    [{ document: { package_count: 1.5 } }],
    [{ document: { tools: "scanner" } }],
    [{ document: { subject: { sha256: "g".repeat(64) } } }],
    [{ document: { subject: { name: 1 } } }]
  ])("is refused with %j", (wrong) => {
    const attestation_data = { format: "spdx-json", document: {}, ...wrong }
    const body = { attestation_name: "contents", type_name: "sbom", attestation_data }
    assert.isTrue(Either.isLeft(decode(body)))
  })

  it("differs from a decision in `type_name`", () => {
    const data = { format: "spdx-json", document: {}, is_compliant: true }
    const named = { attestation_name: "n", attestation_data: data }
    assert.isTrue(Either.isLeft(decode({ ...named, type_name: "decision" })))
    assert.isTrue(Either.isLeft(decode({ ...named, type_name: "sbom", control: "C-1" })))
    assert.isTrue(Either.isLeft(decode({ ...named, type_name: "other" })))
    assert.isTrue(
      AttestationReport.isDecision(
        Either.getOrThrow(decode({ ...named, type_name: "decision", control: "C-1" }))
      )
    )
  })

  it("has a type for templates and policies, and the same with a prefix on the wire", () => {
    for (const type of EvidenceType.SYSTEM) {
      assert.isTrue(AttestationTypePattern.is(type))
      assert.strictEqual(AttestationTypePattern.toWire(type), `system:${type}`)
      assert.strictEqual(AttestationTypePattern.fromWire(`system:${type}`), type)
    }
    assert.strictEqual(AttestationTypePattern.fromWire("system:other"), "system:other")
    assert.isTrue(AttestationTypePattern.matches("sbom", "sbom"))
    assert.isFalse(AttestationTypePattern.matches("sbom", "decision"))
  })
})

import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as AttestationFacts from "../../src/attestation/AttestationFacts.js"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import { byteLength } from "../../src/shared/internal/SourceText.js"

const SCAN = "custom:attestry-scan"
const SBOM = "custom:attestry-sbom"

const body = (data: object) => ({ attestation_data: data })

const sizeOf = (facts: unknown): number => byteLength(CanonicalJson.print(facts))

const licensesOf = (texts: ReadonlyArray<string>) =>
  body({ licenses: texts.map((license) => ({ license, components: 1 })) })

describe("AttestationFacts", () => {
  it("are counts, signer, state and the age of the database of a scan", () =>
    assert.deepStrictEqual(
      AttestationFacts.of(
        SCAN,
        body({
          kind: "scan",
          created_at: 1_000,
          database_at: 400,
          counts: { critical: 0, high: 2, other: 7 },
          findings: [{ id: "CVE-1" }],
          digest: "d",
          verification: {
            state: "verified",
            rule: "ci",
            signed_at: 990,
            signer: { kind: "sigstore", issuer: "https://issuer.example", san: null }
          }
        })
      ),
      {
        verification: "verified",
        facts: {
          kind: "scan",
          created_at: 1_000,
          database_at: 400,
          database_age_seconds: 600,
          counts: { critical: 0, high: 2 },
          after_vex: { counts: { critical: 0, high: 2 }, denied_count: 0 },
          signed_at: 990,
          signer: { kind: "sigstore", issuer: "https://issuer.example" }
        }
      }
    ))

  it("are the counts that VEX left, where it took findings away", () => {
    const after_vex = { counts: { critical: 0, suppressed: 2 }, denied_count: 2 }
    const data = { counts: { critical: 2, suppressed: 0 }, after_vex: { ...after_vex, denied: [] } }
    assert.deepStrictEqual(AttestationFacts.of(SCAN, body(data)).facts, { ...data, after_vex })
  })

  it("are the people of pull requests, without a state", () => {
    const pull = {
      url: "https://git.example/1",
      author: "Ada",
      approvers: ["Bob", "ada", "ci[bot]"],
      commits: [{ sha1: "a", author: "Ada <ada@users.noreply.github.com>", message: "m" }]
    }
    assert.deepStrictEqual(AttestationFacts.of("pull_request", { pull_requests: [pull] }), {
      verification: null,
      facts: {
        authors: ["ada"],
        approvers: ["ada", "bob", "ci[bot]"],
        independent_reviewers: 1,
        is_agent: false
      }
    })
  })

  it("are the builder, the level and the source of provenance, and the names of licences", () => {
    const data = { builder_id: "b", build_level: 3, source: { uri: "git+x", ref: "main" } }
    assert.deepStrictEqual(AttestationFacts.of("custom:attestry-provenance", body(data)), {
      verification: null,
      facts: data
    })
    assert.deepStrictEqual(AttestationFacts.of(SBOM, licensesOf(["MIT", "GPL-3.0"])).facts, {
      licenses: ["MIT", "GPL-3.0"]
    })
  })

  it("are none for other types and for overrides", () => {
    const none = { verification: null, facts: null }
    const verified = body({ verification: { state: "verified" } })
    for (const type of ["generic", "custom:scan", "custom:attestry", "junit", "__proto__"])
      assert.deepStrictEqual(AttestationFacts.of(type, verified), none)
    assert.isNull(AttestationFacts.stored({ type: "generic", body: {}, isOverride: false }))
    assert.isNull(AttestationFacts.stored({ type: SCAN, body: verified, isOverride: true }))
    assert.deepStrictEqual(
      AttestationFacts.stored({ type: SCAN, body: verified, isOverride: false }),
      { verification: "verified", facts: {} }
    )
  })

  it("name lists that are not whole: those that the evidence cut, and those with other members", () => {
    assert.deepStrictEqual(
      AttestationFacts.of(SBOM, body({ licenses: [], truncated: ["licenses", "findings"] })).facts,
      { licenses: [], truncated: ["licenses"] }
    )
    const long = "l".repeat(AttestationFacts.TEXT_LENGTH_MAX + 1)
    assert.deepStrictEqual(AttestationFacts.of(SBOM, licensesOf(["MIT", long])).facts, {
      licenses: ["MIT"],
      truncated: ["licenses"]
    })
  })

  it("leave out a text of more than 1,024 characters", () => {
    const of = (length: number) =>
      AttestationFacts.of("custom:attestry-provenance", body({ builder_id: "b".repeat(length) }))
    assert.deepStrictEqual(of(1_024).facts, { builder_id: "b".repeat(1_024) })
    assert.deepStrictEqual(of(1_025).facts, {})
  })

  it("have at most 64 KiB, and keep a list that fits", () => {
    const others = Array<string>(64).fill("x".repeat(1_000))
    const last = AttestationFacts.BYTES_MAX - sizeOf({ licenses: [...others, "", ""] })
    const of = (length: number) =>
      AttestationFacts.of(SBOM, licensesOf([...others, "y".repeat(length - 900), "y".repeat(900)]))
        .facts
    assert.strictEqual(sizeOf(of(last)), AttestationFacts.BYTES_MAX)
    assert.notProperty(of(last), "truncated")
    assert.deepStrictEqual(of(last + 1), {
      licenses: others.slice(0, 33),
      truncated: ["licenses"]
    })
    const texts = Object.fromEntries(
      ["kind", "builder_id", "build_type"].map((key) => [key, "é".repeat(1_024)])
    )
    const signer = { kind: "é".repeat(1_024), issuer: "é".repeat(1_024), san: "é".repeat(1_024) }
    const many = AttestationFacts.of(
      "custom:attestry-provenance",
      body({ ...texts, build_level: 3, verification: { state: "failed", signer } })
    )
    assert.isAtMost(sizeOf(many.facts), AttestationFacts.BYTES_MAX)
    assert.strictEqual(many.facts?.build_level, 3)
  })

  it.prop(
    "are computed from any body, within the limit",
    {
      type: FastCheck.constantFrom(SCAN, SBOM, "custom:attestry-statement"),
      data: FastCheck.jsonValue(),
      wild: FastCheck.dictionary(
        FastCheck.constantFrom("licenses", "counts", "verification", "truncated", "source", "tool"),
        FastCheck.jsonValue()
      )
    },
    ({ data, type, wild }) => {
      for (const attestation_data of [data, wild]) {
        const { facts } = AttestationFacts.of(type, { attestation_data })
        assert.isAtMost(sizeOf(facts), AttestationFacts.BYTES_MAX)
        assert.deepStrictEqual(AttestationFacts.of(type, { attestation_data }).facts, facts)
      }
    }
  )
})

/** The rules of a trust policy: which documents each condition lets pass, and which miss is told. */
import { generateKeyPairSync, sign } from "node:crypto"
import type { TrustRule } from "@attestry/core/TrustPolicyDocument"
import { assert, describe, it } from "@effect/vitest"
import type { EvidenceDocument } from "../../src/EvidenceDocument.js"
import * as EvidenceVerifier from "../../src/verification/EvidenceVerifier.js"
import * as Documents from "./Documents.js"

const { publicKey, privateKey } = generateKeyPairSync("ed25519")
const keys = [
  {
    id: "release",
    publicKey: publicKey.export({ format: "pem", type: "spki" }).toString(),
    validUntil: null
  }
]
const payload = Buffer.from("{}")
const bytes = sign(
  null,
  Buffer.from(`DSSEv1 ${Documents.IN_TOTO.length} ${Documents.IN_TOTO} 2 {}`),
  privateKey
)
const signed = Documents.dsse({
  payloadType: Documents.IN_TOTO,
  payload,
  signatures: [{ keyId: null, bytes }]
})

const verify = (
  rules: ReadonlyArray<Partial<TrustRule>>,
  {
    facts = Documents.provenance,
    flows,
    ...rest
  }: Partial<EvidenceDocument> & { readonly flows?: ReadonlyArray<string> } = {}
) =>
  EvidenceVerifier.verify(Documents.documentOf(facts, signed, rest), {
    policy: Documents.policyOf({ keys, rules: rules.map((rule) => Documents.keyRule(rule)) }),
    roots: new Map(),
    now: Documents.NOW,
    ...(flows === undefined ? {} : { flows })
  })

const reasonOf = (...parameters: Parameters<typeof verify>): string | null => {
  const { verification } = verify(...parameters)
  assert.strictEqual(verification.state, verification.reason === null ? "verified" : "untrusted")
  return verification.reason
}

const elsewhere = { kind: "keys", keys: ["other"], threshold: 1 } as const

describe("a rule", () => {
  it("covers kinds or predicates", () => {
    assert.isNull(reasonOf([{ kinds: ["sbom"] }], { facts: Documents.sbom }))
    assert.strictEqual(reasonOf([{ kinds: ["sbom"] }]), "no_rule")
    const predicates = ["https://slsa.dev/provenance/*"]
    assert.isNull(reasonOf([{ kinds: [], predicates }]))
    assert.strictEqual(
      reasonOf([{ kinds: [], predicates }], { predicateType: `${Documents.PROVENANCE}/more` }),
      "no_rule"
    )
    assert.strictEqual(
      reasonOf([{ kinds: [], predicates: ["**"] }], { predicateType: null }),
      "no_rule"
    )
    assert.strictEqual(reasonOf([{ kinds: [] }]), "no_rule")
  })

  it("expects a builder", () => {
    const builder = "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*"
    assert.isNull(reasonOf([{ builder }]))
    const other = { ...Documents.provenance, builder_id: `${Documents.BUILDER}/evil` }
    assert.strictEqual(reasonOf([{ builder }], { facts: other }), "builder_mismatch")
    const none = { ...Documents.provenance, builder_id: null }
    assert.strictEqual(reasonOf([{ builder: "**" }], { facts: none }), "builder_mismatch")
    assert.strictEqual(reasonOf([{ builder: "**" }], { facts: Documents.sbom }), "builder_mismatch")
  })

  it("expects a source, whose address may carry the scheme of Git and the ref", () => {
    const repository = "https://github.com/acme/shop"
    const facts = (uri: string | null, ref: string | null) => ({
      facts: { ...Documents.provenance, source: { uri, commit: null, ref } }
    })
    const rule = { source: { repository, ref: "refs/tags/*" } }
    for (const uri of [repository, `git+${repository}`, `git+${repository}@refs/tags/v1`])
      assert.isNull(reasonOf([rule], facts(uri, "refs/tags/v1")))
    for (const [uri, ref] of [
      [repository, "refs/heads/main"],
      [repository, null],
      [`${repository}.evil`, "refs/tags/v1"],
      [`${repository}@refs/tags/v2`, "refs/tags/v1"],
      [null, "refs/tags/v1"]
    ] as const)
      assert.strictEqual(reasonOf([rule], facts(uri, ref)), "source_mismatch")
    assert.isNull(reasonOf([{ source: { repository, ref: null } }], facts(repository, null)))
    assert.strictEqual(reasonOf([rule], { facts: Documents.sbom }), "source_mismatch")
  })

  it("expects a build type and parameters", () => {
    const buildType = "https://actions.github.io/buildtypes/workflow/*"
    assert.isNull(reasonOf([{ buildType }]))
    assert.strictEqual(reasonOf([{ buildType: "https://a/*" }]), "parameters_mismatch")
    const parameters = { target: "release", retries: "3", matrix: '{"a":[1]}' }
    const given = { target: "release", retries: 3, matrix: { a: [1] } }
    assert.isNull(reasonOf([{ parameters }], { parameters: given }))
    assert.isNull(reasonOf([{ parameters }], { parameters: { ...given, more: 1 } }))
    const strict = { parameters, strictParameters: true }
    assert.isNull(reasonOf([strict], { parameters: given }))
    for (const wrong of [
      { ...given, more: 1 },
      { ...given, target: "releases" },
      { target: "release" }
    ])
      assert.strictEqual(reasonOf([strict], { parameters: wrong }), "parameters_mismatch")
    const none = { parameters: null, strictParameters: true }
    assert.isNull(reasonOf([none]))
    assert.strictEqual(reasonOf([none], { parameters: given }), "parameters_mismatch")
  })

  it("takes no inherited member for a parameter", () => {
    const parameters = { constructor: "x" }
    assert.strictEqual(reasonOf([{ parameters }]), "parameters_mismatch")
    const strict = { parameters: { a: "x" }, strictParameters: true }
    const hidden = JSON.parse('{"__proto__": "x", "a": "x"}')
    assert.strictEqual(reasonOf([strict], { parameters: hidden }), "parameters_mismatch")
  })

  it("expects verifiers and properties of verifications alone", () => {
    const rule = {
      verifiers: ["https://verify.example.org/**"],
      properties: ["ORG_RELEASE_APPROVED"]
    }
    assert.isNull(reasonOf([rule], { facts: Documents.verification }))
    assert.isNull(reasonOf([rule], { facts: Documents.sbom }))
    for (const wrong of [{ verifier: null }, { verifier: "https://evil" }, { levels: [] }])
      assert.strictEqual(
        reasonOf([rule], { facts: { ...Documents.verification, ...wrong } }),
        "no_rule"
      )
    assert.strictEqual(reasonOf([{ verifiers: [] }], { facts: Documents.verification }), "no_rule")
  })

  it("speaks about artifacts of its flows", () => {
    const rule = { flows: ["shop", "web"] }
    assert.isNull(reasonOf([rule], { flows: ["other", "web"] }))
    assert.isNull(reasonOf([rule]))
    assert.isNull(reasonOf([{ flows: null }], { flows: [] }))
    assert.strictEqual(reasonOf([rule], { flows: ["other"] }), "flow_mismatch")
    assert.strictEqual(reasonOf([rule], { flows: [] }), "flow_mismatch")
  })

  it("applies before later ones, and gives its build level", () => {
    const rules = [
      { name: "first", builder: "x" },
      { name: "second", buildLevel: 3 },
      { name: "third", buildLevel: 1 }
    ]
    const { verification, buildLevel } = verify(rules)
    assert.strictEqual(verification.rule, "second")
    assert.strictEqual(buildLevel, 3)
  })

  it("tells the miss of the rule that got furthest", () => {
    const source = { repository: "x", ref: null }
    assert.strictEqual(
      reasonOf([{ builder: "x" }, { source }, { signer: elsewhere }]),
      "source_mismatch"
    )
    assert.strictEqual(reasonOf([{ source }, { builder: "x" }]), "source_mismatch")
    assert.strictEqual(reasonOf([{ signer: elsewhere, builder: "x" }]), "no_rule")
    assert.strictEqual(reasonOf([]), "no_rule")
    const { verification, buildLevel } = verify([{ source }])
    assert.isNull(verification.rule)
    assert.isNull(buildLevel)
    assert.deepStrictEqual(verification.signer, { kind: "key", key_id: "release" })
  })
})

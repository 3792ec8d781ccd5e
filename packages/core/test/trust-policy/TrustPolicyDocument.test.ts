/** Trust policies: what is read, round trips, limits and hostile texts. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as TrustPolicyDocument from "../../src/trust-policy/TrustPolicyDocument.js"
import * as Generated from "../../testing/arbitrary/TrustPolicy.js"
import { HEAD, KEYED, key, pem, problems, RULE, sigstore, withRules } from "./TrustPolicyTexts.js"

const WHOLE = `_schema: https://example.org/schemas/trust-policy/v1
scan: { fail_on: high }
coverage: { min_lines: 80 }
keys:
  - id: release-2026
    public_key: |
      -----BEGIN PUBLIC KEY-----
      AAAABBBB
      CCCC
      -----END PUBLIC KEY-----
    valid_until: 2027-12-31
rules:
  - name: shop is built by its release workflow
    kinds: [provenance, sbom]
    signer:
      sigstore:
        roots: [public-good]
        issuer: https://token.actions.githubusercontent.com
        san: https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*
        source_repository_id: "4711"
    builder: https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*
    build_level: 3
    source: { repository: https://github.com/acme/shop, ref: refs/tags/* }
    flows: [shop]
  - name: security team
    predicates: ["https://openvex.dev/ns*"]
    signer: { keys: [release-2026] }
    verifiers: [https://verify.example.org/**]
    properties: [ORG_RELEASE_APPROVED]
    parameters: { channel: stable }
    strict_parameters: true
    build_type: https://build.example/*
must_be_verified: [sbom]
`

const NO_EXPECTATIONS = {
  builder: null,
  buildLevel: null,
  source: null,
  buildType: null,
  parameters: null,
  strictParameters: false,
  flows: null,
  verifiers: null,
  properties: []
}

describe("TrustPolicyDocument.parse", () => {
  it("reads every member", () => {
    assert.deepStrictEqual(Either.getOrThrow(TrustPolicyDocument.parse(WHOLE)), {
      schema: "https://example.org/schemas/trust-policy/v1",
      failOn: "high",
      minLines: 80,
      keys: [
        {
          id: "release-2026",
          publicKey: "-----BEGIN PUBLIC KEY-----\nAAAABBBB\nCCCC\n-----END PUBLIC KEY-----\n",
          validUntil: Date.UTC(2027, 11, 31) / 1_000
        }
      ],
      rules: [
        {
          ...NO_EXPECTATIONS,
          name: "shop is built by its release workflow",
          kinds: ["provenance", "sbom"],
          predicates: [],
          signer: {
            kind: "sigstore",
            roots: ["public-good"],
            issuer: "https://token.actions.githubusercontent.com",
            san: "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
            sourceRepositoryId: "4711"
          },
          builder: "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*",
          buildLevel: 3,
          source: { repository: "https://github.com/acme/shop", ref: "refs/tags/*" },
          flows: ["shop"]
        },
        {
          ...NO_EXPECTATIONS,
          name: "security team",
          kinds: [],
          predicates: ["https://openvex.dev/ns*"],
          signer: { kind: "keys", keys: ["release-2026"], threshold: 1 },
          verifiers: ["https://verify.example.org/**"],
          properties: ["ORG_RELEASE_APPROVED"],
          parameters: { channel: "stable" },
          strictParameters: true,
          buildType: "https://build.example/*"
        }
      ],
      mustBeVerified: ["sbom"]
    })
  })

  it("fills in the policy of an org without one", () =>
    assert.deepStrictEqual(Either.getOrThrow(TrustPolicyDocument.parse(HEAD)), {
      ...TrustPolicyDocument.NONE,
      schema: "https://h/schemas/trust-policy/v1"
    }))

  it("reads the second of an end, and removes space around lines of a key", () => {
    const spaced = pem("BBBB").replaceAll("\n", " \\n\\n ")
    const end = "valid_until: 1970-01-02T00:00:01Z"
    const text = `${HEAD}keys: [{ id: a, public_key: "  ${spaced}", ${end} }]`
    assert.deepStrictEqual(Either.getOrThrow(TrustPolicyDocument.parse(text)).keys, [
      { id: "a", publicKey: pem("BBBB"), validUntil: 86_401 }
    ])
  })

  it("compares roots with known ones only if some are given", () => {
    const text = withRules(sigstore("https://h/a/b/c"))
    assert.deepStrictEqual(problems(text, null), [])
    assert.deepStrictEqual(problems(text, new Set(["public-good"])), [])
    assert.deepStrictEqual(problems(text, new Set(["public-god", "github"])), [
      "rules.0.signer.sigstore.roots.0 (5): there is no trust root `public-good`: write `public-god`"
    ])
    assert.deepStrictEqual(problems(text, new Set()), [
      "rules.0.signer.sigstore.roots.0 (5): there is no trust root `public-good`: the operator imports one first"
    ])
  })

  it.prop("reads back what print writes", { document: Generated.document }, ({ document }) => {
    const text = TrustPolicyDocument.print(document)
    assert.deepStrictEqual(TrustPolicyDocument.parse(text), Either.right(document))
  })

  it.prop(
    "gives a document or problems for every text",
    {
      text: FastCheck.oneof(
        FastCheck.string({ unit: "binary", maxLength: 200 }),
        FastCheck.record({
          document: Generated.document,
          at: FastCheck.nat(2_000),
          length: FastCheck.nat(20),
          piece: FastCheck.string({ maxLength: 4 })
        }).map(({ at, document, length, piece }) => {
          const text = TrustPolicyDocument.print(document)
          const from = at % text.length
          return text.slice(0, from) + piece + text.slice(from + length)
        })
      )
    },
    ({ text }) => {
      const parsed = TrustPolicyDocument.parse(text)
      if (Either.isLeft(parsed)) {
        assert.strictEqual(parsed.left._tag, "InvalidTrustPolicyDocument")
        assert.isAbove(Object.keys(TrustPolicyDocument.fieldErrors(parsed.left)).length, 0)
      } else
        assert.deepStrictEqual(
          TrustPolicyDocument.parse(TrustPolicyDocument.print(parsed.right)),
          parsed
        )
    }
  )
})

describe("TrustPolicyDocument.parse: limits", () => {
  const body = (index: number) => `A${String(index).padStart(3, "0")}`
  const keys = (count: number) =>
    `${HEAD}keys:\n${Array.from({ length: count }, (_, index) => `  - ${key(`k${index}`, body(index))}\n`).join("")}`
  const rules = (count: number) =>
    withRules(...Array.from({ length: count }, (_, index) => RULE.replace("a,", `r${index},`)))
  const named = (length: number) =>
    withRules(RULE.replace("name: a", `name: ${"n".repeat(length)}`))
  const built = (length: number) =>
    withRules(RULE.replace(" }", ` }, builder: ${"b".repeat(length)}`))
  const parameter = (length: number) =>
    withRules(RULE.replace(" }", ` }, parameters: { ${"p".repeat(length)}: x }`))
  const pemOf = (length: number) =>
    `${HEAD}keys: [{ id: a, public_key: ${JSON.stringify(pem("A".repeat(length - pem("").length)))} }]`

  for (const [name, text, most] of [
    ["keys", keys, TrustPolicyDocument.KEYS_MAX],
    ["rules", rules, TrustPolicyDocument.RULES_MAX],
    ["the name of a rule", named, 255],
    ["a pattern", built, TrustPolicyDocument.TEXT_LENGTH_MAX],
    ["the name of a parameter", parameter, 128]
  ] as const)
    it(`${name}: accepts ${most}, refuses one more`, () => {
      assert.deepStrictEqual(problems(text(most)), [])
      assert.strictEqual(problems(text(most + 1)).length, 1)
    })

  it("a key: accepts 8192 characters, refuses more", () => {
    const most = TrustPolicyDocument.PUBLIC_KEY_LENGTH_MAX
    const fits = most - ((most - pem("").length) % 4)
    assert.deepStrictEqual(problems(pemOf(fits)), [])
    assert.match(problems(pemOf(fits + 4)).join(), /longer than 8192 characters/)
  })

  it("reports at most 101 problems", () => {
    const bad = Array.from({ length: 150 }, (_, index) => `r${index}: 1\n`).join("")
    assert.strictEqual(problems(`${HEAD}${bad}`).length, 101)
  })

  it("compares names that do not exist in bounded time, and lists few of the known ones", () => {
    const long = (index: number) => `k${index}${"x".repeat(36)}`.slice(0, 40)
    const known = Array.from(
      { length: 100 },
      (_, index) => `  - ${key(long(index), body(index))}\n`
    )
    const unknown = Array.from({ length: 500 }, (_, index) =>
      `y${index}${"z".repeat(36)}`.slice(0, 40)
    )
    const text = `${HEAD}keys:\n${known.join("")}rules:\n  - ${RULE.replace("release", unknown.join(", "))}\n`
    const found = problems(text)
    assert.strictEqual(found.length, 101)
    for (const message of found) assert.isBelow(message.length, 3_000)
  })

  it("never shows a private key", () => {
    const key = "-----BEGIN PRIVATE KEY-----\\nSECRET\\n-----END PRIVATE KEY-----"
    const text = `${HEAD}keys: [{ id: a, public_key: "${key}" }]`
    assert.deepStrictEqual(problems(text), [
      "keys.0.public_key (2): this is a private key: replace the key pair, and write the public key"
    ])
    assert.notInclude(problems(text.replaceAll("PRIVATE KEY", "SECRET")).join(), "SECRET")
  })

  it("keeps keys named like members of objects apart", () => {
    assert.deepStrictEqual(problems(`${KEYED}__proto__: {}`), [
      "__proto__ (4): unknown key `__proto__`: the keys here are `_schema`, `scan`, " +
        "`coverage`, `keys`, `rules`, `must_be_verified`"
    ])
    const text = withRules(RULE.replace("release", "constructor"))
    assert.deepStrictEqual(problems(text), [
      "rules.0.signer.keys.0 (5): there is no key `constructor`: the keys are `release`"
    ])
  })
})

/** Remarks about trust policies. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { print } from "../../src/trust-policy/TrustPolicyDocument.js"
import * as TrustPolicyLint from "../../src/trust-policy/TrustPolicyLint.js"
import * as Generated from "../../testing/arbitrary/TrustPolicy.js"
import { HEAD, KEYED, key, RULE, sigstore, withRules } from "./TrustPolicyTexts.js"

const NOW = Date.UTC(2027, 0, 1) / 1_000

const remarks = (text: string): ReadonlyArray<string> =>
  Either.getOrThrow(TrustPolicyLint.check(text, NOW)).map(
    ({ code, column, line, path, severity }) => `${severity} ${code} ${path} (${line}:${column})`
  )

const ending = (end: string): string =>
  `${HEAD}keys:\n  - ${key("release").replace(" }", `, valid_until: ${end} }`)}\nrules:\n  - ${RULE}\n`

describe("TrustPolicyLint.check", () => {
  it("names keys that no rule uses", () => {
    assert.deepStrictEqual(remarks(KEYED), ["info key_unused keys.0.id (3:7)"])
    assert.deepStrictEqual(remarks(withRules(RULE)), [])
  })

  it("names keys whose end is past, from that second on", () => {
    assert.deepStrictEqual(remarks(ending("2027-01-01T00:00:01Z")), [])
    assert.deepStrictEqual(remarks(ending("2027-01-01")), [
      "warning key_ended keys.0.valid_until (3:100)"
    ])
  })

  it("names rules that equal an earlier one, whatever their names", () => {
    const renamed = RULE.replace("name: a", "name: b")
    assert.deepStrictEqual(remarks(withRules(RULE, renamed)), [
      "warning duplicate_rule rules.1 (6:5)"
    ])
    assert.deepStrictEqual(remarks(withRules(RULE, renamed.replace("sbom", "vex"))), [])
  })

  it("names patterns of many owners or repositories", () => {
    const wide = (san: string, more?: string) =>
      remarks(withRules(RULE, sigstore(san, "https://issuer.example", more))).length > 0
    assert.isTrue(wide("*@acme.example"))
    assert.isTrue(wide("https://github.com/**"))
    assert.isTrue(wide("https://github.com/acme/*/.github/workflows/release.yml@**"))
    assert.isFalse(wide("https://github.com/*/x", ', source_repository_id: "1"'))
    assert.isFalse(wide("https://github.com/acme/shop/.github/workflows/*@refs/tags/*"))
    assert.isFalse(wide("anna@acme.example"))
  })

  it("gives the problems of a text that is no policy", () => {
    const checked = TrustPolicyLint.check("keys: []", NOW)
    assert.strictEqual(Either.isLeft(checked) && checked.left._tag, "InvalidTrustPolicyDocument")
  })

  it.prop("checks every policy", { document: Generated.document }, ({ document }) => {
    const codes = Either.getOrThrow(TrustPolicyLint.check(print(document), NOW)).map(
      ({ code }) => code
    )
    const used = new Set(
      document.rules.flatMap(({ signer }) => (signer.kind === "keys" ? signer.keys : []))
    )
    assert.strictEqual(
      codes.filter((code) => code === "key_unused").length,
      document.keys.filter(({ id }) => !used.has(id)).length
    )
  })
})

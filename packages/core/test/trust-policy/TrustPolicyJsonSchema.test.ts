/** The JSON Schema of trust policies agrees with `parse` where it describes the same. */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as YamlText from "../../src/shared/YamlText.js"
import * as TrustPolicyDocument from "../../src/trust-policy/TrustPolicyDocument.js"
import * as TrustPolicyJsonSchema from "../../src/trust-policy/TrustPolicyJsonSchema.js"
import * as Generated from "../../testing/arbitrary/TrustPolicy.js"
import { accepts, node } from "../shared/JsonSchemaModel.js"
import { HEAD, KEYED, key, problems, RULE, sigstore, withRules } from "./TrustPolicyTexts.js"

const valid = (text: string): boolean =>
  accepts(node(TrustPolicyJsonSchema.document), Either.getOrThrow(YamlText.parse(text)).value)

const rule = (members: string): string =>
  withRules(`{ name: a, kinds: [sbom], signer: { keys: [release] }, ${members} }`)

describe("TrustPolicyJsonSchema", () => {
  it.prop("accepts what `parse` accepts", { document: Generated.document }, ({ document }) =>
    assert.isTrue(valid(TrustPolicyDocument.print(document)))
  )

  it("is JSON, of its declared version", () => {
    const document = JSON.parse(JSON.stringify(TrustPolicyJsonSchema.document))
    assert.deepStrictEqual(document, TrustPolicyJsonSchema.document)
    assert.strictEqual(document.$schema, "https://json-schema.org/draft/2020-12/schema")
  })

  const texts: ReadonlyArray<readonly [text: string, isValid: boolean]> = [
    [HEAD, true],
    [KEYED, true],
    [withRules(RULE, sigstore("https://github.com/**")), true],
    ["keys: []", false],
    ["_schema: https://h/v2", false],
    [`${HEAD}scan: { fail_on: all }`, false],
    [`${HEAD}coverage: { min_lines: 100.5 }`, false],
    [`${HEAD}keys: [{ id: a }]`, false],
    [`${HEAD}keys: [${key("-a")}]`, false],
    [`${HEAD}must_be_verified: []`, false],
    [`${HEAD}must_be_verified: [sbom, sbom]`, false],
    [rule("flows: []"), false],
    [rule("flows: [a/b]"), false],
    [rule("predicates: [a]"), false],
    [rule("source: {}"), false],
    [rule("build_level: 1.5"), false],
    [rule("build_level: 4"), false],
    [rule("parameters: { a: 1 }"), false],
    [rule("nothing: 1"), false],
    [withRules(sigstore("**")), false],
    [withRules(sigstore("a", "http://h")), false],
    [withRules(RULE.replace("[release]", "[release], sigstore: {}")), false],
    [withRules("{ name: a, signer: { keys: [release] } }"), false]
  ]
  for (const [text, isValid] of texts)
    it(`${isValid ? "accepts" : "refuses"} as \`parse\` does: ${text.replace(KEYED, "").replace(HEAD, "")}`, () => {
      assert.strictEqual(valid(text), isValid)
      assert.strictEqual(problems(text).length === 0, isValid)
    })
})

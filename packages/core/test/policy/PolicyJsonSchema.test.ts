// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyJsonSchema from "../../src/policy/PolicyJsonSchema.js"
import * as YamlText from "../../src/shared/YamlText.js"
import * as Generated from "../../testing/PolicyDocument.js"
import { accepts, node } from "../shared/JsonSchemaModel.js"

const valid = (text: string) => {
  const { value } = Either.getOrThrow(YamlText.parse(text))
  return Object.values(PolicyJsonSchema.documents).some((schema) => accepts(node(schema), value))
}

const HEAD = "_schema: https://x.example/v1\n"
const rule = (body: string) => `${HEAD}artifacts: { attestations: [{ ${body} }] }`

describe("PolicyJsonSchema", () => {
  it.prop("accepts what `parse` accepts", { document: Generated.document }, ({ document }) =>
    assert.isTrue(valid(PolicyDocument.print(document)))
  )

  it.prop("accepts documents with ages", { document: Generated.agedDocument }, ({ document }) =>
    assert.isTrue(valid(PolicyDocument.print(document)))
  )

  it.prop(
    "accepts documents that ask about facts",
    { document: Generated.askingDocument },
    ({ document }) => assert.isTrue(valid(PolicyDocument.print(document)))
  )

  it("is JSON, of its declared version", () => {
    for (const schema of Object.values(PolicyJsonSchema.documents)) {
      const document = JSON.parse(JSON.stringify(schema))
      assert.deepStrictEqual(document, schema)
      assert.strictEqual(document.$schema, "https://json-schema.org/draft/2020-12/schema")
    }
  })

  const texts: ReadonlyArray<readonly [text: string, isValid: boolean]> = [
    [HEAD, true],
    [rule("type: junit"), true],
    [rule("type: custom:x, if: null, for_control: null"), true],
    [rule("type: '*', name: unit"), true],
    [rule("type: junit, if: { text: exists(flow) }"), true],
    ["artifacts: {}", false],
    ["_schema: https://x.example/v2", true],
    ["_schema: https://x.example/v3", false],
    [rule("type: junit, max_age: 7d"), false],
    [rule("type: junit, max_age: 7d").replace("v1", "v2"), true],
    [rule("type: junit, max_age: 7 days").replace("v1", "v2"), false],
    [rule("type: junit, must_be_verified: true"), false],
    [rule("type: junit, must_be_verified: true").replace("v1", "v2"), true],
    [rule("type: junit, must_be_verified: yes").replace("v1", "v2"), false],
    [rule("type: junit, where: { text: facts.a == 1 }"), false],
    [rule("type: junit, where: { text: facts.a == 1 }").replace("v1", "v2"), true],
    [rule("type: junit, where: facts.a == 1").replace("v1", "v2"), false],
    ["_schema: https://v1", false],
    [`${HEAD}extra: 1`, false],
    [`${HEAD}artifacts: { trail_compliance: {} }`, false],
    [`${HEAD}artifacts: { provenance: { required: yes } }`, false],
    [`${HEAD}artifacts: { provenance: { exceptions: [{}] } }`, false],
    [`${HEAD}artifacts: { attestations: {} }`, false],
    [rule("name: unit"), false],
    [rule("type: pull-request"), false],
    [rule("type: 'custom:'"), false],
    [rule("type: '*'"), false],
    [rule("type: '*', name: '*'"), false],
    [rule("type: junit, name: a.b"), false],
    [rule("type: junit, for_control: CTL-7"), false],
    [rule("type: decision, for_control: ''"), false],
    [rule("type: junit, if: exists(flow)"), false],
    [rule("type: junit, exceptions: []"), false],
    [`${HEAD}artifacts: { attestations: [${"{ type: junit },".repeat(101)}] }`, false]
  ]
  for (const [text, isValid] of texts)
    it(`and \`parse\` ${isValid ? "accept" : "refuse"} ${text.slice(0, 90).replace(HEAD, "… ")}`, () => {
      assert.strictEqual(valid(text), isValid)
      assert.strictEqual(Either.isRight(PolicyDocument.parse(text)), isValid)
    })
})

/** Completions in a policy file. */
import * as PolicyJsonSchema from "@attestry/core/PolicyJsonSchema"
import { assert, describe, it } from "vitest"
import { completionsAt, pathAt } from "../../app/policy/PolicyCompletion.js"

const words = {
  schema: PolicyJsonSchema.documents[2],
  attestationNames: ["scan", "unit-tests"],
  controls: [{ identifier: "SDLC-7", name: "Peer review" }],
  tagKeys: ["risk"]
}

const labels = (text: string) => completionsAt(text, words)?.options.map(({ label }) => label)

describe("completions", () => {
  it("are keys of the schema at their depth", () => {
    assert.deepStrictEqual(labels(""), ["_schema", "artifacts"])
    assert.deepStrictEqual(labels("_schema: x\nar"), ["artifacts"])
    assert.deepStrictEqual(labels("artifacts:\n  "), [
      "provenance",
      "trail-compliance",
      "attestations"
    ])
    assert.deepStrictEqual(labels("artifacts:\n  provenance:\n    req"), ["required"])
    assert.deepStrictEqual(labels("artifacts:\n  provenance:\n    exceptions:\n      - "), ["if"])
  })

  it("are keys and words of rules, in block and in flow style", () => {
    const list = "artifacts:\n  attestations:\n    - "
    assert.include(labels(list) ?? [], "for_control")
    assert.include(labels(`${list}type: sn`) ?? [], "snyk")
    assert.include(labels(`${list}{type: ju`) ?? [], "junit")
    assert.include(labels(`${list}{type: junit, na`) ?? [], "name")
    assert.deepStrictEqual(labels(`${list}{type: junit, name: u`), ["unit-tests"])
    assert.deepStrictEqual(labels(`${list}{type: decision, for_control: `), ["SDLC-7"])
    assert.deepStrictEqual(labels(`${list}type: junit\n      must_be_compliant: `), [
      "true",
      "false"
    ])
  })

  it("are paths, tags and functions inside a condition", () => {
    const condition = "artifacts:\n  attestations:\n    - type: junit\n      if: ${" + "{ "
    assert.deepStrictEqual(labels(`${condition}flow.tags.`), ["flow.tags.risk"])
    assert.include(labels(condition) ?? [], "matches(")
    assert.deepStrictEqual(labels(`${condition}art`), ["artifact.name", "artifact.fingerprint"])
  })

  it("are none for a word that is complete, so that Enter begins a line", () => {
    const rule = "artifacts:\n  attestations:\n    - "
    assert.isUndefined(labels(`${rule}type: snyk`))
    assert.isUndefined(labels(`${rule}name: unit-tests`))
    assert.isUndefined(labels("artifacts:\n  provenance:\n    required: true"))
    assert.deepStrictEqual(labels("artifacts"), ["artifacts"])
  })

  it("are none where nothing fits, and say how much they replace", () => {
    assert.isUndefined(labels("nonsense: here: x"))
    assert.strictEqual(completionsAt("artifacts:\n  prov", words)?.length, 4)
    assert.isUndefined(completionsAt("zzz", words))
  })

  it("find the way to a line by its indentation", () => {
    const lines = ["artifacts:", "  provenance:", "    required: true", "  attestations:"]
    assert.deepStrictEqual(pathAt(lines, 4), ["artifacts", "attestations"])
    assert.deepStrictEqual(pathAt(lines.slice(0, 3), 4), ["artifacts", "provenance"])
    assert.deepStrictEqual(pathAt(lines, 0), [])
  })
})

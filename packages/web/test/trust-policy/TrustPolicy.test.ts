/** The trust policy on its page: rules in words, problems of the server, and the example for an org without one. */
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import { Either } from "effect"
import { assert, describe, it } from "vitest"
import * as ServerProblems from "../../app/trust-policy/ServerProblems.js"
import { starter } from "../../app/trust-policy/TrustPolicyStarter.js"
import { lineOf } from "../../app/trust-policy/TrustRuleText.js"
import { trustText } from "../fixture/TrustTexts.js"

const linesOf = (text: string) =>
  Either.getOrThrow(TrustPolicyDocument.parse(text)).rules.map(lineOf)

const withRule = (...lines: ReadonlyArray<string>) =>
  linesOf(
    [
      "_schema: https://attestry.example.com/schemas/trust-policy/v1",
      "keys:",
      ...["a", "b", "c"].map(
        (id) =>
          `  - {id: ${id}, public_key: "-----BEGIN PUBLIC KEY-----\\nAAA${id}\\n-----END PUBLIC KEY-----\\n"}`
      ),
      "rules:",
      "  - name: r",
      ...lines.map((line) => `    ${line}`),
      ""
    ].join("\n")
  )[0]

describe("a rule in words", () => {
  it("names the evidence and the signer", () => {
    assert.deepStrictEqual(linesOf(trustText("release")), [
      { name: "release", about: "provenance, sbom", signer: "key release-2026", demands: [] }
    ])
    const [identity] = linesOf(starter("https://attestry.example.com"))
    assert.strictEqual(
      identity?.signer,
      "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/*, by " +
        "https://token.actions.githubusercontent.com (public-good)"
    )
  })

  it("counts the keys that must have signed", () => {
    const by = (signer: string) => withRule("kinds: [sbom]", `signer: ${signer}`)?.signer
    assert.strictEqual(by("{keys: [a, b, c], threshold: 2}"), "2 of the keys a, b, c")
    assert.strictEqual(by("{keys: [a, b]}"), "one of the keys a, b")
  })

  it("has every further demand", () => {
    const rule = withRule(
      'predicates: ["https://slsa.dev/*"]',
      "signer: {keys: [a]}",
      "builder: https://build.example/*",
      "build_level: 3",
      "source: {repository: https://git.example/shop, ref: refs/tags/*}",
      "build_type: https://type.example/v1",
      "parameters: {channel: stable}",
      "strict_parameters: true",
      "verifiers: [https://verify.example]",
      "properties: [APPROVED]",
      "flows: [shop, pay]"
    )
    assert.strictEqual(rule?.about, "https://slsa.dev/*")
    assert.deepStrictEqual(rule?.demands, [
      "builder https://build.example/*",
      "builds of level 3",
      "source https://git.example/shop",
      "ref refs/tags/*",
      "build type https://type.example/v1",
      "no parameters but channel = stable",
      "verifiers https://verify.example",
      "properties APPROVED",
      "flows shop, pay"
    ])
  })
})

describe("problems of the server", () => {
  it("are those of core, at their lines", () => {
    const text = trustText("a", "a").replace("kinds: [provenance, sbom]", "kinds: [nonsense]")
    const { problems } = Either.getOrThrow(
      Either.flip(TrustPolicyDocument.parse(text.replace("2031-12-31", "never")))
    )
    assert.isAbove(problems.length, 2)
    const errors = TrustPolicyDocument.fieldErrors(
      Either.getOrThrow(Either.flip(TrustPolicyDocument.parse(text.replace("2031-12-31", "never"))))
    )
    assert.deepStrictEqual(ServerProblems.make(new Map(Object.entries(errors))), problems)
  })

  it("keep several messages of one path apart, and a message without a position whole", () => {
    const errors = new Map([
      ["rules.0", "line 9, column 3: one; with more; line 4, column 1: two"],
      ["", "there are more"]
    ])
    assert.deepStrictEqual(ServerProblems.make(errors), [
      { line: 1, column: 1, path: "", message: ": there are more" },
      { line: 4, column: 1, path: "rules.0", message: "two" },
      { line: 9, column: 3, path: "rules.0", message: "one; with more" }
    ])
  })
})

describe("the example", () => {
  it("is a trust policy", () => {
    assert.isTrue(
      Either.isRight(TrustPolicyDocument.parse(starter("https://attestry.example.com")))
    )
  })
})

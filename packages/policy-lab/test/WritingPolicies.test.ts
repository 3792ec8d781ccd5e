/** Every snippet of docs/WRITING-POLICIES.md says what it claims. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as TrustPolicyLint from "@attestry/core/TrustPolicyLint"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyLint from "../src/lint/PolicyLint.js"
import * as PolicyTests from "../src/policy-tests/PolicyTests.js"

const page = readFileSync(join(import.meta.dirname, "../../../docs/WRITING-POLICIES.md"), "utf8")

const snippets = [...page.matchAll(/<!-- (\w+) -->\n```\w+\n([\s\S]*?)```/g)].map(
  ([, kind = "", text = ""]) => ({ kind, text })
)

const of = (kind: string): ReadonlyArray<string> =>
  snippets.filter((snippet) => snippet.kind === kind).map(({ text }) => text)

const parse = (text: string) => Either.getOrThrowWith(PolicyDocument.parse(text), (error) => error)

describe("docs/WRITING-POLICIES.md", () => {
  it("labels every snippet, so that each is tested", () => {
    assert.strictEqual(snippets.length, (page.match(/^```\w+$/gm) ?? []).length)
  })

  it("has policies that are valid and without a remark", () => {
    for (const text of [...of("policy"), ...of("aged"), ...of("asked"), ...of("release")])
      assert.deepStrictEqual(PolicyLint.check(text), Either.right([]))
  })

  it("shows the problems of the text that is refused", () => {
    const [text = ""] = of("refused")
    const found = Either.match(PolicyDocument.parse(text), {
      onLeft: ({ problems }) =>
        problems.map(({ column, line, message }) => `${line}:${column} ${message}\n`).join(""),
      onRight: () => "valid"
    })
    assert.strictEqual(found, of("problems")[0])
  })

  it("shows the remarks of the text that is linted", () => {
    const [text = ""] = of("lint")
    const remarks = Either.getOrThrow(PolicyLint.check(text)).map(
      ({ code, column, line, message, severity }) =>
        `${line}:${column} ${severity}[${code}] ${message}\n`
    )
    assert.strictEqual(remarks.join(""), of("remarks")[0])
  })

  it("has tests that pass", () => {
    const policy = parse(of("policy").at(-1) ?? "")
    for (const text of of("tests")) {
      const run = PolicyTests.run(policy, Either.getOrThrow(PolicyTests.parse(text)))
      assert.deepStrictEqual([run.failed, run.passed], [0, 4])
    }
  })

  it("has tests of ages that pass, and whose rules all pass and fail", () => {
    const policy = parse(of("aged")[0] ?? "")
    const tests = Either.getOrThrow(PolicyTests.parse(of("agedtests")[0] ?? ""))
    const { coverage, failed, passed } = PolicyTests.run(policy, tests)
    assert.deepStrictEqual([failed, passed], [0, 3])
    assert.deepStrictEqual(
      coverage.rules.map((rule) => [rule.passed > 0, rule.failed > 0]),
      [
        [true, true],
        [true, true],
        [true, false]
      ]
    )
  })

  it("has tests of facts that pass", () => {
    const policy = parse(of("asked")[0] ?? "")
    const tests = Either.getOrThrow(PolicyTests.parse(of("askedtests")[0] ?? ""))
    const { failed, passed } = PolicyTests.run(policy, tests)
    assert.deepStrictEqual([failed, passed], [0, 2])
  })

  it("has tests of a release that pass, and whose rules all pass and fail", () => {
    const policy = parse(of("release")[0] ?? "")
    const tests = Either.getOrThrow(PolicyTests.parse(of("releasetests")[0] ?? ""))
    const { coverage, failed, passed } = PolicyTests.run(policy, tests)
    assert.deepStrictEqual([failed, passed], [0, 4])
    for (const rule of coverage.rules) assert.isTrue(rule.passed > 0 && rule.failed > 0)
  })

  it("has a trust policy of a release that is valid and without a remark", () => {
    const [text = ""] = of("releasetrust")
    assert.deepStrictEqual(TrustPolicyLint.check(text, 0), Either.right([]))
  })

  it("names commands that the command line has", () => {
    for (const text of of("command"))
      for (const line of text.trim().split("\n"))
        assert.match(line, /^attestry (?:policy (?:lint|test|diff|suggest)|put policy|trust lint) /)
  })
})

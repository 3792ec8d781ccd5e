/** The rules of namespaces: which entry holds, what it leaves to the flags, and what is no rules file. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as AdmissionRules from "../../src/admission/AdmissionRules.js"
import { Arguments } from "../../src/shared/Arguments.js"
import { CommandFailure } from "../../src/shared/CommandFailure.js"
import { folder } from "../shared/Run.js"

const read = (text: string, flags: Readonly<Record<string, ReadonlyArray<string>>> = {}) => {
  const cwd = folder()
  writeFileSync(join(cwd, "rules.yaml"), text)
  const values = new Map(Object.entries({ rules: ["rules.yaml"], ...flags }))
  return AdmissionRules.read({ cwd }, new Arguments(values, []))
}

const problemOf = async (text: string): Promise<string> => {
  const thrown = await read(text).then(
    () => undefined,
    (failure: unknown) => failure
  )
  if (!(thrown instanceof CommandFailure)) return assert.fail(`${text}: ${String(thrown)}`)
  assert.strictEqual(thrown.word, "usage")
  return thrown.message
}

const entries = (...lines: ReadonlyArray<string>): string =>
  ["version: 1", "namespaces:", ...lines, ""].join("\n")

describe("the rules of namespaces", () => {
  it("are those of the first entry that fits, with the flags for what it leaves out", async () => {
    const ruleOf = await read(
      entries(
        "  - { namespace: shop, environment: prod, mode: enforce, fail: closed, break_glass: false }",
        "  - { namespace: /^pay-/, policies: [one, two] }",
        "  - { namespace: pay-eu, environment: never }",
        "  - { namespace: kube-system, ignore: true }",
        "  - { namespace: plain }"
      ),
      { environment: ["rest"], mode: ["enforce"] }
    )
    const rest = {
      scope: { type: "environment", environment: "rest" },
      mode: "enforce",
      fail: "open",
      allowsBreakGlass: true
    }
    assert.deepStrictEqual(ruleOf("shop"), {
      scope: { type: "environment", environment: "prod" },
      mode: "enforce",
      fail: "closed",
      allowsBreakGlass: false
    })
    assert.deepStrictEqual(ruleOf("pay-eu")?.scope, { type: "policies", policies: ["one", "two"] })
    assert.isUndefined(ruleOf("kube-system"))
    assert.deepStrictEqual([ruleOf("plain"), ruleOf("shops")], [rest, rest])
  })

  it("leave a namespace without an entry alone, if no flag says what decides", async () => {
    const ruleOf = await read(entries("  - { namespace: shop, environment: prod }"))
    assert.strictEqual(ruleOf("shop")?.mode, "warn")
    assert.isUndefined(ruleOf("other"))
  })

  it("name the place of a problem", async () => {
    const problems: ReadonlyArray<readonly [string, string]> = [
      ["version: 2\nnamespaces: []\n", "expected version: 1"],
      [entries("  - { environment: prod }"), "an entry needs a namespace"],
      [entries("  - { namespace: a }"), "an entry needs `environment` or `policies`"],
      [entries("  - { namespace: a, environment: b, modes: warn }"), "unknown key `modes`"],
      [
        entries("  - { namespace: a, environment: b, mode: deny }"),
        "expected one of warn, enforce"
      ],
      [entries("  - { namespace: a, environment: b, fail: 1 }"), "expected a text"],
      [entries("  - { namespace: a, environment: b, policies: [c] }"), "cannot stand together"],
      [entries("  - { namespace: /(/, environment: b }"), "rules.yaml:3:"]
    ]
    for (const [text, problem] of problems) assert.include(await problemOf(text), problem, text)
  })

  it("have at most 1,000 entries", async () => {
    const many = (count: number) =>
      entries(
        ...Array.from({ length: count }, (_, at) => `  - { namespace: n${at}, ignore: true }`)
      )
    await read(many(AdmissionRules.ENTRIES_MAX))
    assert.include(await problemOf(many(AdmissionRules.ENTRIES_MAX + 1)), "more than 1000 entries")
  })
})

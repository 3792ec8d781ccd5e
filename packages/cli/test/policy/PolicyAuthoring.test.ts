/** Remarks, tests, comparison and suggestion of policies on the command line, with golden output. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { folder, run } from "../shared/Run.js"

const policy = (...rules: ReadonlyArray<string>): string =>
  `_schema: https://example.com/v1\nartifacts:\n  attestations:\n${rules.map((rule) => `    - ${rule}\n`).join("")}`

const UNIT = "{ type: junit, name: unit }"
const SCAN = `{ type: snyk, name: scan, if: '\${{ flow.tags.risk == "high" }}' }`

const TESTS = `tests:
  - name: high risk needs a scan
    flows: { shop: { tags: { risk: high }, attestations: [ { name: unit, type: junit } ] } }
    expect: NON-COMPLIANT
    reasons: [ { type: missing_attestation, attestation_name: scan } ]
  - name: low risk needs none
    flows: { shop: { tags: { risk: low }, attestations: [ { name: unit, type: junit } ] } }
    expect: COMPLIANT
`

const files = (named: { readonly [name: string]: string }): string => {
  const cwd = folder()
  for (const [name, text] of Object.entries(named)) writeFileSync(join(cwd, name), text)
  return cwd
}

describe("attestry policy lint: remarks", () => {
  const cwd = files({
    "p.yaml": policy(
      UNIT,
      "{ type: junit, name: unit, must_be_compliant: false }",
      `{ type: snyk, if: '\${{ flow.tags.risk > 5 }}' }`,
      `{ type: jira, if: '\${{ flow.name == "a" and flow.name == "b" }}' }`
    )
  })

  it("shows remarks with code and place, and ends with 1 for warnings only when strict", async () => {
    const plain = await run(["policy", "lint", "p.yaml"], { cwd })
    assert.strictEqual(plain.code, 0)
    golden("policy-lint-remarks.pipe", plain.stdout)
    const json = await run(["policy", "lint", "p.yaml", "--output", "json"], { cwd })
    golden("policy-lint-remarks.json", json.stdout)
    assert.strictEqual((await run(["policy", "lint", "p.yaml", "--strict"], { cwd })).code, 1)
  })
})

describe("attestry policy test", () => {
  const cwd = files({
    "p.yaml": policy(UNIT, SCAN),
    "t.yaml": TESTS,
    "wrong.yaml": TESTS.replace("expect: COMPLIANT", "expect: NON-COMPLIANT"),
    "bad.yaml": "tests:\n  - { name: a }\n",
    "no.yaml": "a: 1\n"
  })

  it("ends with 0 when all pass, and says what no test shows", async () => {
    const good = await run(["policy", "test", "p.yaml", "t.yaml"], { cwd })
    assert.strictEqual(good.code, 0)
    golden("policy-test-gaps.pipe", good.stdout)
  })

  it("ends with 1 for a failing test and writes JUnit XML", async () => {
    const bad = await run(["policy", "test", "p.yaml", "wrong.yaml", "--junit", "out.xml"], { cwd })
    assert.strictEqual(bad.code, 1)
    golden("policy-test-failing.pipe", bad.stdout)
    golden("policy-test-failing.xml", readFileSync(join(cwd, "out.xml"), "utf8"))
  })

  it("ends with 2 for texts that cannot be read, and names the place", async () => {
    const tests = await run(["policy", "test", "p.yaml", "bad.yaml"], { cwd })
    assert.strictEqual(tests.code, 2)
    assert.include(tests.stderr, "bad.yaml:2:5")
    assert.include(tests.stderr, "`expect` is missing")
    assert.strictEqual((await run(["policy", "test", "no.yaml", "t.yaml"], { cwd })).code, 2)
  })
})

describe("attestry policy diff", () => {
  const cwd = files({ "old.yaml": policy(UNIT), "new.yaml": policy(UNIT, SCAN) })
  const diff = (...args: ReadonlyArray<string>) => run(["policy", "diff", ...args], { cwd })

  it("says stronger with an example, and weaker the other way round", async () => {
    const stronger = await diff("old.yaml", "new.yaml", "--fail-if", "weaker")
    assert.strictEqual(stronger.code, 0)
    golden("policy-diff-stronger.pipe", stronger.stdout)
    const weaker = await diff("new.yaml", "old.yaml", "--fail-if", "weaker")
    assert.strictEqual(weaker.code, 1)
    assert.match(weaker.stdout, /^weaker: the new policy accepts more/)
    const same = await diff("old.yaml", "old.yaml", "--fail-if", "different")
    assert.deepStrictEqual(
      [same.code, same.stdout],
      [0, "equivalent: both accept the same artifacts\n"]
    )
  })
})

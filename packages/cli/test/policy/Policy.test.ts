/** Policies without a server: problems with their places, and verdicts by core's evaluator. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const POLICY =
  "_schema: https://example.com/v1\nartifacts:\n  attestations:\n    - { type: junit }\n"

const facts = (isCompliant: boolean) => ({
  artifact: { name: "web", fingerprint: "" },
  flows: [
    {
      flow_name: "shop",
      tags: {},
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations: [
        {
          sequence: 1,
          name: "unit",
          type: "junit",
          is_compliant: isCompliant,
          level: "artifact",
          control: null
        }
      ]
    }
  ]
})

const files = (named: { readonly [name: string]: string }): string => {
  const cwd = folder()
  for (const [name, text] of Object.entries(named)) writeFileSync(join(cwd, name), text)
  return cwd
}

describe("attestry policy lint", () => {
  it("tells policies and templates apart, and ends with 1 for a problem", async () => {
    const template = "version: 1\ntrail:\n  attestations: []\n"
    const cwd = files({ "p.yaml": POLICY, "t.yaml": template, "bad.yaml": `${POLICY}rules: []\n` })
    const good = await run(["policy", "lint", "p.yaml", "t.yaml"], { cwd })
    assert.deepStrictEqual(
      [good.code, good.stdout],
      [0, "p.yaml: ok (policy)\nt.yaml: ok (template)\n"]
    )
    const bad = await run(["policy", "lint", "bad.yaml"], { cwd })
    assert.strictEqual(bad.code, 1)
    assert.match(bad.stdout, /^bad\.yaml:5:1: unknown key `rules`/)
    assert.strictEqual((await run(["policy", "lint", "none.yaml"], { cwd })).code, 7)
  })

  it("annotates the lines of problems in a job, and writes a summary", async () => {
    const cwd = files({ "p.yaml": POLICY, "bad.yaml": `${POLICY}"rules\\n::error::x": []\n` })
    const summary = join(cwd, "summary.md")
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary }
    const argv = ["policy", "lint", "p.yaml", "bad.yaml"]
    const { code, stderr } = await run(argv, { cwd, env })
    assert.strictEqual(code, 1)
    assert.match(
      stderr,
      /^::error file=bad\.yaml,line=5,col=1,title=attestry policy lint::[^\n]+\n$/
    )
    const written = readFileSync(summary, "utf8")
    assert.match(written, /^### Policies: 1 problem, 0 warnings in 2 files\n/)
    assert.include(written, "- error `bad.yaml:5:1` unknown key")
    assert.notMatch(written, /^::|\n::/)
    const silent = await run([...argv, "--no-ci"], { cwd, env })
    assert.deepStrictEqual([silent.code, silent.stderr], [1, ""])
  })
})

describe("attestry policy evaluate", () => {
  it("ends with 0 for compliant, 1 for not, 2 for a bad policy and 7 for what are no facts", async () => {
    const cwd = files({
      "p.yaml": POLICY,
      "bad.yaml": "a: 1\n",
      "yes.json": JSON.stringify(facts(true)),
      "no.json": JSON.stringify(facts(false)),
      "none.json": "{}"
    })
    const evaluate = (policy: string, name: string) =>
      run(["policy", "evaluate", policy, "--facts", name], { cwd })
    assert.strictEqual((await evaluate("p.yaml", "yes.json")).code, 0)
    const no = await evaluate("p.yaml", "no.json")
    assert.strictEqual(no.code, 1)
    assert.include(no.stdout, "`web` is not compliant: 1 of 1 policy says no")
    assert.strictEqual((await evaluate("bad.yaml", "yes.json")).code, 2)
    assert.strictEqual((await evaluate("p.yaml", "none.json")).code, 7)
  })
})

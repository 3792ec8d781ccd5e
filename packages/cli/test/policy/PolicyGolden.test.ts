/** The golden output of policies and rule engines for terminals, pipes and programs. */
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { SHA } from "../shared/TestJob.js"

const policy = (...rules: ReadonlyArray<string>): string =>
  `_schema: https://example.com/v1\nartifacts:\n  attestations:\n${rules.map((rule) => `    - ${rule}\n`).join("")}`

const UNIT = "{ type: junit, name: unit }"

const TESTS = `tests:
  - name: tests are enough
    flows: { shop: { attestations: [ { name: unit, type: junit } ] } }
    expect: COMPLIANT
`

const FACTS = JSON.stringify({
  artifact: { name: "web", fingerprint: "" },
  flows: [
    {
      flow_name: "shop",
      tags: {},
      trail_name: "t",
      artifact_status: "COMPLIANT",
      attestations: []
    }
  ]
})

/** A program that stands for opa, and refuses. */
const OPA = `#!/bin/sh
cat > /dev/null
echo '{"result":[{"expressions":[{"value":{"allow":false,"violations":["unit is missing"]}}]}]}'
`

onEveryStore("what policies print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: { PATH: `${cwd}:${process.env.PATH}` } }
  const play = player(stage)
  const machine = machineOf(stage)

  beforeAll(async () => {
    for (const [name, text] of [
      ["old.yaml", policy(UNIT)],
      ["new.yaml", policy(UNIT, "{ type: snyk, name: scan }")],
      ["remarks.yaml", policy(UNIT, "{ type: junit, name: unit, must_be_compliant: false }")],
      ["tests.yaml", TESTS],
      ["facts.json", FACTS],
      ["rules.rego", "package policy\n"],
      ["opa", OPA],
      ["app.txt", "app\n"]
    ] as const)
      writeFileSync(join(cwd, name), text)
    chmodSync(join(cwd, "opa"), 0o755)
    for (const argv of [
      ["put", "flow", "shop", "--description", "x"],
      ["put", "environment", "prod", "--kind", "server"],
      ["begin", "t", "-f", "shop"],
      ["attest", "artifact", "app.txt", "--slot", "app", "-f", "shop", "-T", "t"].concat([
        "--commit",
        SHA,
        "--build-url",
        "https://ci.example.org/1",
        "--commit-url",
        "https://git.example.org/c"
      ]),
      ["report", "paths", "prod", "--path", "app=app.txt"]
    ])
      assert.strictEqual((await run(argv, machine())).code, 0, argv.join(" "))
  })

  it("without a server", async () => {
    await play("policy-lint", ["policy", "lint", "remarks.yaml", "--no-ci"])
    await play("policy-test", ["policy", "test", "old.yaml", "tests.yaml"])
    await play("policy-diff", ["policy", "diff", "old.yaml", "new.yaml"])
    await play("policy-evaluate", ["policy", "evaluate", "old.yaml", "--facts", "facts.json"], 1)
  })

  it("with what runs", async () => {
    await play("policy-suggest", ["policy", "suggest", "prod", "--min-artifacts", "1"])
  })

  it("with a rule engine", async () => {
    const input = ["evaluate", "input", "--file", "facts.json", "--rego", "rules.rego"]
    await play("evaluate-input", input, 1)
  })
})

/** A whole pipeline as people and programs see it, on each store: every command with its golden output. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { golden } from "./shared/Golden.js"
import { folder, type Machine, type Ran, run } from "./shared/Run.js"
import { onEveryStore } from "./shared/TestDeployment.js"
import * as TestJob from "./shared/TestJob.js"

const JOB = { ...TestJob.JOB, GITHUB_REF_NAME: "main", GITHUB_REF_TYPE: "branch" }

const TEMPLATE = `version: 1
trail:
  attestations:
    - { name: review, type: generic }
  artifacts:
    - name: web
      attestations:
        - { name: unit, type: junit }
`

const POLICY = `_schema: https://example.com/v1
artifacts:
  provenance:
    required: true
  attestations:
    - { type: junit, name: unit }
    - { type: generic, name: review }
`

const JUNIT = `<testsuites><testsuite name="checkout">
<testcase name="rounds half cents up"><failure message="no"/></testcase><testcase name="adds"/>
</testsuite></testsuites>`

const SARIF = JSON.stringify({
  version: "2.1.0",
  runs: [
    {
      tool: { driver: { name: "linter", semanticVersion: "1.2.3" } },
      results: [
        { ruleId: "no-eval", level: "error", message: { text: "eval \u001b[2J::error::x" } },
        { ruleId: "style", level: "note", message: { text: "long line" } }
      ]
    }
  ]
})

const SNYK = JSON.stringify({
  packageManager: "npm",
  vulnerabilities: [
    { id: "V-1", severity: "critical", title: "bad" },
    { id: "V-1", severity: "critical", title: "bad" },
    { id: "V-2", severity: "low", title: "meh" }
  ]
})

const project = (): string => {
  const cwd = folder()
  mkdirSync(join(cwd, "dist/web"), { recursive: true })
  mkdirSync(join(cwd, ".git"))
  const files: ReadonlyArray<readonly [string, string]> = [
    ["dist/web/index.html", "<h1>shop</h1>\n"],
    ["dist/web/app.js.map", "{}\n"],
    ["template.yaml", TEMPLATE],
    ["prod-rules.yaml", POLICY],
    ["junit.xml", JUNIT],
    ["scan.sarif", SARIF],
    ["sbom.json", '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{},{}]}'],
    ["snyk.json", SNYK],
    [
      ".attestry.yaml",
      'version: 1\norg: acme\nflow: shop\ntrail: "{short}"\ntemplate: template.yaml\n' +
        'artifacts:\n  web: { type: dir, path: dist/web, exclude: ["**/*.map"] }\n' +
        "policies: { prod-rules: prod-rules.yaml }\n"
    ]
  ]
  for (const [name, text] of files) writeFileSync(join(cwd, name), text)
  return cwd
}

onEveryStore("a pipeline", (deployment) => {
  const cwd = project()
  const machine = (more: Machine = {}): Machine => ({
    cwd,
    ...more,
    env: {
      ...JOB,
      ATTESTRY_URL: deployment().url,
      ATTESTRY_API_KEY: deployment().keys.admin,
      ...more.env
    }
  })
  /** Runs a command line for programs, for people and in a pipe; the exit code is the same. */
  const play = async (name: string, argv: ReadonlyArray<string>, code = 0): Promise<Ran> => {
    const json = await run([...argv, "-o", "json"], machine())
    const tty = await run(argv, machine({ tty: true }))
    const pipe = await run(argv, machine())
    golden(`${name}.json`, json.stdout === "" ? json.stderr : json.stdout)
    golden(`${name}.tty`, tty.stdout + tty.stderr)
    golden(`${name}.pipe`, pipe.stdout + pipe.stderr)
    assert.deepStrictEqual([json.code, tty.code, pipe.code], [code, code, code], json.stderr)
    return json
  }
  const put = async (path: string, body: object, method = "PUT") => {
    const answer = await fetch(`${deployment().url}/api/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${deployment().keys.admin}`,
        "content-type": "application/json"
      },
      body: JSON.stringify(body)
    })
    assert.isBelow(answer.status, 300, await answer.text())
  }

  it("says who the key belongs to and what is set", async () => {
    await play("whoami", ["whoami"])
    await play("config-show", ["config", "show"])
  })

  it("begins a trail and says what it expects", async () => {
    await play("begin", ["begin"])
  })

  it("reports an artifact by the name of the repository's file", async () => {
    await play("attest-artifact", ["attest", "artifact", "web"])
    await play("attest-artifact-all", ["attest", "artifact", "--all"])
  })

  it("attests tests that fail, and ends with 1 where that was asked for", async () => {
    const about = ["-n", "web.unit", "-a", "dist/web", "-x", "**/*.map"]
    await play("attest-junit", ["attest", "junit", "junit.xml", ...about])
    await play("attest-junit-assert", ["attest", "junit", "junit.xml", ...about, "--assert"], 1)
  })

  it("attests scans and anything else", async () => {
    await play("attest-sarif", ["attest", "sarif", "scan.sarif", "-n", "lint", "-T", "scans"])
    await play("attest-snyk", ["attest", "snyk", "snyk.json", "-n", "scan", "-T", "scans"])
    const sbom = ["attest", "file", "sbom.json", "--as", "sbom", "-n", "sbom", "-T", "scans"]
    assert.strictEqual((await run(sbom, machine())).code, 0)
    await play("attest-generic", [
      "attest",
      "generic",
      "-n",
      "smoke",
      "-T",
      "scans",
      "--compliant=false",
      "--attach",
      "dist"
    ])
  })

  it("prints what would be sent, and sends nothing", async () => {
    await play("dry-run", ["attest", "generic", "-n", "smoke", "--dry-run"])
    const offline = { ...machine(), env: { ...JOB } }
    const { code } = await run(["attest", "generic", "-n", "smoke", "--dry-run"], offline)
    assert.strictEqual(code, 0)
  })

  it("asks a policy and explains a no with the line of the rule", async () => {
    await put("/policies/acme/prod-rules", { policy_yaml: POLICY, description: "" })
    await put("/environments/acme", { name: "prod", type: "server", description: "" })
    await put("/environments/acme/prod/policies", { policy_names: ["prod-rules"] }, "POST")
    const argv = ["assert", "artifact", "dist/web", "-x", "**/*.map", "--environment", "prod"]
    await play("assert-artifact", argv, 1)
    await play("assert-artifact-short", [...argv, "--explain", "short"], 1)
    await play("assert-trail", ["assert", "trail"], 1)
    await play("assert-trail-unexpected", ["assert", "trail", "scans"], 1)
    assert.strictEqual((await run([...argv, "-q"], machine())).stdout, "NON-COMPLIANT\n")
  })

  it("reports what runs, and evaluates it", async () => {
    const argv = ["report", "paths", "prod", "--path", "web=dist/web", "-x", "**/*.map"]
    await play("report-paths", argv)
    await play("assert-snapshot", ["assert", "snapshot", "prod"], 1)
  })

  it("overrides with a reason, and the answer becomes yes", async () => {
    const override = ["attest", "override", "-n", "web.unit", "-a", "dist/web", "-x", "**/*.map"]
    await play("attest-override", [...override, "--compliant", "--reason", "flake", "-y"])
    await play("attest-review", ["attest", "generic", "-n", "review"])
    const argv = ["assert", "artifact", "dist/web", "-x", "**/*.map", "--environment", "prod"]
    await play("assert-artifact-yes", argv)
    const aged = POLICY.replace(/v1$/m, "v2").replace("name: review", "name: review, max_age: 3d")
    await put("/policies/acme/fresh-rules", { policy_yaml: aged, description: "" })
    await put("/environments/acme", { name: "fresh", type: "server", policies: ["fresh-rules"] })
    const fresh = argv.map((word) => (word === "prod" ? "fresh" : word))
    await play("assert-artifact-until", fresh)
    const unknown = ["assert", "artifact", "--fingerprint", "cd".repeat(32), ...fresh.slice(-2)]
    const allow = ["allow", "fresh", "cd".repeat(32), "--reason", "vendor", "--name", "vendor"]
    assert.strictEqual((await run([...allow, "--until", "2d"], machine())).code, 0)
    await play("assert-artifact-allowed-until", unknown)
    await play("list-decaying", ["list", "decaying"])
    await play("get-environment-due", ["get", "environment", "fresh"])
    assert.strictEqual((await run([...allow, "--until", "30d"], machine())).code, 0)
    assert.notInclude((await run(unknown, machine())).stdout, "passes until")
    assert.strictEqual((await run(["archive", "environment", "fresh", "-y"], machine())).code, 0)
    await play("assert-trail-yes", ["assert", "trail"])
    await put("/flows/acme/template_file", { name: "untemplated" })
    await put("/trails/acme/untemplated", { name: "t1" })
    await play("assert-trail-unasked", ["assert", "trail", "t1", "--flow", "untemplated"])
  })

  it("compares snapshots", async () => {
    const first = ["report", "paths", "prod", "--path", "web=dist/web", "--path", "tests=junit.xml"]
    assert.strictEqual((await run(first, machine())).code, 0)
    await play("diff", ["diff", "prod#1", "prod"])
    await play("diff-exit-code", ["diff", "prod#1", "prod", "--exit-code"], 1)
    await play("diff-unchanged", ["diff", "prod", "prod", "--show-unchanged"])
    await play("diff-same", ["diff", "prod", "prod", "--exit-code"])
  })

  it("reads what was written", async () => {
    for (const noun of ["flows", "trails", "attestations", "environments", "policies", "types"]) {
      const { code, stderr } = await run(["list", noun, "-o", "json"], machine())
      assert.deepStrictEqual([code, stderr], [0, ""], noun)
    }
    await play("list-environments", ["list", "environments"])
    await play("list-snapshots", ["list", "snapshots", "--environment", "prod"])
    await play("get-trail", ["get", "trail", TestJob.SHA.slice(0, 7)])
    await play("search", ["search", TestJob.SHA.slice(0, 7)])
    await play("log", ["log", "prod"])
    await play("get-missing", ["get", "flow", "shoop"], 3)
  })

  it("shows what would turn red, and prints what policies on trial say", async () => {
    const rules = POLICY.replaceAll("review", "second-review")
    await put("/policies/acme/new-rules", { policy_yaml: rules, description: "" })
    await put("/environments/acme", { name: "trial", type: "server", description: "" })
    const policies = { policy_names: ["new-rules"], mode: "warn" }
    await put("/environments/acme/trial/policies", policies, "POST")
    await put("/environments/acme/trial/policies", { policy_names: ["prod-rules"] }, "POST")
    const report = ["report", "paths", "trial", "--path", "web=dist/web", "-x", "**/*.map"]
    assert.strictEqual((await run(report, machine())).code, 0)
    await play("preview", ["preview", "trial"])
    await play("preview-exit-code", ["preview", "trial", "new-rules", "--exit-code"], 1)
    const argv = ["assert", "artifact", "dist/web", "-x", "**/*.map", "--environment", "trial"]
    await play("assert-artifact-warned", argv)
    await put("/environments/acme/trial/archive", {})
  })
})

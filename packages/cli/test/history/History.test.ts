/** Where artifacts ran, policies on real facts and on history, and what was known when, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL, SHA } from "../shared/TestJob.js"

const policy = (rules: string): string => `_schema: https://example.com/v1\nartifacts:\n${rules}`

const FILES = {
  "app.txt": "app\n",
  "other.txt": "other\n",
  "rules.yaml": policy("  provenance:\n    required: true\n"),
  "scans.yaml": policy("  attestations:\n    - { name: scan, type: generic }\n"),
  "nothing.yaml": policy("  provenance:\n    required: false\n"),
  "broken.yaml": "artifacts: 1\n"
}

const WRITES: ReadonlyArray<ReadonlyArray<string>> = [
  ["put", "flow", "shop", "--description", "the shop"],
  ["put", "environment", "prod", "--kind", "server"],
  ["put", "policy", "rules", "rules.yaml"],
  ["put", "policy", "scans", "scans.yaml"],
  ["attach", "rules", "prod"],
  ["begin"],
  ["attest", "artifact", "app.txt", "--slot", "app"],
  ["report", "paths", "prod", "--path", "app=app.txt"],
  ["report", "paths", "prod", "--path", "app=app.txt", "--path", "other=other.txt"],
  ["attach", "scans", "prod"],
  ["attest", "generic", "-n", "app.scan", "-a", "app.txt"]
]

onEveryStore("history", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "admin" as const }
  const play = player(stage)
  const machine = machineOf(stage)
  const state = { app: "" }
  const ran = (...argv: ReadonlyArray<string>) => run(argv, machine())
  const code = async (...argv: ReadonlyArray<string>) => (await ran(...argv)).code
  const json = async (...argv: ReadonlyArray<string>) => {
    const { stdout, stderr } = await ran(...argv, "-o", "json")
    assert.notStrictEqual(stdout, "", stderr)
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text)
    for (const argv of WRITES) assert.strictEqual(await code(...argv), 0, argv.join(" "))
    state.app = (await ran("fingerprint", "app.txt")).stdout.trim()
  })

  it("finds where an artifact ran, by everything that is known about it", async () => {
    await play("where", () => ["where", state.app])
    const { exposures } = await json("where", state.app)
    const subjects = [
      [state.app.slice(0, 5)],
      ["--commit", SHA],
      ["--flow", "shop"],
      ["--flow", "shop", "--slot", "app"],
      ["--repo", "acme/shop"],
      ["--builder", "https://git.example.org"]
    ]
    for (const subject of subjects) {
      const found = await json("where", ...subject)
      assert.lengthOf(found.exposures, 1, subject.join(" "))
      assert.strictEqual(found.exposures[0].fingerprint, exposures[0].fingerprint)
    }
    assert.strictEqual((await ran("where", state.app, "-q")).stdout, "prod\n")
    assert.include((await ran("where", "f".repeat(64))).stdout, "it ran nowhere")
    assert.strictEqual((await json("where", state.app, "--now=false")).total, 0)
    assert.strictEqual((await json("where", state.app, "--now", "--since", "1d")).total, 1)
    assert.strictEqual(await code("where", "--author", "Ada"), 0)
    assert.strictEqual(await code("where", "--flow", "none"), 3)
    for (const component of [
      "pkg:npm/lodash",
      "pkg:npm/lodash@4.17.20",
      "pkg:npm/lodash@<4.17.21"
    ]) {
      const found = await json("where", "--component", component)
      assert.deepStrictEqual([found.total, found.summary.without_sbom], [0, 2])
    }
    const blind = "2 artifacts without a bill of materials"
    assert.include((await ran("where", "--vulnerability", "CVE-2026-1")).stdout, blind)
    assert.strictEqual(await code("where", "--component", "lodash"), 6)
    assert.strictEqual(await code("where", "--component", "pkg:npm/lodash@<"), 6)
    assert.strictEqual(await code("list", "components", "--search", "lodash"), 0)
    assert.strictEqual(await code("list", "components", "--search", "lo"), 6)
    assert.strictEqual(await code("where", state.app, "--environment", "none"), 3)
  })

  it("takes exactly one thing to look for, in the form that it has", async () => {
    for (const argv of [
      [],
      [state.app, "--commit", SHA],
      ["--commit", "9f1c2ab"],
      ["abcd"],
      ["xyzxyz"],
      ["--repo", "acme/shop", "--slot", "app"],
      ["--repo", "acme/shop", "--since", "soon"],
      ["--base-image", "node", "--component", "pkg:npm/lodash"]
    ])
      assert.strictEqual(await code("where", ...argv), 2, argv.join(" "))
  })

  it("shows what a thing is connected with, as tables and for Graphviz", async () => {
    await play("graph", ["graph", "environment:prod"])
    await play("graph-dot", ["graph", "trail:shop/t1", "--depth", "1", "--dot"])
    const { nodes, truncated } = await json("graph", state.app, "--depth", "1", "--limit", "10")
    assert.strictEqual(nodes[0].id, `fingerprint:${state.app}`)
    assert.deepStrictEqual(truncated, [])
    assert.strictEqual((await json("graph", SHA)).nodes[0].id, `commit:${SHA}`)
    assert.match((await ran("graph", "policy:rules", "-q")).stdout, /^policy:rules\n/)
    for (const [expected, argv] of [
      [2, ["flow:shop"]],
      [2, ["prod"]],
      [2, ["trail:shop"]],
      [2, []],
      [3, ["environment:none"]],
      [3, ["f".repeat(64)]],
      [6, ["policy:rules", "--depth", "5"]],
      [6, ["policy:rules", "--limit", "9"]]
    ] as const)
      assert.strictEqual(await code("graph", ...argv), expected, argv.join(" "))
  })

  it("evaluates running rows by a policy that is not attached, and exits with 1 if one turns red", async () => {
    const on = ["--environment", "prod#1"]
    await play("policy-dry-run", ["policy", "dry-run", "scans.yaml", "--name", "rules", ...on], 1)
    assert.strictEqual(await code("policy", "dry-run", "nothing.yaml", "--name", "rules", ...on), 0)
    assert.strictEqual(await code("policy", "dry-run", "rules", ...on), 0)
    assert.strictEqual(await code("policy", "dry-run", "rules@v1", ...on, "--show", "all"), 0)
    const known = ["policy", "dry-run", "scans.yaml", "--fingerprint", state.app]
    assert.strictEqual(await code(...known), 0)
    assert.strictEqual(await code(...known, "--flow", "shop", "--against", "alone"), 0)
    assert.strictEqual(await code(...known, "--environment", "prod", "--as-of", "1d"), 3)
    const facts = (await ran("policy", "facts", state.app, "-o", "json")).stdout
    writeFileSync(join(cwd, "facts.json"), facts)
    const given = await json("policy", "dry-run", "scans.yaml", "--facts", "facts.json")
    assert.deepInclude(given, { compliant: true, snapshot: null })
    const remedies = [...on, "--as-of", "judged", "--remedies", "1"]
    const { rows } = await json("policy", "dry-run", "scans.yaml", "--name", "rules", ...remedies)
    assert.lengthOf(rows[0].remedies, 1)
  })

  it("refuses a dry run of no policy, on nothing, or on too much", async () => {
    const scans = ["policy", "dry-run", "scans.yaml"]
    const prod = ["--environment", "prod"]
    const rows: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
      [2, scans],
      [2, ["policy", "dry-run", "broken.yaml", ...prod]],
      [7, ["policy", "dry-run", "missing.yaml", ...prod]],
      [3, ["policy", "dry-run", "missing", ...prod]],
      [2, ["policy", "dry-run", "rules", "--name", "x", ...prod]],
      [3, [...scans, "--environment", "none"]],
      [2, [...scans, "--facts", "facts.json", ...prod]],
      [2, [...scans, ...prod, "--flow", "shop"]],
      [2, [...scans, ...prod, "--as-of", "soon"]],
      [6, [...scans, "--fingerprint", state.app, "--as-of", "judged"]]
    ]
    for (const [expected, argv] of rows)
      assert.strictEqual(await code(...argv), expected, argv.join(" "))
  })

  it("replays history under a policy, with progress on a terminal and one document for programs", async () => {
    const argv = ["policy", "backtest", "nothing.yaml", "--replaces", "rules"]
    await play("policy-backtest", [...argv, "--environment", "prod"])
    const answer = await json(...argv)
    assert.strictEqual(answer.flips.length, answer.totals.flips)
    assert.isTrue(answer.flips.every(({ was }: { readonly was: unknown }) => was === false))
    assert.strictEqual((await ran(...argv, "-q")).stdout, `${answer.totals.flips}\n`)
  })

  it("prints lines as they come, and goes on after the cursor of any of them", async () => {
    const argv = ["policy", "backtest", "scans.yaml", "--add", "-o", "jsonl"]
    const linesOf = async (...more: ReadonlyArray<string>) =>
      (await ran(...argv, ...more)).stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    await ran("put", "environment", "after", "--kind", "server")
    await ran("attach", "rules", "after")
    await ran("report", "paths", "after", "--path", "app=app.txt")
    const lines = await linesOf()
    assert.deepStrictEqual([lines[0].type, lines.at(-1).type], ["started", "done"])
    const types = new Set(lines.map(({ type }) => type))
    assert.sameMembers([...types], ["started", "flip", "progress", "environment", "done"])
    for (const [at, { type, cursor }] of lines.entries()) {
      if (type !== "progress" || cursor === null) continue
      const rest = await linesOf("--cursor", cursor)
      const flips = (all: typeof lines) => all.filter((line) => line.type === "flip")
      assert.deepStrictEqual(flips(rest), flips(lines.slice(at)))
    }
    assert.strictEqual(await code(...argv, "--cursor", "x"), 6)
  })

  it("ends by what the policy would have done, where that is asked", async () => {
    const backtest = (file: string, ...more: ReadonlyArray<string>) =>
      code("policy", "backtest", file, ...more)
    assert.strictEqual(await backtest("nothing.yaml", "--replaces", "rules"), 0)
    const flips = ["--replaces", "rules", "--fail-on", "flips"]
    assert.strictEqual(await backtest("nothing.yaml", ...flips), 1)
    assert.strictEqual(await backtest("rules.yaml", ...flips, "--environment", "after"), 0)
    const red = ["--fail-on", "new-red-now", "--environment", "after", "--knowledge", "known"]
    assert.strictEqual(await backtest("nothing.yaml", "--add", ...red), 0)
    writeFileSync(join(cwd, "never.yaml"), FILES["scans.yaml"].replace("scan,", "never,"))
    assert.strictEqual(await backtest("never.yaml", "--add", ...red), 1)
    assert.strictEqual(await backtest("rules.yaml", "--add", "--replaces", "rules"), 2)
    assert.strictEqual(await backtest("broken.yaml"), 2)
    assert.strictEqual(await backtest("rules.yaml", "--replaces", "none"), 3)
    assert.strictEqual(await backtest("rules.yaml", "--since", "2000d"), 6)
    assert.strictEqual(await backtest("rules.yaml", "--limit", "1", "--no-verify"), 0)
  })

  it("reads what was known at an instant", async () => {
    await play("get-snapshot-as-of", ["get", "snapshot", "prod", "--as-of", "now"])
    const past = ["--as-of", "now", "--policies", "latest"]
    const snapshot = await json("get", "snapshot", "prod#1", ...past)
    assert.deepInclude(snapshot.recorded, { compliant: true })
    assert.strictEqual(snapshot.artifacts[0].late_evidence[0].attestation_name, "scan")
    await play("assert-snapshot-as-of", ["assert", "snapshot", "prod#1", "--no-ci", ...past])
    assert.strictEqual(await code("assert", "trail", "--as-of", "now", "--no-ci"), 0)
    assert.strictEqual(await code("get", "trail", "t1", "--as-of", "'@{now}'"), 2)
    assert.strictEqual(await code("get", "trail", "t1", "--as-of", "@{1.days.ago}"), 3)
    const artifact = ["assert", "artifact", "-F", state.app, "--policy", "scans", "--no-ci"]
    assert.strictEqual(await code(...artifact, "--as-of", "now"), 0)
    assert.strictEqual(await code(...artifact, "--as-of", "2026-01-01"), 3)
    assert.strictEqual(await code(...artifact, "--as-of", "now", "--wait", "5m"), 2)
    const facts = ["policy", "facts", "--environment", "prod", "--as-of"]
    assert.lengthOf(await json(...facts, "now"), 2)
    assert.strictEqual(await code("policy", "facts", state.app, "--as-of", "now"), 2)
    assert.strictEqual(await code("get", "snapshot", "prod", "--policies", "latest"), 2)
    assert.strictEqual(await code("get", "snapshot", "prod", "--as-of", "1d"), 6)
  })

  it("evaluates the rows of members of a logical environment, each with its member", async () => {
    for (const argv of [
      ["put", "environment", "all-prod", "--kind", "logical", "--included-environment", "prod"],
      ["put", "policy", "above", "nothing.yaml"],
      ["attach", "above", "all-prod"],
      ["report", "paths", "prod", "--path", "app=app.txt"]
    ])
      assert.strictEqual(await code(...argv), 0, argv.join(" "))
    const on = ["--environment", "all-prod"]
    assert.strictEqual(await code("policy", "dry-run", "above", ...on), 0)
    const { rows, snapshot } = await json("policy", "dry-run", "above", ...on, "--show", "all")
    assert.strictEqual(snapshot.environment, "all-prod")
    assert.deepStrictEqual(
      [...new Set(rows.map(({ member }: { member: string }) => member))],
      ["prod"]
    )
    const never = policy("  attestations:\n    - { name: never, type: generic }\n")
    writeFileSync(join(cwd, "never.yaml"), never)
    const evaluated = await ran("policy", "dry-run", "never.yaml", "--name", "above", ...on)
    assert.match(evaluated.stdout, /would turn red: app \([0-9a-f]+\) in prod/)
    assert.strictEqual(evaluated.code, 1)
  })
})

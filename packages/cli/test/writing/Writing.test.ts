/** Every command that writes, on each store, with its golden output. */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const HEX = "ab".repeat(32)

const POLICY = `_schema: https://example.com/v1
artifacts:
  provenance:
    required: true
`

const TEMPLATE = `version: 1
trail:
  attestations:
    - { name: review, type: generic }
`

const FLOW_TEMPLATE = "{version: 1, trail: {attestations: [{name: review, type: generic}]}}"

const project = (): string => {
  const cwd = folder()
  const files: ReadonlyArray<readonly [string, string]> = [
    ["rules.yaml", POLICY],
    ["bad.yaml", "artifacts: {provenence: 1}\n"],
    ["template.yaml", TEMPLATE],
    ["schema.json", '{"type":"object","required":["p99"]}'],
    ["compliance/types/load-test.yaml", "schema: {type: object}\njq: ['.p99 < 300']\n"],
    ["compliance/controls/SDLC-2.yaml", "name: Reviews\nlinks: {docs: https://example.com/2}\n"],
    ["compliance/policies/scan-rules.yaml", POLICY],
    [
      "compliance/flows/pay.yaml",
      `description: payments\ntags: {risk: high}\ntemplate: ${FLOW_TEMPLATE}\n`
    ],
    [
      "compliance/environments/edge.yaml",
      "kind: server\npolicies: [scan-rules]\ntags: {region: eu}\n"
    ],
    [
      "compliance/notifications/oncall.yaml",
      "environments: [edge]\non: [non-compliant-env]\nto: [$HOOK, ops@example.com]\n"
    ]
  ]
  for (const [name, text] of files) {
    mkdirSync(join(cwd, name, ".."), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  return cwd
}

interface Recorded {
  readonly events: ReadonlyArray<{
    readonly type: string
    readonly data: { readonly reason?: string }
  }>
}

const HOOK = "https://hooks.example.com/T000/secret-path"

onEveryStore("writing", (deployment) => {
  const cwd = project()
  const stage = { cwd, deployment, env: { HOOK } }
  const play = player(stage)
  const machine = machineOf(stage)

  it("puts flows, environments, policies, controls, types, accounts and notifications", async () => {
    await play("put-flow", [
      "put",
      "flow",
      "shop",
      "--template",
      "template.yaml",
      "--description",
      "d"
    ])
    await play("put-environment", ["put", "environment", "prod", "--kind", "K8S"])
    await play("put-policy", ["put", "policy", "rules", "rules.yaml", "--comment", "first"])
    await play("put-control", [
      "put",
      "control",
      "SDLC-1",
      "--name",
      "Reviews",
      "--link",
      "a=https://example.com"
    ])
    const type = ["put", "type", "load", "--schema", "schema.json", "--jq", ".p99 < 300"]
    await play("put-type", [...type, "--summary", "p99=.p99"])
    await play("put-account", ["put", "account", "ci-shop", "--privilege", "member"])
    const notification = ["put", "notification", "oncall", "--environment", "prod"]
    await play("put-notification", [...notification, "--on", "non-compliant-env", "--to", "$HOOK"])
  })

  it("sets the cadence of an environment, and ends it", async () => {
    const cadence = async () => {
      const { stdout } = await run(["get", "environment", "prod", "-o", "json"], machine())
      const { report_every, when_silent, silent_since } = JSON.parse(stdout)
      return { report_every, when_silent, silent_since }
    }
    const put = (...flags: ReadonlyArray<string>) =>
      run(["put", "environment", "prod", ...flags], machine())
    const set = await put("--report-every", "15m", "--when-silent", "non_compliant")
    assert.strictEqual(set.code, 0, set.stderr)
    assert.deepStrictEqual(await cadence(), {
      report_every: 900,
      when_silent: "non_compliant",
      silent_since: null
    })
    const shown = await run(["get", "environment", "prod"], machine())
    assert.match(shown.stdout, /report_every\s+15 min/)
    const wrong = await put("--report-every", "soon")
    assert.include(wrong.stderr, "--report-every expects 15m, 2h, 7d or none")
    await put("--report-every", "none", "--when-silent", "warn")
    assert.propertyVal(await cadence(), "report_every", null)
    const silent = await run(["list", "environments", "--silent", "-o", "json"], machine())
    assert.deepStrictEqual(JSON.parse(silent.stdout), [])
  })

  it("sends a test message to the targets of a notification", async () => {
    const sent = await run(["test", "notification", "1", "-o", "json"], machine())
    assert.strictEqual(sent.code, 0, sent.stderr)
    const unknown = await run(["test", "notification", "999"], machine())
    assert.notStrictEqual(unknown.code, 0)
    assert.include(unknown.stderr, "action not found")
    const word = await run(["test", "notification", "oncall"], machine())
    assert.include(word.stderr, "is no number of a notification")
  })

  it("makes a version of a policy, and says where it is evaluated", async () => {
    await play("attach", ["attach", "rules", "prod"])
    const line = (form: string) => {
      writeFileSync(join(cwd, "next.yaml"), `${POLICY}# ${form}\n`)
      return ["put", "policy", "rules", "next.yaml"]
    }
    await play("put-policy-version", line)
  })

  it("attaches a policy in a mode, and switches it", async () => {
    const modes = async () => {
      const { stdout } = await run(["get", "environment", "prod", "-o", "json"], machine())
      return JSON.parse(stdout).policy_modes
    }
    await run(["put", "policy", "trial", "rules.yaml"], machine())
    await play("attach-warn", ["attach", "trial", "prod", "--mode", "warn"])
    assert.propertyVal(await modes(), "trial", "warn")
    await run(["attach", "trial", "prod"], machine())
    assert.propertyVal(await modes(), "trial", "warn")
    const switched = await run(["attach", "trial", "prod", "--mode", "enforce"], machine())
    assert.strictEqual(switched.code, 0, switched.stderr)
    assert.propertyVal(await modes(), "trial", "enforce")
    assert.strictEqual((await run(["attach", "trial", "prod", "--mode", "on"], machine())).code, 2)
  })

  it("keeps the reason of attaching and detaching", async () => {
    await run(["put", "policy", "reasoned", "rules.yaml"], machine())
    for (const argv of [
      ["attach", "reasoned", "prod", "--mode", "warn", "--reason", "<trial> of ticket 7"],
      ["attach", "reasoned", "prod", "--mode", "enforce", "--reason", "nothing was found"],
      ["detach", "reasoned", "prod", "--yes", "--reason", "replaced"]
    ]) {
      const ran = await run(argv, machine())
      assert.strictEqual(ran.code, 0, ran.stderr)
    }
    const { stdout } = await run(["get", "policy", "reasoned", "-o", "json"], machine())
    const { events }: Recorded = JSON.parse(stdout)
    assert.deepEqual(
      events.flatMap(({ type, data }) => (data.reason === undefined ? [] : [[type, data.reason]])),
      [
        ["policy_attached", "<trial> of ticket 7"],
        ["policy_mode_changed", "nothing was found"],
        ["policy_detached", "replaced"]
      ]
    )
  })

  it("keeps the kind of an environment that is there, and asks for that of a new one", async () => {
    const ran = await run(["put", "environment", "prod", "--description", "live"], machine())
    assert.strictEqual(ran.code, 0, ran.stderr)
    const other = await run(["put", "environment", "other", "--description", "x"], machine())
    assert.strictEqual(other.code, 2)
    assert.include(other.stderr, "--kind is missing")
  })

  it("lints before it sends", async () => {
    await play("put-policy-bad", ["put", "policy", "rules", "bad.yaml"], 2)
    const template = await run(["put", "flow", "shop", "--template", "bad.yaml"], machine())
    assert.strictEqual(template.code, 2)
  })

  it("prints what it would send", async () => {
    await play("put-dry-run", ["put", "flow", "never", "--description", "x", "--dry-run"])
    assert.strictEqual((await run(["get", "flow", "never"], machine())).code, 3)
  })

  it("tags, joins, allows and renames", async () => {
    await play("tag", ["tag", "flow", "shop", "risk=high", "team-"])
    const wrong = await run(["tag", "flow", "shop", "risk"], machine())
    assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
    await run(["put", "environment", "all", "--kind", "logical"], machine())
    await play("join", ["join", "all", "prod"])
    await play("allow", ["allow", "prod", HEX, "--reason", "vendor image", "--name", "nginx"])
    writeFileSync(join(cwd, "vendor.bin"), "vendor\n")
    const fingerprint = createHash("sha256").update("vendor\n").digest("hex")
    const dryRun = ["--dry-run", "-o", "json", "--field", "payload"]
    for (const [target, ...flags] of [
      ["vendor.bin"],
      ["./vendor.bin", "-t", "file"],
      [`sha256:${fingerprint}`, "--name", "vendor.bin"]
    ]) {
      const argv = ["allow", "prod", target ?? "", "--reason", "r", ...flags, ...dryRun]
      const { code, stdout, stderr } = await run(argv, machine())
      assert.strictEqual(code, 0, stderr)
      const { artifact_fingerprint, artifact_name } = JSON.parse(stdout)
      assert.deepStrictEqual([artifact_fingerprint, artifact_name], [fingerprint, "vendor.bin"])
    }
    for (const verb of ["allow", "disallow"]) {
      const flags = verb === "allow" ? ["--reason", "r"] : ["--yes"]
      const { code, stderr } = await run([verb, "prod", "vendor.bin", ...flags], machine())
      assert.strictEqual(code, 0, stderr)
    }
    const missing = await run(["allow", "prod", "nginx:1", "--reason", "r"], machine())
    assert.strictEqual(missing.code, 7)
    assert.include(missing.stderr, "say -t docker")
    const ending = ["--reason", "break glass", "--until", "3d", "--owner", "ada"]
    await play("allow-until", ["allow", "prod", "cd".repeat(32), ...ending, "--name", "fix"])
    const when = await run(["allow", "prod", HEX, "--reason", "r", "--until", "soon"], machine())
    assert.deepStrictEqual([when.code, when.stdout], [2, ""])
    assert.include(when.stderr, "--until expects 3d")
    await play("list-allowed", ["list", "allowed", "--environment", "prod"])
    await play("disallow", (form) => {
      return ["disallow", "prod", HEX, "-y", ...(form === "json" ? [] : ["--dry-run"])]
    })
    for (const form of ["json", "tty", "pipe"])
      await run(["put", "flow", `old-${form}`, "--description", "x"], machine())
    await play("rename-flow", (form) => ["rename", "flow", `old-${form}`, `new-${form}`])
  })

  it("asks before it archives, deletes, detaches and revokes", async () => {
    await play("archive-unconfirmed", ["archive", "flow", "new-json"], 2)
    const no = await run(["archive", "flow", "new-json"], machine({ tty: true, typed: ["n"] }))
    assert.strictEqual(no.code, 2)
    const yes = await run(["archive", "flow", "new-json"], machine({ tty: true, typed: ["y"] }))
    assert.strictEqual(yes.code, 0, yes.stderr)
    await play("archive-flow", (form) => [
      "archive",
      "flow",
      form === "json" ? "new-tty" : "new-pipe",
      "-y",
      ...(form === "tty" ? ["--dry-run"] : [])
    ])
    for (const argv of [
      ["detach", "rules", "prod"],
      ["delete", "account", "ci-shop"],
      ["delete", "notification", "1"],
      ["disallow", "prod", HEX],
      ["key", "revoke", "ci-shop", "x"]
    ])
      assert.strictEqual((await run(argv, machine())).code, 2, argv.join(" "))
  })

  it("archives a control and takes it back", async () => {
    const archived = await run(["archive", "control", "SDLC-1", "-y"], machine())
    assert.strictEqual(archived.code, 0, archived.stderr)
    await play("unarchive-control", ["unarchive", "control", "SDLC-1"])
  })

  it("shows a key once: alone on stdout, or in a file that only this user may read", async () => {
    const create = [
      "key",
      "create",
      "ci-shop",
      "--description",
      "CI of shop",
      "--expires-in",
      "90d"
    ]
    const { code, stdout, stderr } = await run(create, machine())
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^\S+\n$/)
    assert.include(stderr, "it is not shown again")
    const whoami = await run(
      ["whoami", "-q"],
      machine({ env: { ATTESTRY_API_KEY: stdout.trim() } })
    )
    assert.strictEqual(whoami.stdout, "ci-shop\n")
    const filed = await run([...create, "--to-file", "key", "-o", "json"], machine())
    assert.strictEqual(filed.code, 0, filed.stderr)
    assert.notInclude(filed.stdout, readFileSync(join(cwd, "key"), "utf8").trim())
    assert.strictEqual(statSync(join(cwd, "key")).mode & 0o777, 0o600)
    const again = await run([...create, "--to-file", "key"], machine())
    assert.strictEqual(again.code, 7)
    const { id } = JSON.parse(filed.stdout)
    const rotated = await run(
      ["key", "rotate", "ci-shop", id, "--grace", "24h", "--to-file", "next"],
      machine()
    )
    assert.strictEqual(rotated.code, 0, rotated.stderr)
    const revoked = await run(["key", "revoke", "ci-shop", id, "-y"], machine())
    assert.strictEqual(revoked.code, 0, revoked.stderr)
    await play("key-list", ["key", "list", "ci-shop"])
  })

  it("prints no key into the log of a job", async () => {
    const argv = ["key", "create", "ci-shop", "--description", "CI"]
    const env = { GITHUB_ACTIONS: "true", GITHUB_SHA: "a".repeat(40) }
    const { code, stdout, stderr } = await run(argv, machine({ env }))
    assert.deepStrictEqual([code, stdout], [2, ""])
    assert.include(stderr, "--to-file")
    const filed = await run([...argv, "--to-file", "job.key"], machine({ env }))
    assert.strictEqual(filed.code, 0, filed.stderr)
  })

  it("applies a folder: plans, writes what differs, and then nothing", async () => {
    await play("apply-plan", ["apply", "compliance", "--dry-run", "--exit-code"], 1)
    const first = await run(["apply", "compliance"], machine())
    assert.strictEqual(first.code, 0, first.stderr)
    await play("apply-same", ["apply", "compliance", "--exit-code"])
    const file = join(cwd, "compliance/environments/edge.yaml")
    writeFileSync(file, "kind: server\npolicies: [scan-rules, rules]\ntags: {tier: one}\n")
    writeFileSync(join(cwd, "compliance/policies/scan-rules.yaml"), `${POLICY}# again\n`)
    await play("apply-changes", ["apply", "compliance", "--dry-run"])
    const second = await run(["apply", "compliance"], machine())
    assert.strictEqual(second.code, 0, second.stderr)
    const { stdout } = await run(["get", "environment", "edge", "-o", "json"], machine())
    const { policies, tags } = JSON.parse(stdout)
    assert.sameMembers(policies, ["scan-rules", "rules"])
    assert.deepStrictEqual(tags, { tier: "one" })
    await play("apply-same", ["apply", "compliance", "--exit-code"])
  })

  it("applies nothing where one document is wrong", async () => {
    writeFileSync(join(cwd, "compliance/flows/wrong.yaml"), "descripton: x\n")
    await play("apply-wrong", ["apply", "compliance"], 2)
    writeFileSync(join(cwd, "compliance/flows/wrong.yaml"), "description: x\n")
    writeFileSync(join(cwd, "compliance/environments/new.yaml"), "description: x\n")
    const { code, stderr } = await run(["apply", "compliance"], machine())
    assert.strictEqual(code, 2)
    assert.include(stderr, "does not say its kind")
    assert.strictEqual((await run(["get", "flow", "wrong"], machine())).code, 3)
  })

  it("never prints the address of a webhook", async () => {
    const argv = ["put", "notification", "again", "--environment", "prod", "--on", "compliant-env"]
    const ran = await run([...argv, "--to", "$HOOK", "--dry-run", "-v", "-v"], machine())
    assert.strictEqual(ran.code, 0, ran.stderr)
    assert.notInclude(ran.stdout + ran.stderr, "secret-path")
  })
})

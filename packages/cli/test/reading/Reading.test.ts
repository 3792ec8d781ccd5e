/** The commands that read: every noun, evidence files, pages, logs, facts and documents for rule engines. */
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { safeName } from "../../src/reading/AttestationCommand.js"
import * as NestedValue from "../../src/reading/NestedValue.js"
import { LIST_NOUNS } from "../../src/reading/NounTable.js"
import * as PageAddress from "../../src/reading/PageAddress.js"
import * as ProductNames from "../../src/reading/ProductNames.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL, SHA } from "../shared/TestJob.js"

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** A fake `opa`: it allows according to its configuration, and records its input. */
const opa = (place: string, answer: string): string => {
  mkdirSync(place, { recursive: true })
  const file = join(place, "opa")
  writeFileSync(file, `#!/bin/sh\ncat > "${place}/input"\necho "$@" > "${place}/args"\n${answer}\n`)
  chmodSync(file, 0o755)
  return `${place}:${process.env.PATH}`
}

const said = (allow: boolean): string => {
  const value = { allow, violations: allow ? [] : ["unit is missing"] }
  return `echo '${JSON.stringify({ result: [{ expressions: [{ value }] }] })}'`
}

onEveryStore("reading", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL }
  const play = player(stage)
  const machine = machineOf(stage)
  const ids: { attestation: string; deployment: string } = { attestation: "", deployment: "" }

  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }

  beforeAll(async () => {
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, "minutes.txt"), "approved\n")
    await done("put", "flow", "shop", "--description", "x")
    await done("put", "environment", "prod", "--kind", "server", "--require-provenance")
    await done("put", "control", "SDLC-1", "--name", "Reviews")
    await done("put", "account", "ci-shop", "--privilege", "reader")
    await done("put", "type", "load", "--jq", ".p99 < 300")
    await done("begin")
    await done("attest", "artifact", "app.txt", "--slot", "app")
    await done("attest", "generic", "-n", "review", "--attach", "minutes.txt")
    const decision = ["--control", "SDLC-1", "--compliant", "--reason", "r", "-n", "d"]
    await done("attest", "decision", ...decision)
    await done("report", "paths", "prod", "--path", "app=app.txt")
    const found = JSON.parse(await done("list", "attestations", "-n", "review", "-o", "json"))
    ids.attestation = found[0].attestation_id
    const deployments = JSON.parse(await done("list", "deployments", "-o", "json"))
    ids.deployment = deployments[0]?.id ?? deployments[0]?.deployment_id ?? ""
  })

  it("lists every noun", async () => {
    const paths: ReadonlyMap<string, string> = new Map([
      ["environment", "prod"],
      ["control", "SDLC-1"],
      ["account", "ci-shop"],
      ["flow", "shop"],
      ["repo", "acme/shop"],
      ["fingerprint", "a".repeat(64)]
    ])
    for (const { noun, path = {} } of LIST_NOUNS) {
      const flags = Object.values(path).flatMap((flag) => [`--${flag}`, paths.get(flag) ?? ""])
      for (const more of [[], ["-o", "json"], ["-o", "jsonl"], ["-q"], ["--raw", "-o", "json"]])
        await done("list", noun, ...flags, ...more)
    }
  })

  it("filters, sorts and turns lists round", async () => {
    const names = async (...flags: ReadonlyArray<string>) =>
      (await done("list", "environments", "-q", ...flags)).trim()
    await done("put", "environment", "zoo", "--kind", "docker")
    assert.strictEqual(await names(), "prod\nzoo")
    assert.strictEqual(await names("--reverse"), "zoo\nprod")
    assert.strictEqual(await names("--verdict", "compliant"), "prod")
    assert.strictEqual(await names("--kind", "docker"), "zoo")
    await done("tag", "environment", "zoo", "tier=one")
    assert.strictEqual(await names("--tag", "tier=one"), "zoo")
    const events = ["list", "events", "--environment", "prod", "-q"]
    assert.notStrictEqual(await done(...events, "--since", "1d"), "\n")
    const wrong = await run([...events, "--since", "yesterday"], machine())
    assert.strictEqual(wrong.code, 2)
  })

  it("prints product names in tables, keeps the words of the wire in JSON and takes both as filters", async () => {
    await done("put", "environment", "tasks", "--kind", "ecs")
    const table = await done("list", "environments", "--kind", "ecs")
    assert.match(table, /^tasks {2}Amazon ECS {2}/m)
    assert.match(await done("get", "environment", "tasks"), /^type +Amazon ECS$/m)
    for (const kind of ["Amazon ECS", "amazon ecs", "ECS", "container-tasks"]) {
      const found = await done("list", "environments", "--kind", kind, "-o", "json")
      assert.deepEqual(
        JSON.parse(found).map(({ name, type }: { name: string; type: string }) => [name, type]),
        [["tasks", "container-tasks"]],
        kind
      )
    }
    const value = JSON.parse(await done("get", "environment", "tasks", "-o", "json"))
    assert.strictEqual(value.type, "container-tasks")
    assert.match(await done("list", "repositories"), /^acme\/shop {2}GitHub {2}/m)
    assert.strictEqual(
      await done("list", "repositories", "--provider", "GitHub", "-q"),
      "acme/shop\n"
    )
    assert.strictEqual(ProductNames.ofProvider("azure-devops"), "Azure DevOps")
    assert.strictEqual(ProductNames.providerOf("azure devops"), "cloudx-devops")
    assert.strictEqual(NestedValue.print([{ type: "CHAT" }]), '[{"type":"Slack"}]')
    await done("archive", "environment", "tasks", "--yes")
  })

  it("shows every noun", async () => {
    const fingerprint = digestOf("app\n")
    for (const argv of [
      ["flow", "shop"],
      ["trail", "t1"],
      ["artifact", fingerprint],
      ["artifact", `shop@${fingerprint}`],
      ["artifact", `shop:${SHA}`],
      ["environment", "prod"],
      ["snapshot", "prod#1"],
      ["control", "SDLC-1"],
      ["type", "load"],
      ["type", "load@v1"],
      ["account", "ci-shop"],
      ["org"],
      ["meta"],
      ["attestation", ids.attestation]
    ])
      for (const more of [[], ["-o", "json"]]) await done("get", ...argv, ...more)
    for (const argv of [
      ["notification", "999"],
      ["approval", "1"],
      ["key", "ci-shop", "nothing"],
      ["artifact", "shop:0000000000000000000000000000000000000000"]
    ])
      assert.include([3, 6], (await run(["get", ...argv], machine())).code, argv.join(" "))
  })

  it("saves the evidence files of an attestation, for this user alone and never over a file", async () => {
    const argv = ["get", "attestation", ids.attestation, "--download", "evidence"]
    const { code, stdout, stderr } = await run(argv, machine())
    assert.strictEqual(code, 0, stderr)
    const file = join(cwd, "evidence/minutes.txt")
    assert.include(stdout, "saved ")
    assert.strictEqual(readFileSync(file, "utf8"), "approved\n")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.strictEqual((await run(argv, machine())).code, 7)
    const nothing = ["get", "attestation", "00000000-0000-0000-0000-000000000000"]
    assert.include([3, 6], (await run(nothing, machine())).code)
    writeFileSync(file, "")
  })

  it("prints the audit log as CSV, and follows events", async () => {
    const csv = await done("log", "prod", "--csv", "--since", "1d")
    assert.match(csv.split("\n")[0] ?? "", /,/)
    const controller = new AbortController()
    let rounds = 0
    const sleep = async () => {
      rounds++
      if (rounds === 1) {
        writeFileSync(join(cwd, "app.txt"), "other\n")
        await done("report", "paths", "prod", "--path", "app=app.txt")
      } else controller.abort("SIGINT")
    }
    const host = { sleep, signal: controller.signal }
    const { code, stdout } = await run(
      ["log", "prod", "--follow", "-o", "jsonl"],
      machine({ host })
    )
    assert.strictEqual(code, 130)
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.sameMembers(
      events.map(({ sha256 }) => sha256),
      [digestOf("app\n"), digestOf("other\n")]
    )
  })

  it("prints the address of a page, and opens it on a terminal", async () => {
    await play("open", (form) => ["open", "prod", ...(form === "tty" ? ["--print"] : [])])
    const place = folder()
    const program = join(place, "xdg-open")
    writeFileSync(program, `#!/bin/sh\necho "$1" > "${place}/opened"\n`)
    chmodSync(program, 0o755)
    const env = { PATH: `${place}:${process.env.PATH}` }
    const { code, stdout } = await run(["open", "shop/t1"], machine({ tty: true, env }))
    assert.strictEqual(code, 0)
    assert.strictEqual(readFileSync(join(place, "opened"), "utf8"), stdout)
    writeFileSync(program, "#!/bin/sh\nexit 3\n")
    assert.strictEqual((await run(["open", "prod"], machine({ tty: true, env }))).code, 7)
  })

  it("gives the facts that policies look at, which the evaluator accepts", async () => {
    const fingerprint = digestOf("app\n")
    await play("policy-facts", ["policy", "facts", fingerprint])
    const facts = await done("policy", "facts", fingerprint, "-o", "json")
    writeFileSync(join(cwd, "facts.json"), facts)
    const policy =
      "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"
    writeFileSync(join(cwd, "rules.yaml"), policy)
    await done("policy", "evaluate", "rules.yaml", "--facts", "facts.json")
    assert.lengthOf(
      JSON.parse(await done("policy", "facts", "--environment", "prod", "-o", "json")),
      1
    )
    assert.strictEqual((await run(["policy", "facts"], machine())).code, 2)
  })

  it("prints trails as input of a rule engine, and evaluates them with opa", async () => {
    const one = JSON.parse(await done("evaluate", "trail", "-o", "json"))
    assert.property(one.trail.compliance_status.attestations_statuses, "review")
    const two = JSON.parse(await done("evaluate", "trail", "t1", "t1", "-o", "json"))
    assert.lengthOf(two.trails, 2)
    const only = await done("evaluate", "trail", "--attestation", "d", "-o", "json")
    const { attestations_statuses: statuses } = JSON.parse(only).trail.compliance_status
    assert.deepStrictEqual(Object.keys(statuses), ["d"])
    const place = folder()
    writeFileSync(join(cwd, "policy.rego"), "package policy\n")
    const evaluate = ["evaluate", "trail", "--rego", "policy.rego", "--params", '{"level":2}']
    const yes = await run(evaluate, machine({ env: { PATH: opa(place, said(true)) } }))
    assert.strictEqual(yes.code, 0, yes.stderr)
    assert.property(JSON.parse(readFileSync(join(place, "input"), "utf8")), "trail")
    assert.include(readFileSync(join(place, "args"), "utf8"), "data.policy")
    const no = await run(evaluate, machine({ env: { PATH: opa(place, said(false)) } }))
    assert.strictEqual(no.code, 1)
    assert.include(no.stdout, "violation: unit is missing")
    const silent = await run(evaluate, machine({ env: { PATH: opa(place, "echo '{}'") } }))
    assert.strictEqual(silent.code, 7)
    const failing = await run(evaluate, machine({ env: { PATH: opa(place, "exit 2") } }))
    assert.strictEqual(failing.code, 7)
    const absent = await run(evaluate, machine({ env: { PATH: "/nowhere" } }))
    assert.strictEqual(absent.code, 7)
    assert.include(absent.stderr, "there is no program `opa`")
    const input = ["evaluate", "input", "--file", "-", "--rego", "policy.rego"]
    const env = { PATH: opa(place, said(true)) }
    assert.strictEqual((await run(input, machine({ env, stdin: "{}" }))).code, 0)
  })
})

describe("the name of an evidence file", () => {
  it("has no folders, no control characters and no leading dots", () => {
    assert.strictEqual(safeName("../../etc/passwd"), "passwd")
    assert.strictEqual(safeName("a\\b\\.bashrc"), "bashrc")
    assert.strictEqual(safeName("x\u001b[2J\n.txt"), "x__2J_.txt")
    assert.strictEqual(safeName(".."), "evidence")
    assert.strictEqual(safeName("Übersicht 1.pdf"), "Übersicht 1.pdf")
    assert.isAtMost(safeName("x".repeat(500)).length, 120)
  })
})

describe("the address of a page", () => {
  it("is that of the environment, the snapshot, the trail, the artifact or the org", () => {
    const of = (thing?: string) => PageAddress.of("https://a.example.com/api/v2", "acme", thing)
    assert.strictEqual(of(), "https://a.example.com/acme")
    assert.strictEqual(of("prod"), "https://a.example.com/acme/environments/prod")
    assert.strictEqual(of("prod#12"), "https://a.example.com/acme/environments/prod/snapshots/12")
    assert.strictEqual(of("shop/a b"), "https://a.example.com/acme/flows/shop/trails/a%20b")
    const hex = "a".repeat(64)
    assert.strictEqual(of(hex), `https://a.example.com/acme/artifacts/${hex}`)
  })
})

/** The golden output of the commands about waivers, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const POLICY = "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"
const FORMS: ReadonlyArray<Form> = ["json", "tty", "pipe"]

onEveryStore("what commands about waivers print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>): Promise<string> => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const request = ["waiver", "request", "rules", "--environment", "prod", "--until", "3d"]
  const asked = async (): Promise<string> =>
    String(JSON.parse(await done(...request, "--reason", "x", "-o", "json")).number)
  const each = async (): Promise<ReadonlyMap<Form, string>> => {
    const made: Array<readonly [Form, string]> = []
    for (const form of FORMS) made.push([form, await asked()])
    return new Map(made)
  }

  beforeAll(async () => {
    writeFileSync(join(cwd, "rules.yaml"), POLICY)
    await done("put", "policy", "rules", "rules.yaml")
    await done("put", "environment", "prod", "--kind", "server", "--policy", "rules")
  })

  it("shows and changes the rules of the org", async () => {
    await play("waiver-settings", ["waiver", "settings", "--self-approval", "--max-days", "30"])
  })

  it("requests, approves, rejects, extends and revokes", async () => {
    await play("waiver-request", [...request, "--reason", "the scanner is down"])
    const approved = await each()
    await play("waiver-approve", (form) => [
      "waiver",
      "approve",
      approved.get(form) ?? "",
      "--comment",
      "until Friday"
    ])
    const rejected = await each()
    await play("waiver-reject", (form) => ["waiver", "reject", rejected.get(form) ?? ""])
    await play("waiver-extend", ["waiver", "extend", "4", "--until", "7d"])
    await play("waiver-revoke", (form) => [
      "waiver",
      "revoke",
      approved.get(form) ?? "",
      "--reason",
      "the scanner is up",
      "-y"
    ])
  })

  it("lists and shows them, and how much is waived", async () => {
    await play("waiver-list", ["waiver", "list", "--state", "revoked,rejected"])
    await play("waiver-get", ["waiver", "get", "4"])
    await play("waiver-debt", ["waiver", "debt"])
  })

  it("refuses what is no number, and an end that is none", async () => {
    const wrong = async (...argv: ReadonlyArray<string>) => (await run(argv, machine())).stderr
    assert.match(await wrong("waiver", "get", "x"), /a waiver has a number/)
    assert.match(
      await wrong("waiver", "request", "rules", "--reason", "x", "--until", "soon"),
      /--until expects 3d/
    )
  })
})

/** The golden output of what is detached, renamed, archived, deleted and of keys, on each store. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const POLICY = "_schema: https://example.com/v1\nartifacts:\n  provenance:\n    required: true\n"
const FORMS: ReadonlyArray<Form> = ["json", "tty", "pipe"]

onEveryStore("what changes print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>): Promise<string> => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  const keys = new Map<Form, string>()

  beforeAll(async () => {
    writeFileSync(join(cwd, "rules.yaml"), POLICY)
    await done("put", "policy", "rules", "rules.yaml")
    for (const form of FORMS) {
      await done("put", "environment", `e-${form}`, "--kind", "server")
      await done("attach", "rules", `e-${form}`)
      await done("put", "control", `C-${form.toUpperCase()}`, "--name", "x")
      await done("put", "type", `t-${form}`, "--jq", ".a == 1")
      await done("put", "account", `a-${form}`, "--privilege", "reader")
      const created = ["key", "create", `a-${form}`, "--description", "CI", "-o", "json"]
      keys.set(form, JSON.parse(await done(...created, "--to-file", `key-${form}`)).id)
      mkdirSync(join(cwd, `docs-${form}/flows`), { recursive: true })
      writeFileSync(join(cwd, `docs-${form}/flows/shop-${form}.yaml`), "description: x\n")
    }
  })

  it("detaches, renames and archives", async () => {
    await play("detach", (form) => ["detach", "rules", `e-${form}`, "-y"])
    await play("rename-environment", (form) => ["rename", "environment", `e-${form}`, `n-${form}`])
    await play("archive-environment", (form) => ["archive", "environment", `n-${form}`, "-y"])
    await play("archive-control", (form) => ["archive", "control", `C-${form.toUpperCase()}`, "-y"])
    await play("archive-type", (form) => ["archive", "type", `t-${form}`, "-y"])
  })

  it("applies a folder", async () => {
    await play("apply", (form) => ["apply", `docs-${form}`])
  })

  it("creates, rotates and revokes keys without showing them", async () => {
    const create = (form: Form) => ["key", "create", `a-${form}`, "--description", "CI"]
    await play("key-create-scoped", (form) => [
      ...create(form),
      "--scope",
      "pipeline",
      "--network",
      "10.0.0.0/8",
      "--to-file",
      `narrow-${form}`
    ])
    await play("key-create", (form) => [...create(form), "--to-file", `new-${form}`])
    await play("key-rotate", (form) => [
      "key",
      "rotate",
      `a-${form}`,
      keys.get(form) ?? "",
      "--grace",
      "24h",
      "--to-file",
      `rotated-${form}`
    ])
    await play("key-revoke", (form) => ["key", "revoke", `a-${form}`, keys.get(form) ?? "", "-y"])
  })

  it("creates and revokes keys of one's own without showing them", async () => {
    const create = ["key", "create-own", "--description", "laptop"]
    await play("key-create-own", (form) => [...create, "--to-file", `own-${form}`])
    const own = new Map<Form, string>()
    for (const form of FORMS) {
      const made = await done(...create, "--to-file", `other-${form}`, "-o", "json")
      own.set(form, JSON.parse(made).id)
    }
    await play("key-revoke-own", (form) => ["key", "revoke-own", own.get(form) ?? "", "-y"])
  })

  it("deletes accounts, and tests and deletes notifications", async () => {
    await play("delete-account", (form) => ["delete", "account", `a-${form}`, "-y"])
    await done("put", "environment", "prod", "--kind", "server")
    for (const form of FORMS) {
      const put = ["put", "notification", form, "--environment", "prod", "--on", "compliant-env"]
      await done(...put, "--to", "ops@example.com")
    }
    const numberOf = (form: Form) => String(FORMS.indexOf(form) + 1)
    await play("test-notification", (form) => ["test", "notification", numberOf(form)])
    await play("delete-notification", (form) => ["delete", "notification", numberOf(form), "-y"])
  })
})

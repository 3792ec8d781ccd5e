/** The golden output of the commands about this machine, on each store where a server is asked. */
import { assert, describe, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { type Form, player } from "../shared/Play.js"
import { folder, type Machine, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const FORMS: ReadonlyArray<Form> = ["json", "tty", "pipe"]

/** Runs a command line on a machine of its own for each output form. */
const play = async (
  name: string,
  argv: ReadonlyArray<string>,
  machineOf: (form: Form) => Machine
): Promise<void> => {
  for (const form of FORMS) {
    const machine = { ...machineOf(form), tty: form === "tty" }
    const ran = await run(form === "json" ? [...argv, "-o", "json"] : argv, machine)
    assert.strictEqual(ran.code, 0, ran.stderr)
    golden(`${name}.${form}`, form === "json" ? ran.stdout : ran.stdout + ran.stderr)
  }
}

onEveryStore("what commands of profiles print", (deployment) => {
  it("logs in and out", async () => {
    const homes = new Map(FORMS.map((form) => [form, folder()]))
    const machineOf = (form: Form): Machine => {
      const home = homes.get(form) ?? ""
      return { home, stdin: deployment().keys.member }
    }
    await play("login", ["login", "--url", deployment().url, "--key-stdin"], machineOf)
    await play("config-set", ["config", "set", "org", "acme"], machineOf)
    await play("config-use", ["config", "use", "default"], machineOf)
    await play("config-path", ["config", "path"], machineOf)
    await play("config-unset", ["config", "unset", "org"], machineOf)
    await play("config-unset-again", ["config", "unset", "org"], machineOf)
    await play("logout", ["logout"], machineOf)
  })

  it("says its version and completes", async () => {
    const playAll = player({ cwd: folder(), deployment })
    await playAll("version", ["version"])
    await playAll("completion", ["completion", "bash"])
  })
})

describe("attestry init", () => {
  it("says what it wrote", () =>
    play("init", ["init", "--flow", "shop", "--ci", "github"], () => ({
      cwd: folder(),
      home: folder()
    })))
})

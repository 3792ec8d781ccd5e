/** The golden output of the commands about break-glass, on each store. */
import { assert, it } from "vitest"
import { type Form, machineOf, player } from "../shared/Play.js"
import { folder, type Machine, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

/** Who opens it in each form: a person has one open at a time. */
const PEOPLE = { json: "member", tty: "snapshotter", pipe: "reader" } as const
const NUMBERS: { readonly [form in Form]: string } = { json: "1", tty: "2", pipe: "3" }

onEveryStore("what commands about break-glass print", (deployment) => {
  const stage = { cwd: folder(), deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const by = (form: Form): Machine => ({
    env: { ATTESTRY_API_KEY: deployment().keys[PEOPLE[form]] }
  })
  const loginOf = async (form: Form): Promise<string> => {
    const { stdout } = await run(["whoami", "-o", "json"], machine(by(form)))
    return JSON.parse(stdout).name
  }

  it("opens it for those who have an eligible grant, and closes, reviews and lists it", async () => {
    for (const form of ["json", "tty", "pipe"] as const) {
      const refused = await run(
        ["break-glass", "open", "admin", "/", "--minutes", "15", "--reason", "too early"],
        machine(by(form))
      )
      assert.strictEqual(refused.code, 4, refused.stderr)
      const given = await run(
        ["grant", "give", `user:${await loginOf(form)}`, "admin", "/", "--eligible"],
        machine()
      )
      assert.strictEqual(given.code, 0, given.stderr)
    }
    await play(
      "break-glass-open",
      ["break-glass", "open", "admin", "/", "--minutes", "60", "--reason", "the gate is stuck"],
      { machine: by }
    )
    await play("break-glass-close", (form) => ["break-glass", "close", NUMBERS[form]], {
      machine: by
    })
    const review = (form: Form) => [
      ...["break-glass", "review", NUMBERS[form]],
      ...["--note", "it was needed"]
    ]
    await play("break-glass-review", review)
    await play("break-glass-list", ["break-glass", "list"])
    assert.strictEqual((await run(review("json"), machine())).code, 6)
    assert.strictEqual((await run(["break-glass", "close", "x"], machine())).code, 2)
  })
})

/** The golden output of the commands about spaces, placement rules, grants and access, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const FORMS = ["json", "tty", "pipe"] as const

onEveryStore("what commands about spaces print", (deployment) => {
  const stage = { cwd: folder(), deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await run(argv, machine())
    assert.strictEqual(code, 0, stderr + stdout)
  }

  it("creates and changes spaces, and moves things between them", async () => {
    await play("space-create", (form) => [
      "space",
      "create",
      `retail-${form}`,
      "--description",
      "shops"
    ])
    await done("space", "create", "platform")
    await play("space-change", (form) => [
      "space",
      "change",
      `retail-${form}`,
      "--parent",
      "platform"
    ])
    for (const form of FORMS) await done("put", "flow", `pay-${form}`)
    await done("team", "create", "pay")
    await done("grant", "give", "team:pay", "reader", "platform/retail-tty")
    await done(
      "space",
      "move",
      "platform/retail-tty",
      "flow",
      ...FORMS.map((form) => `pay-${form}`)
    )
    await play("space-move", (form) => ["space", "move", "platform", "flow", `pay-${form}`])
    await play("space-list", ["space", "list"])
  })

  it("sets and shows placement rules", async () => {
    const rules = { rules: [{ type: "flow", name: "pay-*", space: "platform" }] }
    writeFileSync(join(stage.cwd, "rules.json"), JSON.stringify(rules))
    await play("placement-rules-set", ["placement-rules", "set", "rules.json"])
    await play("placement-rules-get", ["placement-rules", "get"])
  })

  it("gives, lists and ends grants, and answers who has what", async () => {
    await play("grant-give", [
      "grant",
      "give",
      "user:max",
      "member",
      "platform",
      "--reason",
      "builds it"
    ])
    await done("grant", "give", "everyone", "reader", "platform")
    await play("grant-list", ["grant", "list"])
    await play("access-who", ["access", "who", "flow.write", "--space", "platform"])
    await play("access-show", ["access", "show", "user:max"])
    await play("access-explain", [
      "access",
      "explain",
      "flow.put",
      "user:rob",
      "--space",
      "platform"
    ])
    await play("grant-end", ["grant", "end", "1"])
  })

  it("deletes an empty space", async () => {
    await play("space-delete", (form) => ["space", "delete", `platform/retail-${form}`, "-y"])
  })

  it("says what is missing", async () => {
    const wrong = async (...argv: ReadonlyArray<string>) => (await run(argv, machine())).stderr
    assert.match(await wrong("space", "delete", "none", "-y"), /there is no space `none`/)
    assert.match(await wrong("space", "change", "platform"), /nothing to change/)
    assert.match(await wrong("space", "move", "platform", "flow"), /give either names/)
    assert.match(await wrong("grant", "give", "max", "member", "platform"), /names nobody/)
    assert.match(await wrong("grant", "end", "x"), /a grant has a number/)
    assert.match(await wrong("access", "show", "team:pay"), /is no person and no account/)
  })
})

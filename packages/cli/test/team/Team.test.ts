/** The golden output of the commands about teams, on each store. */
import { assert, it } from "vitest"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

onEveryStore("what commands about teams print", (deployment) => {
  const stage = { cwd: folder(), deployment }
  const play = player(stage)
  const machine = machineOf(stage)

  it("creates a team, and moves people into it and out of it", async () => {
    await play("team-create", (form) => [
      "team",
      "create",
      `pay-${form}`,
      "--description",
      "who pays"
    ])
    await play("team-add", (form) => ["team", "add", `pay-${form}`, "max", "rob"])
    await play("team-remove", (form) => ["team", "remove", `pay-${form}`, "rob"])
  })

  it("lists and shows teams", async () => {
    await play("team-list", ["team", "list"])
    await play("team-show", ["team", "show", "pay-tty"])
  })

  it("deletes a team", async () => {
    await play("team-delete", (form) => ["team", "delete", `pay-${form}`, "-y"])
  })

  it("says what is missing", async () => {
    const wrong = async (...argv: ReadonlyArray<string>) => (await run(argv, machine())).stderr
    assert.match(await wrong("team", "show", "none"), /Team 'none' does not exist/)
    await run(["team", "create", "ops"], machine())
    assert.match(await wrong("team", "add", "ops", "nobody"), /`nobody` is not a member/)
    assert.match(await wrong("team", "remove", "ops", "max"), /'max' is not in team 'ops'/)
  })
})

/** The golden output of the commands about agent accounts, on each store. */
import { it } from "vitest"
import { player } from "../shared/Play.js"
import { folder } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

onEveryStore("what commands about agent accounts print", (deployment) => {
  const play = player({ cwd: folder(), deployment })

  it("sets and lists the accounts", async () => {
    await play("agents-set", ["agents", "set", "acme-coder", "acme-reviewer"])
    await play("agents-list", ["agents", "list"])
  })
})

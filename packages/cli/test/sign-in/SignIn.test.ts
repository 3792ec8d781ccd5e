/** The golden output of the commands about how people sign in, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "vitest"
import { player } from "../shared/Play.js"
import { folder } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

onEveryStore("what commands about sign-in print", (deployment) => {
  const cwd = folder()
  const play = player({ cwd, deployment })

  it("sets the settings of a file, and shows them as one", async () => {
    writeFileSync(join(cwd, "sign-in.json"), '{"session_hours": 8, "key_max_days": 90}')
    await play("sign-in-set", ["sign-in", "set", "sign-in.json"])
    await play("sign-in-get", ["sign-in", "get"])
  })
})

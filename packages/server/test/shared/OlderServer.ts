/** The server of the commit before there were exposures and knowledge numbers; see `scripts/older-server.mjs`. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { withFolder } from "./ServerProcess.js"

const SCRIPT = join(import.meta.dirname, "../../../../scripts/older-server.mjs")

const WITHOUT_HISTORY = 3

/** Uses the executable of the older server; answers false in a copy of the repository that has no history. */
export const withExecutable = (use: (file: string) => Promise<void>): Promise<boolean> =>
  withFolder(async (folder) => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], { encoding: "utf8" })
    if (status === WITHOUT_HISTORY) return false
    if (status !== 0) throw new Error(`the older server was not made: ${stderr}`)
    await use(join(folder, "server.mjs"))
    return true
  })

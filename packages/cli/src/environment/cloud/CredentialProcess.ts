/** Runs a cloud's credential program without a shell, for at most 60 seconds, and reads one JSON document. */
import { execFile } from "node:child_process"
import { unreadable } from "../../shared/CommandFailure.js"
import { foreignEnv, type Host } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"

const TIMEOUT_MS = 60_000

/** The JSON that the program prints; its output is never shown. */
export const run = (
  host: Host,
  [command = "", ...args]: ReadonlyArray<string>
): Promise<Json.Fields> =>
  new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { env: { ...foreignEnv(host) }, timeout: TIMEOUT_MS, encoding: "utf8" },
      (error, stdout) => {
        if (error !== null) {
          const { code } = error
          return reject(unreadable(`${command} gave no credentials (${code ?? "killed"})`))
        }
        try {
          resolve(Json.object(JSON.parse(stdout)))
        } catch {
          // WHY no cause: the text may be a credential.
          reject(unreadable(`${command} printed no JSON`))
        }
      }
    )
  })

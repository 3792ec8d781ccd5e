/** Opens an address in the browser of the person. */
import { execFile } from "node:child_process"
import { unreadable } from "./CommandFailure.js"
import type { Host } from "./Host.js"

/** The program that opens a URL, by operating system; run without a shell. */
const OPENERS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]]
])

const TIMEOUT_MS = 10_000

/** Opens an address in the browser, or fails with the program that could not. */
export const open = ({ platform, env }: Host, address: string): Promise<void> => {
  const [program = "", ...args] = OPENERS.get(platform) ?? ["xdg-open"]
  return new Promise((resolve, reject) => {
    execFile(program, [...args, address], { env, timeout: TIMEOUT_MS }, (cause) =>
      cause === null
        ? resolve()
        : reject(unreadable(`${program} does not open addresses here`, address, cause))
    )
  })
}

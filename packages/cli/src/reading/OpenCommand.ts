/** `attestry open [THING]`: opens a page in the browser, or prints its URL. */
import { execFile } from "node:child_process"
import { unreadable } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import * as PageAddress from "./PageAddress.js"

/** The program that opens a URL, by operating system; run without a shell. */
const OPENERS: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["darwin", ["open"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler"]]
])

const TIMEOUT_MS = 10_000

const open = ({ platform, env }: Host, address: string): Promise<void> => {
  const [program = "", ...args] = OPENERS.get(platform) ?? ["xdg-open"]
  return new Promise((resolve, reject) => {
    execFile(program, [...args, address], { env, timeout: TIMEOUT_MS }, (cause) =>
      cause === null
        ? resolve()
        : reject(unreadable(`${program} does not open addresses here`, address, cause))
    )
  })
}

/** Runs `attestry open`. */
export const run: CommandModule["run"] = async ({ api, host }, args) => {
  const deployment = await api()
  const [thing] = args.positionals
  const address = PageAddress.of(deployment.url, await deployment.org(), thing)
  const isOpened = !args.has("print") && host.stdout.isTerminal
  if (isOpened) await open(host, address)
  return {
    value: { schema: "attestry.cli/page/v1", url: address, opened: isOpened },
    quiet: address,
    lines: (style) => [style.text(address)]
  }
}

/** `attestry open [THING]`: opens a page in the browser, or prints its URL. */
import * as BrowserWindow from "../shared/BrowserWindow.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as PageAddress from "./PageAddress.js"

/** Runs `attestry open`. */
export const run: CommandModule["run"] = async ({ api, host }, args) => {
  const deployment = await api()
  const [thing] = args.positionals
  const address = PageAddress.of(deployment.url, await deployment.org(), thing)
  const isOpened = !args.has("print") && host.stdout.isTerminal
  if (isOpened) await BrowserWindow.open(host, address)
  return {
    value: { schema: "attestry.cli/page/v1", url: address, opened: isOpened },
    quiet: address,
    lines: (style) => [style.text(address)]
  }
}
